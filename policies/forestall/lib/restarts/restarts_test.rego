package forestall.lib.restarts_test

import data.forestall.lib.restarts

_container(kind, policy) := {"name": "work", "kind": kind, "restartPolicy": policy}

_after(container, pod, workload) := text if {
	text := restarts.after_failure(container) with input as {
		"containers": [container],
		"pod": object.union({"activeDeadline": {"state": "absent"}}, pod),
		"workload": workload,
	}
}

_delays := "it is started again at once, then after 10s, 20s, 40s, up to 5m, "

_deployment := {"kind": "Deployment"}

_bare := {"kind": "Pod", "bare": true}

_owned := {"kind": "Pod", "bare": false}

_job(limit) := {"kind": "Job", "backoffLimit": limit}

_deadline(seconds) := {"activeDeadline": {"state": "present", "seconds": seconds}, "restartPolicy": "OnFailure"}

test_started_again if {
	on_failure := {"restartPolicy": "OnFailure"}
	fails := "then the Job fails (BackoffLimitExceeded), and its pod is deleted"
	hurried := object.union(_job(6), {"activeDeadlineSeconds": 600})
	every c in [
		["regular", {"restartPolicy": "Always"}, _deployment, "without end"],
		["regular", on_failure, _bare, "without end"],
		["regular", on_failure, _owned, "until its controller gives up"],
		["regular", on_failure, {"kind": "Job"}, "until its controller gives up"],
		["regular", on_failure, _job(6), sprintf("until it was restarted 6 times (backoffLimit 6): %s", [fails])],
		["init", on_failure, _job(0), sprintf("until it was restarted once (backoffLimit 0): %s", [fails])],
		["regular", on_failure, hurried, sprintf("until it was restarted 6 times (backoffLimit 6): %s%s", [
			fails, ", or until activeDeadlineSeconds (10 minutes) is over (DeadlineExceeded)",
		])],
		["regular", _deadline(60), _job(6), "until activeDeadlineSeconds (60s) is over and the pod fails (DeadlineExceeded)"],
		["sidecar", {"restartPolicy": "Never"}, _job(6), "as long as the pod runs"],
	] {
		_after(_container(c[0], "OnFailure"), c[1], c[2]) == concat("", [_delays, c[3]])
	}
}

test_not_started_again if {
	never := {"restartPolicy": "Never"}
	others := "; the Job starts another after 10s, 20s, 40s, up to 10m, until 7 have failed (backoffLimit 6)"
	every c in [
		[_bare, ", and nothing starts it again"],
		[_owned, ", and its controller decides whether there is another"],
		[_job(6), sprintf("%s: then the Job fails (BackoffLimitExceeded)", [others])],
		[_job(0), ", and the Job fails (BackoffLimitExceeded) with it (backoffLimit 0)"],
	] {
		_after(_container("regular", "Never"), never, c[0]) == sprintf("the pod fails (restartPolicy Never)%s", [c[1]])
	}
}
