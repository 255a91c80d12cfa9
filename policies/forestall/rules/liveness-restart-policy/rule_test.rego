package forestall.rules["liveness-restart-policy_test"]

import data.forestall.rules["liveness-restart-policy"] as rule

_container := {
	"name": "web",
	"kind": "regular",
	"restartPolicy": "OnFailure",
	"restartAlways": {"state": "absent", "path": "spec.restartPolicy"},
	"ports": {"state": "present"},
	"probes": {
		"liveness": {"state": "present", "handler": "httpGet", "path": "spec.containers[0].livenessProbe"},
		"readiness": {"state": "absent"},
	},
}

_bare_pod := {"kind": "Pod", "bare": true, "specPath": "spec"}

_input(container, workload) := {"containers": [container], "workload": workload, "cluster": {}}

_without_ports := json.patch(_container, [{"op": "replace", "path": "/ports/state", "value": "absent"}])

test_fail_on_failure_bare_pod if {
	report := rule.report with input as _input(_container, _bare_pod)
	report == {{
		"rule": "liveness-restart-policy",
		"cause": "liveness",
		"level": "warn",
		"certainty": "likely",
		"category": "probes",
		"failure": "the pod ends as Succeeded or Failed, and nothing restarts it",
		"links": [
			"https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/",
			"https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy",
		],
		"container": "web",
		"path": "spec.containers[0].livenessProbe",
		"reason": "a liveness failure can end the pod as Succeeded, restartPolicy is OnFailure",
		"what": concat(" ", [
			"a failure stops the container with SIGTERM; a process that then exits 0 is recorded as Completed.",
			"Once back-off delays a restart, the pod ends as Succeeded and nothing starts it again.",
		]),
		"why": concat(" ", [
			"container \"web\" has a liveness probe, its restartPolicy is OnFailure,",
			"and it declares ports and no controller replaces the pod.",
		]),
		"fix": concat(" ", [
			"set spec.restartPolicy: Always and create the pod anew (the field cannot change),",
			"or use a Deployment.",
		]),
	}}
}

test_fail_never if {
	container := json.patch(_container, [{"op": "replace", "path": "/restartPolicy", "value": "Never"}])
	some finding in rule.report with input as _input(container, _bare_pod)
	finding.reason == "the first liveness failure ends the container for good, restartPolicy is Never"
}

test_fail_job_that_serves if {
	served := {"cluster": {"services": ["shop"]}}
	some finding in rule.report with input as object.union(_input(_container, {"kind": "Job", "bare": false}), served)
	finding.fix == concat(" ", [
		"a Job accepts no restartPolicy: Always. If it is to end, remove the livenessProbe and set",
		"activeDeadlineSeconds; if it is to serve, make it a Deployment.",
	])
}

test_fail_selected_by_a_service if {
	doc := object.union(_input(_without_ports, {"kind": "Job", "bare": false}), {"cluster": {"services": ["shop"]}})
	some finding in rule.report with input as doc
	endswith(finding.why, "and Service \"shop\" selects the pod.")
}

# A Job starts another pod, as does whatever else has pods that may end.
test_pass_task if {
	count(rule.report) == 0 with input as _input(_container, {"kind": "Job", "bare": false})
	count(rule.report) == 0 with input as _input(_container, {"kind": "Pod", "bare": false})
	count(rule.report) == 0 with input as _input(_without_ports, _bare_pod)
}

test_pass_switched_off if {
	container := json.patch(_container, [{"op": "add", "path": "/probes/liveness/patience", "value": {"endless": true}}])
	count(rule.report) == 0 with input as _input(container, _bare_pod)
}

# It may be a task with a port for metrics: only a person can tell.
test_pass_always if {
	container := json.patch(_container, [{"op": "replace", "path": "/restartAlways/state", "value": "present"}])
	count(rule.report) == 0 with input as _input(container, _bare_pod)
}

test_pass_without_liveness_probe if {
	container := json.patch(_container, [{"op": "replace", "path": "/probes/liveness/state", "value": "absent"}])
	count(rule.report) == 0 with input as _input(container, _bare_pod)
}

test_pass_liveness_that_never_fails if {
	container := json.patch(_container, [{"op": "add", "path": "/probes/liveness/target", "value": {"state": "absent"}}])
	count(rule.report) == 0 with input as _input(container, _bare_pod)
}

# A Rollout accepts Always alone, as a Deployment does; what is like a Job accepts the others.
test_custom_kinds if {
	count(rule.report) == 0 with input as _input(_container, {"kind": "Rollout", "like": "Deployment", "bare": false})
	job := _input(_container, {"kind": "ScaledJob", "like": "Job", "bare": false})
	count(rule.report) == 1 with input as object.union(job, {"cluster": {"services": ["shop"]}})
}
