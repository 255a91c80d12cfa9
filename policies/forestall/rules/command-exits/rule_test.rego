package forestall.rules["command-exits_test"]

import data.forestall.rules["command-exits"] as rule

_container := {
	"name": "task",
	"kind": "regular",
	"restartAlways": {"state": "present", "path": "spec.restartPolicy"},
	"command": {"ends": {
		"state": "present",
		"afterSeconds": 0,
		"exitCode": 0,
		"because": "echo prints its arguments and ends",
		"path": "spec.containers[0].command",
	}},
}

_input(containers) := {"containers": containers, "workload": {"kind": "Deployment", "bare": false}}

_changed(path, value) := json.patch(_container, [{"op": "add", "path": path, "value": value}])

_fix(containers) := {finding.fix | some finding in rule.report with input as _input(containers)}

test_fail_known_to_end if {
	report := rule.report with input as _input([_container])
	report == {{
		"rule": "command-exits",
		"cause": "lifetime",
		"level": "deny",
		"certainty": "certain",
		"category": "lifecycle",
		"failure": "CrashLoopBackOff",
		"links": [
			"https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy",
			"https://kubernetes.io/docs/concepts/workloads/controllers/job/",
		],
		"container": "task",
		"path": "spec.containers[0].command",
		"reason": "CrashLoopBackOff with exit code 0, echo prints its arguments and ends",
		"what": concat(" ", [
			"kubectl shows Completed (exit code 0) or CrashLoopBackOff: it is started again at once, then after 10s, 20s, 40s,",
			"up to 5m, without end. Between the starts the pod as a whole is not Ready: Services leave it out.",
		]),
		"why": "echo prints its arguments and ends, and restartPolicy is Always.",
		"fix": concat(" ", [
			"make it a Job (restartPolicy: OnFailure) if it is to run once;",
			"if it is to serve, run a server in the foreground.",
		]),
	}}
}

test_fail_exit_code_unknown if {
	container := json.remove(_container, ["/command/ends/exitCode"])
	some finding in rule.report with input as _input([container])
	finding.reason == "CrashLoopBackOff, echo prints its arguments and ends"
	startswith(finding.what, "kubectl shows Completed, Error or CrashLoopBackOff:")
}

test_fail_exit_code_one if {
	some finding in rule.report with input as _input([_changed("/command/ends/exitCode", 1)])
	finding.reason == "CrashLoopBackOff with exit code 1, echo prints its arguments and ends"
	startswith(finding.what, "kubectl shows Error (exit code 1) or CrashLoopBackOff:")
}

test_fail_beside_others if {
	server := {
		"name": "web",
		"kind": "regular",
		"restartAlways": {"state": "present"},
		"command": {"ends": {"state": "unknown"}},
	}
	_fix([_container, server]) == {concat(" ", [
		"if it must run before \"web\", move it to initContainers;",
		"otherwise give it a Job of its own.",
	])}
}

test_fail_sidecar if {
	_fix([_changed("/kind", "sidecar")]) == {concat(" ", [
		"remove restartPolicy: Always from this init container,",
		"so that it runs once before the others.",
	])}
}

test_fail_base_image if {
	command := json.patch(_container.command, [
		{"op": "add", "path": "/program", "value": "sh"},
		{"op": "add", "path": "/argv", "value": {"state": "absent"}},
	])
	_fix([_changed("/command", command)]) == {concat(" ", [
		"give it the command that it is there for,",
		`or command: ["tail", "-f", "/dev/null"] if it is only a place to look around in.`,
	])}
}

test_fail_old_sleep if {
	_fix([_changed("/command/ends/rejects", "infinity")]) == {concat(" ", [
		"write tail -f /dev/null in its place,",
		"or take a newer image (busybox 1.31, alpine 3.11).",
	])}
}

test_fail_background if {
	some finding in rule.report with input as _input([_changed("/command/ends/background", true)])
	endswith(finding.what, "What runs in the background is killed each time the script ends.")
	startswith(finding.fix, `leave out the "&" at the end,`)
}

test_pass_not_always if {
	every state in ["absent", "unknown"] {
		count(rule.report) == 0 with input as _input([_changed("/restartAlways/state", state)])
	}
}

test_pass_runs_or_unknown if {
	every state in ["absent", "unknown"] {
		count(rule.report) == 0 with input as _input([_changed("/command/ends/state", state)])
	}
}

test_pass_waits_ten_minutes if {
	count(rule.report) == 0 with input as _input([_changed("/command/ends/afterSeconds", 600)])
}

test_pass_sidecar_goes_with_main_containers_that_end if {
	sidecar := _changed("/kind", "sidecar")
	every policy in ["Never", "OnFailure"] {
		main := {"name": "report", "kind": "regular", "restartPolicy": policy, "restartAlways": {"state": "absent"}}
		count(rule.report) == 0 with input as _input([sidecar, main])
	}
}

test_pass_only_waits if {
	ends := object.union(_container.command.ends, {"afterSeconds": 30, "onlyWaits": true})
	count(rule.report) == 0 with input as _input([_changed("/command/ends", ends)])
}
