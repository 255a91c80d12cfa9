package forestall.rules["memory-volume-exceeds-limit_test"]

import data.forestall.rules["memory-volume-exceeds-limit"] as rule

_ask := {
	"kind": "volume",
	"bytes": 2147483648,
	"text": "sizeLimit 2Gi of the volume \"logs\"",
	"flag": "sizeLimit",
	"path": "spec.volumes[0].emptyDir.sizeLimit",
	"taken": false,
	"assumed": false,
}

_limit := {
	"state": "present",
	"path": "spec.containers[0].resources.limits.memory",
	"bytes": 1073741824,
	"text": "1Gi",
	"from": "container",
}

_input(asks, limit) := {"containers": [{
	"name": "api",
	"memory": {"limit": limit, "demand": {"state": "present", "asks": asks}},
}]}

test_fail_volume if {
	report := rule.report with input as _input([_ask], _limit)
	report == {{
		"rule": "memory-volume-exceeds-limit",
		"cause": "memory-volume",
		"level": "audit",
		"certainty": "possible",
		"category": "memory",
		"failure": "OOMKilled",
		"links": ["https://kubernetes.io/docs/concepts/storage/volumes/#emptydir"],
		"container": "api",
		"path": "spec.volumes[0].emptyDir.sizeLimit",
		"reason": "OOMKilled if the volume fills up, sizeLimit 2Gi of the volume \"logs\" exceeds limits.memory 1Gi",
		"what": concat(" ", [
			"OOMKilled (exit code 137) as soon as the files grow past the limit;",
			"few programs write that much. The files stay when the container restarts.",
		]),
		"why": concat(" ", [
			"sizeLimit 2Gi of the volume \"logs\" allows 2Gi of files in memory that count as memory",
			"of the container which writes them; limits.memory is 1Gi.",
		]),
		"fix": concat(" ", [
			"set sizeLimit to 768Mi or less, leave medium: Memory out,",
			"or set spec.containers[0].resources.limits.memory to 2560Mi.",
		]),
	}}
}

test_pass_within if {
	count(rule.report) == 0 with input as _input([_ask], object.union(_limit, {"bytes": 2147483648, "text": "2Gi"}))
}

test_pass_no_limit if {
	count(rule.report) == 0 with input as _input([_ask], {"state": "absent"})
}

test_pass_other_kinds if {
	count(rule.report) == 0 with input as _input([object.union(_ask, {"kind": "heap"})], _limit)
}
