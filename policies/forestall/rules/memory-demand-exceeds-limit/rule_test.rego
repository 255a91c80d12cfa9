package forestall.rules["memory-demand-exceeds-limit_test"]

import data.forestall.rules["memory-demand-exceeds-limit"] as rule

_heap := {
	"kind": "heap",
	"bytes": 2147483648,
	"text": "-Xmx2g",
	"flag": "-Xmx",
	"path": "spec.containers[0].args[1]",
	"taken": true,
	"assumed": false,
	"start": 2147483648,
}

_limit := {
	"state": "present",
	"path": "spec.containers[0].resources.limits.memory",
	"bytes": 1073741824,
	"text": "1Gi",
	"from": "container",
}

_input(asks, limit) := {"workload": {"kind": "Job"}, "containers": [{
	"name": "api",
	"kind": "regular",
	"restartPolicy": "Always",
	"memory": {"limit": limit, "demand": {"state": "present", "asks": asks}},
}]}

_restarted := "it is started again at once, then after 10s, 20s, 40s, up to 5m (CrashLoopBackOff), without end."

test_fail_heap if {
	report := rule.report with input as _input([_heap], _limit)
	report == {{
		"rule": "memory-demand-exceeds-limit",
		"cause": "memory-demand",
		"level": "deny",
		"certainty": "certain",
		"category": "memory",
		"failure": "OOMKilled",
		"links": [
			"https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/",
			"https://docs.oracle.com/en/java/javase/17/docs/specs/man/java.html",
		],
		"container": "api",
		"path": "spec.containers[0].args[1]",
		"reason": "OOMKilled, -Xmx2g exceeds limits.memory 1Gi",
		"what": concat(" ", ["OOMKilled (exit code 137) as soon as it runs;", _restarted]),
		"why": "-Xmx2g takes a heap of 2Gi; limits.memory is 1Gi.",
		"fix": concat(" ", [
			"set spec.containers[0].resources.limits.memory to 2560Mi (2Gi and room beside it),",
			"or lower -Xms and -Xmx to 768m.",
		]),
		"suggestions": [{"op": "set", "path": "spec.containers[0].resources.limits.memory", "value": "2560Mi"}],
	}}
}

test_fail_never_restarted if {
	containers := [object.union(c, {"restartPolicy": "Never"}) | some c in _input([_heap], _limit).containers]
	some finding in rule.report with input as object.union(_input([], _limit), {"containers": containers})
	finding.what == concat(" ", [
		"OOMKilled (exit code 137) as soon as it runs;",
		"the pod fails (restartPolicy Never), and its controller decides whether there is another.",
	])
}

# 1024m of the JVM is 1024Mi, and 1024M of Kubernetes is less.
test_fail_unit if {
	ask := object.union(_heap, {"bytes": 1073741824, "text": "-Xmx1024m"})
	limit := object.union(_limit, {"bytes": 1024000000, "text": "1024M", "from": "limitRange"})
	some finding in rule.report with input as _input([ask], limit)
	not finding.suggestions
	finding.reason == "OOMKilled, -Xmx1024m exceeds the LimitRange's default limit of 1024M"
	finding.why == "-Xmx1024m takes a heap of 1Gi; the LimitRange's default limit is 1024M (1024000000 bytes)."
}

# A limit that holds the beginning alone would be the next finding.
test_fail_start_of_a_larger_heap if {
	first := object.union(_heap, {"bytes": 1073741824, "text": "-Xms1g", "start": 1073741824, "most": 2147483648})
	some finding in rule.report with input as _input([object.union(_heap, {"taken": false}), first], _limit)
	finding.reason == "OOMKilled, -Xms1g exceeds limits.memory 1Gi"
	finding.suggestions[0].value == "2560Mi"
}

test_fail_taken_fills_the_limit if {
	workers := {"kind": "workers", "bytes": 15728640, "text": "stress --vm 1 --vm-bytes 15M", "flag": "--vm-bytes"}
	ask := object.union(_heap, workers)
	limit := object.union(_limit, {"bytes": 15728640, "text": "15Mi"})
	some finding in rule.report with input as _input([ask], limit)
	finding.what == concat(" ", [
		"OOMKilled (exit code 137; 1 on nodes with cgroup v1) as soon as it runs;", _restarted,
	])
	finding.fix == "set spec.containers[0].resources.limits.memory to 48Mi (15Mi and room beside it)."
}

# Who takes it at once is never Ready for long.
test_fail_taken_tells_of_the_pod if {
	some finding in rule.report with input as object.union(_input([_heap], _limit), {"workload": {"kind": "Pod"}})
	endswith(finding.what, "without end. Between the starts the pod as a whole is not Ready: Services leave it out.")
}

test_pass_within if {
	count(rule.report) == 0 with input as _input([_heap], object.union(_limit, {"bytes": 2684354560, "text": "2560Mi"}))
}

test_pass_no_limit if {
	count(rule.report) == 0 with input as _input([_heap], {"state": "absent"})
}

# A ceiling may never be reached, a variable may not be read.
test_pass_not_certain if {
	every other in [{"taken": false}, {"assumed": true}] {
		count(rule.report) == 0 with input as _input([object.union(_heap, other)], _limit)
	}
}

# A limit of a few bytes is the cause itself.
test_pass_no_container_starts if {
	count(rule.report) == 0 with input as _input([_heap], object.union(_limit, {"bytes": 1, "text": "128m"}))
}
