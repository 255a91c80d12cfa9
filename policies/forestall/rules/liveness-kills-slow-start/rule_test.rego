package forestall.rules["liveness-kills-slow-start_test"]

import data.forestall.rules["liveness-kills-slow-start"] as rule

_container(liveness) := {
	"name": "web",
	"path": "c",
	"restartPolicy": "Always",
	"restartAlways": {"state": "present"},
	"probes": {
		"duringStart": {"state": "present"},
		"liveness": object.union(
			{"path": "c.livenessProbe", "handler": "httpGet", "target": {"state": "present"}, "timeoutSeconds": 1},
			liveness,
		),
	},
}

_quick := {"periodSeconds": 3, "failureThreshold": 3, "patience": {"atLeastSeconds": 6, "atMostSeconds": 9}}

_one := {
	"initialDelaySeconds": 30,
	"periodSeconds": 10,
	"failureThreshold": 1,
	"patience": {"atLeastSeconds": 30, "atMostSeconds": 40},
}

_input(containers) := {"containers": containers, "params": {"liveness-kills-slow-start": {"seconds": 10}}}

_count(container) := n if {
	n := count(rule.report) with input as _input([container])
}

_pod := {"spec": {"containers": [
	{"name": "web", "livenessProbe": {"httpGet": {"path": "/ok", "port": 80, "scheme": "HTTP"}, "periodSeconds": 3}},
	{"name": "other", "livenessProbe": {"exec": {"command": ["true"]}}},
]}}

test_fail_few_seconds if {
	report := rule.report with input as object.union(_input([_container(_quick)]), {"pod": _pod})
	report == {{
		"rule": "liveness-kills-slow-start",
		"cause": "liveness-timing",
		"level": "warn",
		"certainty": "likely",
		"category": "probes",
		"failure": "CrashLoopBackOff",
		"links": [
			"https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/",
			"https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/prober/worker.go",
		],
		"container": "web",
		"path": "c.livenessProbe",
		"reason": "killed unless it answers within 9s of its start",
		"what": concat(" ", [
			"the kubelet stops the container between 6s and 9s after its start unless liveness passes:",
			"it is started again at once, then after 10s, 20s, 40s, up to 5m (CrashLoopBackOff), without end.",
		]),
		"why": "initialDelaySeconds 0, periodSeconds 3, failureThreshold 3, timeoutSeconds 1, and no startupProbe.",
		"fix": concat(" ", [
			"add a startupProbe with the same httpGet and failureThreshold: 30, periodSeconds: 5.",
			"Starting may then take 150s, and liveness begins when it is done.",
		]),
		"suggestions": [{
			"op": "add",
			"path": "c.startupProbe",
			"value": {"httpGet": {"path": "/ok", "port": 80}, "failureThreshold": 30, "periodSeconds": 5},
		}],
	}}
}

test_fail_answers_slowly if {
	container := json.patch(_container(_quick), [{"op": "replace", "path": "/probes/liveness/timeoutSeconds", "value": 7}])
	some finding in rule.report with input as object.union(_input([container]), {"pod": _pod})
	contains(finding.fix, "failureThreshold: 30, periodSeconds: 5, timeoutSeconds: 7. Starting may then take 150s")
	finding.suggestions[0].value.timeoutSeconds == 7
}

test_fail_sidecar if {
	container := object.union(_container(_quick), {"kind": "sidecar"})
	some finding in rule.report with input as object.union(_input([container]), {"pod": _pod})
	finding.fix == concat(" ", [
		"set initialDelaySeconds: 60 in c.livenessProbe;",
		"a startupProbe would hold up the containers after \"web\".",
	])
	count(finding.suggestions) == 0
}

test_fail_one_slow_answer if {
	some finding in rule.report with input as _input([_container(_one)])
	finding.reason == "one liveness probe slower than 1s restarts it"
	finding.suggestions == [
		{"op": "set", "path": "c.livenessProbe.failureThreshold", "value": 3},
		{"op": "set", "path": "c.livenessProbe.timeoutSeconds", "value": 5},
	]
}

test_fail_not_restarted if {
	container := object.union(_container(_quick), {"restartPolicy": "Never", "restartAlways": {"state": "absent"}})
	some finding in rule.report with input as _input([container])
	endswith(finding.what, concat(" ", [
		"unless liveness passes: if it exits 0 on SIGTERM it counts as Completed;",
		"otherwise the pod fails (restartPolicy Never), and its controller creates others that fail, without end.",
	]))
}

test_pass_more_time if {
	_count(_container(object.union(_quick, {"patience": {"atLeastSeconds": 8, "atMostSeconds": 11}}))) == 0
	_count(_container(object.union(_one, {"timeoutSeconds": 2}))) == 0
}

test_pass_held_back if {
	every state in ["absent", "unknown"] {
		_count(object.union(_container(_quick), {"probes": {"duringStart": {"state": state}}})) == 0
	}
}

test_pass_never_fails if {
	_count(_container(object.union(_quick, {"target": {"state": "absent"}}))) == 0
}
