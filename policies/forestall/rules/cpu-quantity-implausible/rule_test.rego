package forestall.rules["cpu-quantity-implausible_test"]

import data.forestall.rules["cpu-quantity-implausible"] as rule

_request := {
	"state": "present",
	"path": "spec.containers[0].resources.requests.cpu",
	"cores": 1000,
	"text": "1000",
	"binary": false,
	"instead": "1000m",
}

_input(request) := {
	"workload": {"kind": "Pod"},
	"containers": [{"name": "web", "kind": "regular", "cpu": {"request": request}}],
	"params": {"cpu-quantity-implausible": {"cores": 1000}},
}

test_fail_whole_cores if {
	report := rule.report with input as _input(_request)
	report == {{
		"rule": "cpu-quantity-implausible",
		"cause": "cpu-request",
		"level": "deny",
		"certainty": "certain",
		"category": "cpu",
		"failure": "Pending (FailedScheduling, Insufficient cpu)",
		"links": [
			"https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#meaning-of-cpu",
			concat("", [
				"https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/",
				"#my-pods-are-pending-with-event-message-failedscheduling",
			]),
		],
		"container": "web",
		"path": "spec.containers[0].resources.requests.cpu",
		"reason": "Pending, requests.cpu 1000 is more than any node has",
		"what": concat(" ", [
			"the pod stays Pending: FailedScheduling, Insufficient cpu. No autoscaler finds a machine for it either.",
			"The pod as a whole is not Ready: Services leave it out.",
		]),
		"why": "requests.cpu is 1000, in whole cores; the scheduler needs a node with as much.",
		"fix": "set spec.containers[0].resources.requests.cpu to 1000m (thousandths of a core), if that is what was meant.",
		"suggestions": [{"op": "set", "path": "spec.containers[0].resources.requests.cpu", "value": "1000m"}],
	}}
}

test_fail_suffix_of_memory if {
	some finding in rule.report with input as _input(object.union(_request, {
		"text": "100Mi",
		"binary": true,
		"cores": 104857600,
		"instead": "100m",
	}))
	finding.why == concat(" ", [
		"requests.cpu is 100Mi, which has a suffix of memory and makes 104857600 cores;",
		"the scheduler needs a node with as much.",
	])
}

test_fail_limit_is_the_request if {
	limit := object.union(_request, {"path": "spec.containers[0].resources.limits.cpu"})
	some finding in rule.report with input as _input(limit)
	finding.why == concat(" ", [
		"limits.cpu is 1000, in whole cores;",
		"no requests.cpu is written, so limits.cpu is the request.",
	])
}

test_fail_both_have_to_change if {
	request := object.union(_request, {"also": "spec.containers[0].resources.limits.cpu"})
	some finding in rule.report with input as _input(request)
	startswith(finding.fix, concat(" ", [
		"set spec.containers[0].resources.requests.cpu and spec.containers[0].resources.limits.cpu",
		"to 1000m",
	]))
}

test_fail_nothing_to_suggest if {
	some finding in rule.report with input as _input(object.remove(_request, ["instead"]))
	finding.fix == concat(" ", [
		"set spec.containers[0].resources.requests.cpu to what the container needs:",
		"500m is half a core, 2 are two cores.",
	])
}

test_pass_virtual_node if {
	seen := object.union(_input(_request), {"pod": {"virtualNode": {"state": "present"}}})
	count(rule.report) == 0 with input as seen
}

test_pass_a_very_large_node if {
	count(rule.report) == 0 with input as _input(object.union(_request, {"cores": 999}))
}
