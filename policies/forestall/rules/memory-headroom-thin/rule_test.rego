package forestall.rules["memory-headroom-thin_test"]

import data.forestall.rules["memory-headroom-thin"] as rule

_mi := 1048576

_ask(kind, mebis) := {
	"kind": kind,
	"bytes": mebis * _mi,
	"text": "-Xmx2g",
	"flag": "-Xmx",
	"path": "spec.containers[0].args[1]",
	"taken": false,
	"assumed": false,
}

_limit(mebis) := {
	"state": "present",
	"path": "spec.containers[0].resources.limits.memory",
	"bytes": mebis * _mi,
	"text": sprintf("%dMi", [mebis]),
	"from": "container",
}

_input(asks, mebis) := {
	"containers": [{
		"name": "api",
		"restartPolicy": "Always",
		"memory": {"limit": _limit(mebis), "demand": {"state": "present", "asks": asks}},
	}],
	"params": {"memory-headroom-thin": {"fullPercent": 90}},
}

test_fail_heap_fills_limit if {
	report := rule.report with input as _input([_ask("heap", 2048)], 2048)
	report == {{
		"rule": "memory-headroom-thin",
		"cause": "memory-demand",
		"level": "warn",
		"certainty": "likely",
		"category": "memory",
		"failure": "OOMKilled",
		"links": [
			"https://eclipse.dev/openj9/docs/xxusecontainersupport/",
			"https://go.dev/doc/gc-guide#Memory_limit",
			"https://redis.io/docs/latest/operate/oss_and_stack/management/optimization/memory-optimization/",
		],
		"container": "api",
		"path": "spec.containers[0].args[1]",
		"reason": "OOMKilled under load, -Xmx2g leaves no room below limits.memory 2048Mi",
		"what": concat(" ", [
			"OOMKilled (exit code 137) when the program uses what it may use, often only after hours or days;",
			"it is started again, and the same can follow.",
		]),
		"why": concat(" ", [
			"-Xmx2g allows a heap of 2Gi; limits.memory is 2048Mi:",
			"nothing is left for metaspace, threads, code cache and direct buffers.",
		]),
		"fix": concat(" ", [
			"set spec.containers[0].resources.limits.memory to 2560Mi (2Gi and room beside it),",
			"or lower -Xmx to 1536m.",
		]),
	}}
}

test_fail_thin if {
	every mebis, ask in {
		520: _ask("heap", 512),
		120: _ask("heap", 100),
		1000: _ask("oldSpace", 950),
		80: _ask("oldSpace", 65),
		16: object.union(_ask("workers", 15), {"taken": true}),
		1024: _ask("data", 1024),
		512: _ask("goLimit", 512),
		256: _ask("goLimit", 512),
		2048: object.union(_ask("heap", 2048), {"percent": 100}),
	} {
		count(rule.report) == 1 with input as _input([ask], mebis)
	}
}

test_fail_percent_says_75 if {
	ask := object.union(_ask("heap", 1024), {"percent": 100, "flag": "-XX:MaxRAMPercentage"})
	some finding in rule.report with input as _input([ask], 1024)
	finding.fix == concat(" ", [
		"lower -XX:MaxRAMPercentage to 75, or raise spec.containers[0].resources.limits.memory",
		"so that a quarter of it is enough for the rest.",
	])
}

test_fail_fraction_says_percentage if {
	ask := object.union(_ask("heap", 1024), {"percent": 100, "flag": "-XX:MaxRAMFraction", "text": "-XX:MaxRAMFraction=1"})
	some finding in rule.report with input as _input([ask], 1024)
	finding.fix == "write -XX:MaxRAMPercentage=75 in the place of -XX:MaxRAMFraction=1 (Java 10, or 8u191, and later)."
}

test_pass_room if {
	every mebis, ask in {
		2560: _ask("heap", 1536),
		7629: _ask("heap", 6144),
		4096: _ask("oldSpace", 3072),
		7168: _ask("data", 6144),
		513: _ask("goLimit", 512),
		81: _ask("oldSpace", 65),
		17: object.union(_ask("workers", 15), {"taken": true}),
		64: object.union(_ask("heap", 48), {"percent": 75}),
		2000: _ask("volume", 2000),
	} {
		count(rule.report) == 0 with input as _input([ask], mebis)
	}
}

# What exceeds the limit is told by memory-demand-exceeds-limit and memory-ceiling-exceeds-limit.
test_pass_exceeds if {
	count(rule.report) == 0 with input as _input([_ask("heap", 2048), _ask("goLimit", 1024)], 1024)
}

# A volume in memory is another cause.
test_fail_beside_volume if {
	count(rule.report) == 1 with input as _input([_ask("volume", 4096), _ask("heap", 1000)], 1024)
}
