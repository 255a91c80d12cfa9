package forestall.rules["memory-limit-below-floor_test"]

import data.forestall.rules["memory-limit-below-floor"] as rule

_path := "spec.containers[0].resources.limits.memory"

_container(text, bytes) := {
	"name": "app",
	"memory": {
		"limit": {"state": "present", "path": _path, "text": text, "bytes": bytes, "from": "container"},
		"unit": {"state": "present", "milli": endswith(text, "m")},
	},
}

_params := {
	"memory-limit-below-floor": {"floor": {"text": "2Mi", "bytes": 2097152}},
	"memory-quantity-milli": {"largest": {"text": "65535", "bytes": 65535}},
}

_input(containers) := {"containers": containers, "params": _params}

test_fail_one_mebibyte if {
	report := rule.report with input as _input([_container("1Mi", 1048576)])
	report == {{
		"rule": "memory-limit-below-floor",
		"cause": "memory-limit",
		"level": "deny",
		"certainty": "certain",
		"category": "memory",
		"failure": "ContainerCreating (FailedCreatePodSandBox) or RunContainerError",
		"links": [
			"https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/",
			"https://github.com/opencontainers/runc/issues/1980",
		],
		"container": "app",
		"path": _path,
		"reason": "the container cannot start, limits.memory is 1Mi",
		"what": concat(" ", [
			"the pod stays in ContainerCreating, and kubectl describe shows FailedCreatePodSandBox",
			"(container init was OOM-killed, memory limit too low).",
		]),
		"why": "limits.memory is 1Mi; to set a container up takes the runtime more than 2Mi of that.",
		"fix": concat(" ", [
			"set spec.containers[0].resources.limits.memory to what the program uses at its peak",
			"plus a quarter: 64Mi to begin with.",
		]),
	}}
}

test_fail_beside_others if {
	containers := [_container("128", 128), {"name": "b", "memory": {"limit": {"state": "absent"}}}]
	some finding in rule.report with input as _input(containers)
	startswith(finding.what, "kubectl shows RunContainerError")
	startswith(finding.why, "limits.memory is 128 bytes;")
	startswith(finding.fix, "set spec.containers[0].resources.limits.memory to what the program uses")
}

test_fail_bytes_were_not_meant if {
	patch := [{"op": "replace", "path": "/memory/unit", "value": {"milli": false, "instead": "512Mi", "bytes": 536870912}}]
	some finding in rule.report with input as _input([json.patch(_container("512", 512), patch)])
	finding.fix == concat(" ", [
		"set spec.containers[0].resources.limits.memory to 512Mi,",
		"or to what the program uses at its peak plus a quarter.",
	])
	[s.value | some s in finding.suggestions] == ["512Mi"]
}

# A JVM does not start with 64Mi, and with 16Mi even less.
test_fail_advice_suffices_for_what_is_known if {
	container := _container("16", 16)
	memory := object.union(container.memory, {
		"unit": {"milli": false, "instead": "16Mi", "bytes": 16777216},
		"need": {"bytes": 134217728},
	})
	some finding in rule.report with input as _input([object.union(container, {"memory": memory})])
	endswith(finding.fix, "at its peak plus a quarter: 128Mi to begin with.")
	not finding.suggestions
}

# The API server refuses a limit above that of the pod.
test_fail_beside_a_limit_of_the_pod if {
	patch := [{"op": "replace", "path": "/memory/unit", "value": {"milli": false, "instead": "512Mi", "bytes": 536870912}}]
	some finding in rule.report with input as object.union(
		_input([json.patch(_container("512", 512), patch)]),
		{"pod": {"spec": {"resources": {"limits": {"memory": "256Mi"}}}}},
	)
	not finding.suggestions
}

test_pass_another_runtime if {
	some fact in ["runtimeClass", "virtualNode"]
	seen := object.union(_input([_container("1Mi", 1048576)]), {"pod": {fact: {"state": "present"}}})
	count(rule.report) == 0 with input as seen
}

test_fail_beyond_a_limit_range if {
	patch := [{"op": "replace", "path": "/memory/unit", "value": {"milli": false, "instead": "512Mi", "bytes": 536870912}}]
	some finding in rule.report with input as object.union(
		_input([json.patch(_container("512", 512), patch)]),
		{"cluster": {"memoryRanges": [{"limitRange": "bounds", "type": "Container", "maxBytes": 268435456}]}},
	)
	not finding.suggestions
}

test_pass_above if {
	count(rule.report) == 0 with input as _input([_container("4Mi", 4194304)])
}

test_pass_milli_is_told_elsewhere if {
	count(rule.report) == 0 with input as _input([_container("128m", 1)])
}
