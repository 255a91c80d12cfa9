package forestall.rules["cpu-quantity-suspicious_test"]

import data.forestall.rules["cpu-quantity-suspicious"] as rule

_input(cores) := {
	"containers": [{"name": "worker", "cpu": {"request": {
		"state": "present",
		"path": "spec.containers[0].resources.requests.cpu",
		"cores": cores,
		"text": sprintf("%d", [cores]),
		"binary": false,
		"instead": sprintf("%dm", [cores]),
	}}}],
	"params": {"cpu-quantity-implausible": {"cores": 1000}, "cpu-quantity-suspicious": {"cores": 100}},
}

test_fail_hundreds if {
	report := rule.report with input as _input(200)
	report == {{
		"rule": "cpu-quantity-suspicious",
		"cause": "cpu-request",
		"level": "warn",
		"certainty": "likely",
		"category": "cpu",
		"failure": "Pending (FailedScheduling, Insufficient cpu)",
		"links": ["https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#meaning-of-cpu"],
		"container": "worker",
		"path": "spec.containers[0].resources.requests.cpu",
		"reason": "Pending unless a node has 200 cores",
		"what": concat(" ", [
			"the pod stays Pending (FailedScheduling, Insufficient cpu) where no node has 200 cores to spare,",
			"and where one has, it keeps them from everybody else.",
		]),
		"why": "requests.cpu is 200, in whole cores; the scheduler needs a node with as much.",
		"fix": "set spec.containers[0].resources.requests.cpu to 200m (thousandths of a core), if that is what was meant.",
	}}
}

test_pass_told_by_the_other_rule if {
	count(rule.report) == 0 with input as _input(1000)
}

test_pass_ordinary if {
	count(rule.report) == 0 with input as _input(99)
	count(rule.report) == 0 with input as {"containers": [{"name": "worker", "cpu": {"request": {"state": "absent"}}}]}
}
