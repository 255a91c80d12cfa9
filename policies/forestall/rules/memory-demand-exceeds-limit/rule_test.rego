package forestall.rules["memory-demand-exceeds-limit_test"]

import data.forestall.rules["memory-demand-exceeds-limit"] as rule

_heap := {
	"kind": "heap",
	"bytes": 2147483648,
	"text": "-Xmx2g",
	"flag": "-Xmx",
	"path": "spec.containers[0].args[1]",
	"taken": false,
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
			"https://kubernetes.io/docs/concepts/storage/volumes/#emptydir",
		],
		"container": "api",
		"path": "spec.containers[0].args[1]",
		"reason": "OOMKilled, -Xmx2g exceeds limits.memory 1Gi",
		"what": concat(" ", [
			"OOMKilled (exit code 137) as soon as the heap grows past the limit;",
			"it is started again, and the same follows.",
		]),
		"why": "-Xmx2g allows a heap of 2Gi; limits.memory is 1Gi.",
		"fix": concat(" ", [
			"set spec.containers[0].resources.limits.memory to 2560Mi (2Gi and room beside it),",
			"or lower -Xmx to 768m.",
		]),
		"suggestions": [{"op": "set", "path": "spec.containers[0].resources.limits.memory", "value": "2560Mi"}],
	}}
}

test_fail_never_restarted if {
	containers := [object.union(c, {"restartPolicy": "Never"}) | some c in _input([_heap], _limit).containers]
	some finding in rule.report with input as object.union(_input([], _limit), {"containers": containers})
	finding.what == concat(" ", [
		"OOMKilled (exit code 137) as soon as the heap grows past the limit;",
		"the pod ends as Failed (restartPolicy Never).",
	])
}

# 1024m of the JVM is 1024Mi, and 1024M of Kubernetes is less.
test_fail_unit if {
	ask := object.union(_heap, {"bytes": 1073741824, "text": "-Xmx1024m"})
	limit := object.union(_limit, {"bytes": 1024000000, "text": "1024M", "from": "limitRange"})
	some finding in rule.report with input as _input([ask], limit)
	not finding.suggestions
	finding.reason == "OOMKilled, -Xmx1024m exceeds the LimitRange's default limit of 1024M"
	finding.why == concat(" ", [
		"-Xmx1024m allows a heap of 1Gi;",
		"the LimitRange's default limit is 1024M (1024000000 bytes).",
	])
}

test_fail_taken_fills_the_limit if {
	workers := {"kind": "workers", "bytes": 15728640, "text": "stress --vm 1 --vm-bytes 15M", "taken": true}
	ask := object.union(_heap, workers)
	limit := object.union(_limit, {"bytes": 15728640, "text": "15Mi"})
	some finding in rule.report with input as _input([ask], limit)
	finding.what == concat(" ", [
		"OOMKilled (exit code 137, or 1 on nodes with cgroup v1) as soon as it runs;",
		"it is started again at once, then after 10s, 20s, 40s, up to 5m, without end (CrashLoopBackOff), and killed again.",
	])
	finding.fix == "set spec.containers[0].resources.limits.memory to 48Mi (15Mi and room beside it)."
}

# Who takes it at once is never Ready for long.
test_fail_taken_tells_of_the_pod if {
	ask := object.union(_heap, {"taken": true})
	some finding in rule.report with input as object.union(_input([ask], _limit), {"workload": {"kind": "Pod"}})
	endswith(finding.what, "and killed again. Between the starts the pod as a whole is not Ready: Services leave it out.")
}

test_fail_volume if {
	ask := object.union(_heap, {"kind": "volume", "text": "sizeLimit 2Gi of the volume \"logs\"", "flag": "sizeLimit"})
	some finding in rule.report with input as _input([ask], _limit)
	finding.fix == concat(" ", [
		"set sizeLimit to 768Mi or less, leave medium: Memory out,",
		"or set spec.containers[0].resources.limits.memory to 2560Mi.",
	])
}

test_pass_within if {
	count(rule.report) == 0 with input as _input([_heap], object.union(_limit, {"bytes": 2147483648, "text": "2Gi"}))
}

test_pass_no_limit if {
	count(rule.report) == 0 with input as _input([_heap], {"state": "absent"})
}

test_pass_soft_limit if {
	count(rule.report) == 0 with input as _input([object.union(_heap, {"kind": "goLimit"})], _limit)
}

# A limit of a few bytes is the cause itself.
test_pass_no_container_starts if {
	count(rule.report) == 0 with input as _input([_heap], object.union(_limit, {"bytes": 1, "text": "128m"}))
}
