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

_input(containers, kind, workload) := {
	"containers": containers,
	"workload": object.union({"kind": kind}, workload),
	"cluster": {},
}

_finding(containers, kind, workload) := finding if {
	some finding in rule.report with input as _input(containers, kind, workload)
}

test_fail_job if {
	report := rule.report with input as _input([_container], "Job", {})
	report == {{
		"rule": "command-never-ends",
		"cause": "lifetime",
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
	every policy, sentence in {
		"Allow": "Each run of the CronJob adds another pod that stays.",
		"Forbid": "The CronJob starts no other run (concurrencyPolicy Forbid).",
		"Replace": "Each run of the CronJob ends the one before it, unfinished.",
	} {
		finding := _finding([_container], "CronJob", {"concurrencyPolicy": policy})
		finding.what == sprintf("kubectl shows the pod and the Job as Running, for ever. %s", [sentence])
	}
}

test_fail_init if {
	finding := _finding([_init, _helper], "Deployment", {})
	finding.reason == "the pod stays in Init, sleep waits for ever"
	finding.what == concat(" ", [
		"kubectl shows Init:0/1, for ever: this container runs, and those after it never start.",
		"The pod as a whole is not Ready: Services leave it out.",
	])
}

test_fail_init_of_a_job if {
	endswith(_finding([_init], "Job", {}).what, "and those after it never start. The Job never completes.")
}

_deadline := {"pod": {"activeDeadline": {"state": "present", "seconds": 60}}}

test_fail_init_with_deadline if {
	some finding in rule.report with input as object.union(_input([_init], "Pod", {}), _deadline)
	startswith(finding.what, concat(" ", [
		"kubectl shows Init:0/1 until activeDeadlineSeconds (60s) is over and the pod fails (DeadlineExceeded):",
		"its main containers never run.",
	]))
}

test_pass_job_with_deadline if {
	count(rule.report) == 0 with input as _input([_container], "Job", {"activeDeadlineSeconds": 60})
	count(rule.report) == 0 with input as _input([_container], "CronJob", {"activeDeadlineSeconds": 60})
	count(rule.report) == 0 with input as object.union(_input([_container], "Job", {}), _deadline)
	bounded := object.union(_input([_container], "Job", {"activeDeadlineSeconds": 90}), _deadline)
	count(rule.report) == 0 with input as bounded
}

test_pass_not_known_to_run_on if {
	every state in ["absent", "unknown"] {
		container := json.patch(_container, [{"op": "replace", "path": "/completion/never/state", "value": state}])
		count(rule.report) == 0 with input as _input([container], "Job", {})
	}
}
