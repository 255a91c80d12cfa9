package forestall.rules["probe-always-fails_test"]

import data.forestall.rules["probe-always-fails"] as rule

_passes := {"state": "present", "fails": {"state": "unknown"}}

_fails := {
	"state": "present",
	"path": "c.exec",
	"timeoutSeconds": 1,
	"patience": {"atMostSeconds": 30},
	"fails": {"state": "present", "path": "c.exec.command", "exitCode": 1, "because": "false fails and ends"},
}

_probes := {"startup": _passes, "readiness": _passes, "liveness": _passes}

_report(probes, workload) := report if {
	report := rule.report with input as {"workload": workload, "cluster": {}, "containers": [{
		"name": "web",
		"kind": "regular",
		"restartPolicy": "Always",
		"restartAlways": {"state": "present"},
		"probes": object.union(_probes, probes),
	}]}
}

_pod := {"kind": "Pod", "bare": true}

_finding(fields) := object.union(fields, {
	"rule": "probe-always-fails",
	"cause": "probe-command",
	"level": "deny",
	"certainty": "certain",
	"category": "probes",
	"failure": "never Ready, or restarted for ever",
	"links": [
		"https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/",
		"https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/probe/exec/exec.go",
	],
	"container": "web",
	"path": "c.exec.command",
})

test_fail_readiness if {
	_report({"readiness": _fails}, _pod) == {_finding({
		"reason": "never Ready, readinessProbe always fails: false fails and ends",
		"what": concat(" ", [
			"each probe fails; event Unhealthy: Readiness probe failed.",
			"The pod as a whole is not Ready: Services leave it out.",
		]),
		"why": "the command of readinessProbe ends with exit code 1 each time: false fails and ends.",
		"fix": "let it end with exit code 0 while \"web\" is well (cat /tmp/ready), or remove the readinessProbe.",
	})}
}

test_fail_liveness_that_never_ends if {
	endless := object.union(object.remove(_fails, ["fails"]), {"fails": {
		"state": "present", "path": "c.exec.command", "never": true, "because": "tail follows its files, without end",
	}})
	_report({"liveness": endless}, _pod) == {_finding({
		"reason": "restarted for ever, livenessProbe always fails: tail follows its files, without end",
		"what": concat(" ", [
			"each probe fails; event Unhealthy: Liveness probe failed. After about 30s the kubelet stops the",
			"container: it is started again at once, then after 10s, 20s, 40s, up to 5m (CrashLoopBackOff), without end.",
		]),
		"why": concat(" ", [
			"the command of livenessProbe never ends, and each probe fails after timeoutSeconds (1s):",
			"tail follows its files, without end.",
		]),
		"fix": "let it end with exit code 0 while \"web\" is well (cat /tmp/ready), or remove the livenessProbe.",
	})}
}

test_pass if {
	_report({}, _pod) == set()
	_report({"readiness": _fails}, {"kind": "Job"}) == set()
	_report({"liveness": object.union(_fails, {"patience": {"endless": true}})}, _pod) == set()
}
