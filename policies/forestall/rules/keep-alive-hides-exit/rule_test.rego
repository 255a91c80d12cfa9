package forestall.rules["keep-alive-hides-exit_test"]

import data.forestall.rules["keep-alive-hides-exit"] as rule

_container := {
	"name": "web",
	"kind": "regular",
	"ports": {"state": "present"},
	"probes": {"liveness": {"state": "absent"}, "readiness": {"state": "absent"}, "startup": {"state": "absent"}},
	"keepAlive": {
		"state": "present",
		"path": "spec.containers[0].command[2]",
		"waits": "tail -f /dev/null",
		"hides": "/app/server",
		"background": true,
		"deaf": true,
	},
}

_input(patches, cluster) := {
	"containers": [json.patch(_container, patches)],
	"workload": {"kind": "Deployment"},
	"cluster": cluster,
}

_without_ports := {"op": "replace", "path": "/ports/state", "value": "absent"}

_bare := [
	{"op": "remove", "path": "/keepAlive/hides"},
	{"op": "remove", "path": "/keepAlive/background"},
]

_finding(patches, cluster) := finding if some finding in rule.report with input as _input(patches, cluster)

test_fail_server_in_the_background if {
	report := rule.report with input as _input([], {})
	report == {{
		"rule": "keep-alive-hides-exit",
		"cause": "keep-alive",
		"level": "warn",
		"certainty": "likely",
		"category": "lifecycle",
		"failure": "Running and Ready while nothing serves",
		"links": [
			"https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#container-restarts",
			"https://man7.org/linux/man-pages/man7/pid_namespaces.7.html",
		],
		"container": "web",
		"path": "spec.containers[0].command[2]",
		"reason": "\"tail -f /dev/null\" hides the end of \"/app/server\"",
		"what": concat(" ", [
			"when the server ends, the pod stays Running and Ready: Services send requests to it, and it is never restarted.",
			"SIGTERM does nothing to it: each stop takes the whole grace period (30s by default), then SIGKILL (exit code 137).",
		]),
		"why": "the main process is \"tail -f /dev/null\", and the container declares ports.",
		"fix": "end the script with the server in the foreground: exec /app/server.",
	}}
}

test_fail_started_before if {
	finding := _finding([{"op": "remove", "path": "/keepAlive/background"}], {})
	finding.fix == "run the server in the foreground as the last command, with exec, and leave the waiting out."
}

test_fail_background_is_no_simple_command if {
	finding := _finding([{"op": "replace", "path": "/keepAlive/hides", "value": "(cd /app; ./run)"}], {})
	finding.fix == "run the server in the foreground as the last command, with exec, and leave the waiting out."
}

test_fail_readiness_probe if {
	finding := _finding([{"op": "replace", "path": "/probes/readiness/state", "value": "present"}], {})
	startswith(finding.what, "when the server ends, the pod stays Running but is not Ready,")
	endswith(finding.why, "and the container declares ports and it has a readiness probe.")
}

test_fail_behind_a_service if {
	finding := _finding([_without_ports], {"services": ["shop"]})
	endswith(finding.why, "and Service \"shop\" selects the pod.")
}

test_fail_only_waits if {
	finding := _finding(_bare, {})
	finding.reason == "the command only waits, \"tail -f /dev/null\", and serves nothing"
	startswith(finding.what, "kubectl shows Running and Ready, but nothing listens")
}

test_pass_only_waits_and_is_asked if {
	asked := array.concat(_bare, [{"op": "replace", "path": "/probes/readiness/state", "value": "present"}])
	count(rule.report) == 0 with input as _input(asked, {})
}

test_fail_hears_signals if {
	finding := _finding([{"op": "remove", "path": "/keepAlive/deaf"}], {})
	not contains(finding.what, "SIGTERM")
}

test_pass_toolbox if {
	count(rule.report) == 0 with input as _input([_without_ports], {})
}

test_pass_client_behind_a_service if {
	count(rule.report) == 0 with input as _input(array.concat(_bare, [_without_ports]), {"services": ["sleep"]})
}

test_pass_liveness_probe if {
	probed := [{"op": "replace", "path": "/probes/liveness/state", "value": "present"}]
	count(rule.report) == 0 with input as _input(probed, {})
}

test_pass_job if {
	doc := object.union(_input([], {}), {"workload": {"kind": "Job"}})
	count(rule.report) == 0 with input as doc
}

test_pass_not_known if {
	every state in ["absent", "unknown"] {
		count(rule.report) == 0 with input as _input([{"op": "replace", "path": "/keepAlive/state", "value": state}], {})
	}
}
