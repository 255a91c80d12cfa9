package forestall.rules["memory-limit-below-known-need_test"]

import data.forestall.rules["memory-limit-below-known-need"] as rule

_path := "spec.containers[0].resources.limits.memory"

_container := {
	"name": "api",
	"memory": {
		"limit": {"state": "present", "path": _path, "text": "16Mi", "bytes": 16777216, "from": "container"},
		"need": {
			"state": "present",
			"path": _path,
			"bytes": 20971520,
			"because": "a JVM that runs nothing needs about 20Mi",
			"shows": "OOMKilled (exit code 137) as soon as it starts",
			"source": "measured",
		},
	},
}

test_fail_below_need if {
	report := rule.report with input as {"containers": [_container]}
	report == {{
		"rule": "memory-limit-below-known-need",
		"cause": "memory-limit",
		"level": "warn",
		"certainty": "likely",
		"category": "memory",
		"failure": "OOMKilled, or a container that is not created",
		"links": ["https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/"],
		"container": "api",
		"path": _path,
		"reason": "limits.memory 16Mi is less than the 20Mi that it needs",
		"what": concat(" ", [
			"kubectl shows OOMKilled (exit code 137) as soon as it starts;",
			"it is started again at once, then after 10s, 20s, 40s, up to 5m, without end.",
		]),
		"why": "limits.memory is 16Mi, and a JVM that runs nothing needs about 20Mi.",
		"fix": "set spec.containers[0].resources.limits.memory to 64Mi or more.",
	}}
}

test_fail_limit_of_the_pod if {
	limit := object.union(_container.memory.limit, {"from": "pod", "path": "spec.resources.limits.memory"})
	container := object.union(_container, {"memory": {"limit": limit}})
	some finding in rule.report with input as {"containers": [container]}
	finding.reason == "the pod's limits.memory 16Mi is less than the 20Mi that it needs"
}

test_pass_enough if {
	container := object.union(_container, {"memory": {"need": {"state": "absent"}}})
	count(rule.report) == 0 with input as {"containers": [container]}
}
