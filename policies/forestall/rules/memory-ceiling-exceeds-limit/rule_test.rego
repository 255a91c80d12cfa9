package forestall.rules["memory-ceiling-exceeds-limit_test"]

import data.forestall.rules["memory-ceiling-exceeds-limit"] as rule

_heap := {
	"kind": "heap",
	"bytes": 2147483648,
	"text": "-Xmx2g",
	"flag": "-Xmx",
	"path": "spec.containers[0].args[1]",
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
	"restartPolicy": "Always",
	"memory": {"limit": limit, "demand": {"state": "present", "asks": asks}},
}]}

test_fail_heap if {
	report := rule.report with input as _input([_heap], _limit)
	report == {{
		"rule": "memory-ceiling-exceeds-limit",
		"cause": "memory-demand",
		"level": "warn",
		"certainty": "likely",
		"category": "memory",
		"failure": "OOMKilled",
		"links": [
			"https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/",
			"https://docs.oracle.com/en/java/javase/17/gctuning/factors-affecting-garbage-collection-performance.html",
			"https://nodejs.org/api/cli.html#--max-old-space-sizesize-in-mib",
		],
		"container": "api",
		"path": "spec.containers[0].args[1]",
		"reason": "OOMKilled under load, -Xmx2g exceeds limits.memory 1Gi",
		"what": concat(" ", [
			"OOMKilled (exit code 137) as soon as the heap grows past the limit, which it may never do;",
			"it is started again, and the same can follow.",
		]),
		"why": concat(" ", [
			"-Xmx2g allows a heap of 2Gi; limits.memory is 1Gi:",
			"the JVM grows the heap up to its own bound while objects stay in use.",
		]),
		"fix": concat(" ", [
			"set spec.containers[0].resources.limits.memory to 2560Mi (2Gi and room beside it),",
			"or lower -Xmx to 768m.",
		]),
	}}
}

test_fail_whoever_reads_it if {
	ask := object.union(_heap, {"text": "-Xmx2g in JAVA_OPTS", "variable": "JAVA_OPTS", "assumed": true})
	some finding in rule.report with input as _input([ask], _limit)
	endswith(finding.why, "stay in use. Whether what runs in this image reads JAVA_OPTS is not known.")
}

# What is taken at once is certain only where it is known that the variable is read.
test_fail_taken_by_whom if {
	ask := object.union(_heap, {"bytes": 1073741824, "variable": "JAVA_TOOL_OPTIONS", "taken": true, "assumed": true})
	some finding in rule.report with input as _input([ask], _limit)
	startswith(finding.reason, "OOMKilled, ")
	startswith(finding.what, "OOMKilled (exit code 137) as soon as it runs; ")
	contains(finding.why, "the program takes it all when it starts. Whether what runs")
}

# A JVM refuses a heap that begins larger than it may be.
test_fail_lowers_both if {
	some finding in rule.report with input as _input([object.union(_heap, {"start": 1073741824})], _limit)
	endswith(finding.fix, ", or lower -Xms and -Xmx to 768m.")
}

test_fail_kinds if {
	every kind in ["oldSpace", "data"] {
		count(rule.report) == 1 with input as _input([object.union(_heap, {"kind": kind})], _limit)
	}
}

test_pass_within if {
	count(rule.report) == 0 with input as _input([_heap], object.union(_limit, {"bytes": 2147483648, "text": "2Gi"}))
}

test_pass_no_limit if {
	count(rule.report) == 0 with input as _input([_heap], {"state": "absent"})
}

# A soft limit asks for nothing, and files are told of by memory-volume-exceeds-limit.
test_pass_other_kinds if {
	every kind in ["goLimit", "volume"] {
		count(rule.report) == 0 with input as _input([object.union(_heap, {"kind": kind})], _limit)
	}
}

# That is told by memory-demand-exceeds-limit.
test_pass_taken if {
	count(rule.report) == 0 with input as _input([_heap, object.union(_heap, {"taken": true})], _limit)
}
