package forestall.rules["memory-quantity-milli_test"]

import data.forestall.rules["memory-quantity-milli"] as rule

_path := "spec.containers[0].resources.limits.memory"

_container(text, bytes) := {
	"name": "web",
	"memory": {
		"limit": {"state": "present", "path": _path, "text": text, "bytes": bytes, "from": "container"},
		"unit": {
			"state": "present",
			"milli": true,
			"exact": _exact(text),
			"instead": _mebi(text),
			"bytes": _mebibytes(text) * 1048576,
		},
	},
}

_exact(text) := sprintf("%v", [_mebibytes(text) / 1000])

_input(containers) := {
	"request": {"operation": "AUDIT"},
	"containers": containers,
	"params": {
		"memory-quantity-milli": {"largest": {"text": "65535", "bytes": 65535}},
		"memory-limit-below-floor": {"floor": {"text": "2Mi", "bytes": 2097152}},
	},
}

_mebi(text) := concat("", [trim_suffix(text, "m"), "Mi"])

_mebibytes(text) := to_number(trim_suffix(text, "m"))

test_fail_milli if {
	report := rule.report with input as _input([_container("128m", 1)])
	report == {{
		"rule": "memory-quantity-milli",
		"cause": "memory-limit",
		"level": "deny",
		"certainty": "certain",
		"category": "memory",
		"failure": "ContainerCreating (FailedMount, FailedCreatePodSandBox) or RunContainerError",
		"links": ["https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#meaning-of-memory"],
		"container": "web",
		"path": _path,
		"reason": "the container cannot start, limits.memory 128m is 0.128 bytes",
		"what": concat(" ", [
			"the pod stays in ContainerCreating, and kubectl describe shows FailedMount (no space left on device)",
			"or FailedCreatePodSandBox: the limit bounds the sandbox and the token volume too.",
		]),
		"why": "the suffix m means thousandths: limits.memory 128m is 0.128 bytes, and every process needs more.",
		"fix": "set spec.containers[0].resources.limits.memory to 128Mi, and write requests.memory with Mi too.",
		"suggestions": [{"op": "set", "path": _path, "value": "128Mi"}],
	}}
}

_suggested(text) := [s.op | some s in suggestions] if {
	container := _container("128m", 1)
	memory := object.union(container.memory, {"request": {"path": "r", "text": text}})
	report := rule.report with input as _input([object.union(container, {"memory": memory})])
	some finding in report
	suggestions := finding.suggestions
}

test_the_same_request_is_changed_too if {
	_suggested("128m") == ["set", "update"]
	_suggested("64m") == ["set"]
}

# 1Mi is no limit to advise.
test_fail_too_little_either_way if {
	some finding in rule.report with input as _input([_container("1m", 1)])
	finding.fix == concat(" ", [
		"set spec.containers[0].resources.limits.memory to what the program uses at its peak plus a quarter:",
		"64Mi to begin with; and write requests.memory with Mi too.",
	])
	not finding.suggestions
}

test_fail_beside_others if {
	other := {"name": "b", "memory": {"limit": {"state": "absent"}, "unit": {"state": "absent"}}}
	containers := [_container("128m", 1), other]
	some finding in rule.report with input as _input(containers)
	startswith(finding.what, "kubectl shows RunContainerError")
}

test_pass_exact_bytes if {
	count(rule.report) == 0 with input as _input([_container("8388608000m", 8388608)])
}

test_pass_other_unit if {
	container := json.patch(_container("1m", 1048576), [{"op": "replace", "path": "/memory/unit/milli", "value": false}])
	count(rule.report) == 0 with input as _input([container])
}
