package forestall.rules["startup-exceeds-progress-deadline_test"]

import data.forestall.rules["startup-exceeds-progress-deadline"] as rule

_input(probes) := {
	"workload": {"rollout": {"progressDeadlineSeconds": 600}, "outlastsDeadline": {"probes": probes}},
	"containers": [{
		"name": "web",
		"probes": {"startup": {"path": "c.startupProbe", "periodSeconds": 10, "failureThreshold": 60}},
	}],
}

test_fail_outlasts if {
	report := rule.report with input as _input([{"container": "web", "path": "c.startupProbe", "seconds": 600}])
	report == {{
		"rule": "startup-exceeds-progress-deadline",
		"cause": "startup-timing",
		"level": "audit",
		"certainty": "possible",
		"category": "probes",
		"failure": "ProgressDeadlineExceeded",
		"links": [
			"https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#progress-deadline-seconds",
			"https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/controller/deployment/util/deployment_util.go",
		],
		"container": "web",
		"path": "c.startupProbe",
		"reason": "ProgressDeadlineExceeded after 10 minutes, starting may take 10 minutes",
		"what": concat(" ", [
			"a start that takes longer than 10 minutes is reported as a failed roll-out: condition Progressing is False,",
			"ProgressDeadlineExceeded, and kubectl rollout status ends with an error.",
			"The pod goes on and may become Ready later.",
		]),
		"why": concat(" ", [
			"startupProbe allows 10 minutes (initialDelaySeconds 0 + periodSeconds 10 x failureThreshold 60);",
			"progressDeadlineSeconds is 600.",
		]),
		"fix": concat(" ", [
			"set spec.progressDeadlineSeconds: 900, or a smaller failureThreshold",
			"if starting never takes that long.",
		]),
		"suggestions": [{"op": "set", "path": "spec.progressDeadlineSeconds", "value": 900}],
	}}
}

# There is one deadline for all containers, and it has 32 bits.
test_fail_two_of_them if {
	probes := [{"path": "c.startupProbe", "seconds": 600}, {"path": "d.startupProbe", "seconds": 1200}]
	some finding in rule.report with input as _input(probes)
	[s.value | some s in finding.suggestions] == [1500]
	some endless in rule.report with input as _input([{"path": "c.startupProbe", "seconds": 21474836470}])
	[s.value | some s in endless.suggestions] == [2147483647]
}

test_pass_within if {
	count(rule.report) == 0 with input as _input([])
	count(rule.report) == 0 with input as {"workload": {"outlastsDeadline": {"state": "absent"}}}
}
