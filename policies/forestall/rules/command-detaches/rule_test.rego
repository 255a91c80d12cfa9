package forestall.rules["command-detaches_test"]

import data.forestall.rules["command-detaches"] as rule

_container := {
	"name": "web",
	"kind": "regular",
	"restartAlways": {"state": "present", "path": "spec.restartPolicy"},
	"command": {"detaches": {
		"state": "present",
		"because": "nginx puts itself in the background and ends",
		"config": "/etc/nginx/nginx.conf",
		"instead": "run nginx -g 'daemon off;'",
		"path": "spec.template.spec.containers[0].command",
	}},
}

_input(containers) := {"containers": containers, "cluster": {}, "workload": {"kind": "Deployment", "bare": false}}

_changed(path, value) := json.patch(_container, [{"op": "add", "path": path, "value": value}])

test_fail_background if {
	report := rule.report with input as _input([_container])
	report == {{
		"rule": "command-detaches",
		"cause": "lifetime",
		"level": "warn",
		"certainty": "likely",
		"category": "lifecycle",
		"failure": "Completed, then CrashLoopBackOff",
		"links": [
			"https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy",
			"https://man7.org/linux/man-pages/man7/pid_namespaces.7.html",
		],
		"container": "web",
		"path": "spec.template.spec.containers[0].command",
		"reason": "restarted again and again, nginx puts itself in the background and ends",
		"what": concat(" ", [
			"kubectl shows Completed (exit code 0) or CrashLoopBackOff: the container ends with its first process, and what",
			"runs in the background is killed; it is started again at once, then after 10s, 20s, 40s, up to 5m, without end.",
			"Between the starts the pod as a whole is not Ready: Services leave it out.",
		]),
		"why": concat(" ", [
			"nginx puts itself in the background and ends, and restartPolicy is Always.",
			"Only /etc/nginx/nginx.conf in the image could keep it in the foreground.",
		]),
		"fix": "keep it in the foreground: run nginx -g 'daemon off;'.",
	}}
}

test_fail_without_configuration if {
	some finding in rule.report with input as _input([json.remove(_container, ["/command/detaches/config"])])
	finding.why == "nginx puts itself in the background and ends, and restartPolicy is Always."
}

test_pass_not_always if {
	every state in ["absent", "unknown"] {
		count(rule.report) == 0 with input as _input([_changed("/restartAlways/state", state)])
	}
}

test_pass_stays_or_unknown if {
	every state in ["absent", "unknown"] {
		count(rule.report) == 0 with input as _input([_changed("/command/detaches/state", state)])
	}
}

test_pass_waits_ten_minutes if {
	count(rule.report) == 0 with input as _input([_changed("/command/detaches/afterSeconds", 600)])
}
