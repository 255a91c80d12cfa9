package forestall.rules["command-exits-late_test"]

import data.forestall.rules["command-exits-late"] as rule

_container := {
	"name": "dnsutils",
	"kind": "regular",
	"restartAlways": {"state": "present", "path": "spec.restartPolicy"},
	"command": {"ends": {
		"state": "present",
		"afterSeconds": 3600,
		"exitCode": 0,
		"because": "sleep waits 3600 seconds and ends",
		"path": "spec.containers[0].command",
	}},
}

_input(container) := {"containers": [container], "workload": {"kind": "Pod", "bare": true}}

_changed(path, value) := json.patch(_container, [{"op": "add", "path": path, "value": value}])

test_fail_ends_after_an_hour if {
	report := rule.report with input as _input(_container)
	report == {{
		"rule": "command-exits-late",
		"cause": "lifetime",
		"level": "warn",
		"certainty": "likely",
		"category": "lifecycle",
		"failure": "Completed",
		"links": ["https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy"],
		"container": "dnsutils",
		"path": "spec.containers[0].command",
		"reason": "restarted again and again, sleep waits 3600 seconds and ends",
		"what": concat(" ", [
			"kubectl shows Running, and RESTARTS grows by one about every 60 minutes (Last State: exit code 0).",
			"Each time what goes on in the container is cut off (kubectl exec, requests), and its files are gone.",
		]),
		"why": "sleep waits 3600 seconds and ends, and restartPolicy is Always.",
		"fix": concat(" ", [
			`to keep it running, write command: ["tail", "-f", "/dev/null"];`,
			"to do its work again and again, make it a CronJob.",
		]),
	}}
}

test_fail_exit_code_unknown if {
	container := json.remove(_container, ["/command/ends/exitCode"])
	some finding in rule.report with input as _input(container)
	startswith(finding.what, "kubectl shows Running, and RESTARTS grows by one about every 60 minutes. Each time")
}

test_pass_not_always if {
	every state in ["absent", "unknown"] {
		count(rule.report) == 0 with input as _input(_changed("/restartAlways/state", state))
	}
}

test_pass_runs_or_unknown if {
	every state in ["absent", "unknown"] {
		count(rule.report) == 0 with input as _input(_changed("/command/ends/state", state))
	}
}

test_pass_ends_sooner if {
	count(rule.report) == 0 with input as _input(_changed("/command/ends/afterSeconds", 599))
}

test_fail_does_nothing_but_wait if {
	waits := object.union(
		_container.command.ends,
		{"afterSeconds": 30, "onlyWaits": true, "because": "sleep waits 30 seconds and ends"},
	)
	some found in rule.report with input as _input(_changed("/command/ends", waits))
	found.what == concat(" ", [
		"kubectl shows Running, then Completed (exit code 0) or CrashLoopBackOff, and RESTARTS grows: it is started again",
		"at once, then after 10s, 20s, 40s, up to 5m, without end. It does nothing but wait, so nothing else is lost.",
	])
	found.fix == concat(" ", [
		`to keep it running, write command: ["tail", "-f", "/dev/null"];`,
		"if it is to live for this while only, set restartPolicy: Never.",
	])
}
