package forestall.rules["command-never-ends_test"]

import data.forestall.rules["command-never-ends"] as rule

_container := {
	"name": "work",
	"kind": "regular",
	"command": {"ends": {"state": "absent", "because": "sleep waits for ever"}},
	"completion": {
		"state": "present",
		"path": "spec.template.spec",
		"never": {"state": "present", "path": "spec.template.spec.containers[0].command"},
	},
}

_helper := {"name": "report", "kind": "regular", "completion": {"state": "present", "never": {"state": "unknown"}}}

_init := object.union(_container, {"kind": "init"})

_input(containers, kind, spec) := {
	"containers": containers,
	"workload": {"kind": kind},
	"object": {"spec": spec},
}

_finding(containers, kind, spec) := finding if some finding in rule.report with input as _input(containers, kind, spec)

test_fail_job if {
	report := rule.report with input as _input([_container], "Job", {})
	report == {{
		"rule": "command-never-ends",
		"level": "deny",
		"certainty": "certain",
		"category": "lifecycle",
		"failure": "Init:0/1 for ever, or a Job that never completes",
		"links": [
			"https://kubernetes.io/docs/concepts/workloads/pods/init-containers/",
			"https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/",
			"https://kubernetes.io/docs/concepts/workloads/controllers/job/",
		],
		"container": "work",
		"path": "spec.template.spec.containers[0].command",
		"reason": "the Job never completes, sleep waits for ever",
		"what": "kubectl shows the pod and the Job as Running, for ever.",
		"why": "sleep waits for ever, and a Job is complete only when each container of its pod has ended.",
		"fix": "let the command end; if it is to run on, make it a Deployment.",
	}}
}

test_fail_beside_another if {
	finding := _finding([_container, _helper], "Job", {})
	finding.what == "kubectl shows the pod as NotReady once \"report\" has ended, and the Job as Running, for ever."
	endswith(finding.fix, "it then runs beside \"report\" and is stopped when that has ended.")
}

test_fail_cron_job if {
	endswith(_finding([_container], "CronJob", {}).what, " Each run of the CronJob adds another one.")
	endswith(_finding([_container], "CronJob", {"concurrencyPolicy": "Forbid"}).what, " no other run ever begins.")
	endswith(_finding([_container], "CronJob", {"concurrencyPolicy": "Replace"}).what, " each run ends the one before it.")
}

test_fail_init if {
	finding := _finding([_init], "Deployment", {})
	finding.reason == "the pod stays in Init, sleep waits for ever"
	startswith(finding.what, "kubectl shows Init:0/1 or the like, for ever:")
}

test_fail_init_with_deadline if {
	container := json.patch(_init, [{"op": "add", "path": "/completion/deadlineSeconds", "value": 60}])
	finding := _finding([container], "Pod", {})
	startswith(finding.what, "kubectl shows Init:0/1 or the like until the deadline;")
}

test_pass_job_with_deadline if {
	count(rule.report) == 0 with input as _input([_container], "Job", {"activeDeadlineSeconds": 60})
	count(rule.report) == 0 with input as _input([_container], "CronJob", {"jobTemplate": {"spec": {"activeDeadlineSeconds": 60}}})
	container := json.patch(_container, [{"op": "add", "path": "/completion/deadlineSeconds", "value": 60}])
	count(rule.report) == 0 with input as _input([container], "Job", {})
	count(rule.report) == 0 with input as _input([container], "Job", {"activeDeadlineSeconds": 90})
}

test_pass_not_known_to_run_on if {
	every state in ["absent", "unknown"] {
		container := json.patch(_container, [{"op": "replace", "path": "/completion/never/state", "value": state}])
		count(rule.report) == 0 with input as _input([container], "Job", {})
	}
}
