package forestall.lib.consequences_test

import data.forestall.lib.consequences

_containers := [{"name": "web", "kind": "regular"}, {"name": "stress", "kind": "regular"}]

_never_ready(workload, services) := text if {
	text := consequences.never_ready("stress") with input as {
		"containers": _containers,
		"workload": workload,
		"cluster": services,
	}
}

_deployment(replicas, rollout) := {"kind": "Deployment", "replicas": replicas, "rollout": rollout}

_left_out := "The pod as a whole is not Ready: Services leave it out, although \"web\" may be fine."

test_names_the_services if {
	_never_ready({"kind": "Pod"}, {"services": ["shop"]}) == concat(" ", [
		"The pod as a whole is not Ready: Service \"shop\" leaves it out,",
		"although \"web\" may be fine.",
	])
	_never_ready({"kind": "Pod"}, {"services": ["a", "b"]}) == concat(" ", [
		"The pod as a whole is not Ready: Services \"a\", \"b\" leave it out,",
		"although \"web\" may be fine.",
	])
}

test_counts_many_services if {
	_never_ready({"kind": "Pod"}, {"services": ["a", "b", "c", "d", "e", "f", "g", "h"]}) == concat(" ", [
		"The pod as a whole is not Ready: Services \"a\", \"b\", \"c\", \"d\", \"e\", \"f\" and 2 others leave it out,",
		"although \"web\" may be fine.",
	])
}

test_counts_services_that_are_not_in_the_document if {
	many := {"services": ["a", "b", "c", "d", "e", "f", "g", "h"], "moreServices": 90}
	_never_ready({"kind": "Pod"}, many) == concat(" ", [
		"The pod as a whole is not Ready: Services \"a\", \"b\", \"c\", \"d\", \"e\", \"f\" and 92 others leave it out,",
		"although \"web\" may be fine.",
	])
}

test_roll_outs if {
	stalls := {"strategy": "RollingUpdate", "maxUnavailable": 0, "progressDeadlineSeconds": 600}
	some_missing := {"strategy": "RollingUpdate", "maxUnavailable": 1}
	keeps := " and the old version keeps running"
	reported := ", and after 10 minutes it is reported as failed (ProgressDeadlineExceeded)."
	recreate := " A roll-out stops all old pods first (strategy Recreate), and no new one takes over."
	waits := " The StatefulSet waits for this pod: it creates and replaces no other one."
	ordered := {"strategy": "RollingUpdate", "podManagementPolicy": "OrderedReady"}
	every c in [
		[_deployment(1, stalls), concat("", [" A roll-out stalls (maxUnavailable is 0)", keeps, reported])],
		[_deployment(3, stalls), concat("", [" A roll-out stalls (maxUnavailable is 0 of 3 replicas)", keeps, reported])],
		[_deployment(0, stalls), ""],
		[_deployment(4, some_missing), " A roll-out stops 1 of 4 old pods (maxUnavailable) and then stalls."],
		[_deployment(1, {"strategy": "Recreate"}), recreate],
		[{"kind": "StatefulSet", "replicas": 3, "rollout": ordered}, waits],
		[{"kind": "StatefulSet", "replicas": 1, "rollout": ordered}, ""],
		[{"kind": "DaemonSet", "rollout": {"strategy": "RollingUpdate"}}, " A roll-out stalls at the first nodes."],
		[{"kind": "DaemonSet", "rollout": {"strategy": "OnDelete"}}, ""],
	] {
		_never_ready(c[0], {}) == concat("", [_left_out, c[1]])
	}
}

_never := "The Job never completes."

test_jobs if {
	_never_ready({"kind": "Job"}, {}) == ""
	every c in [
		[{"kind": "Job"}, [_never]],
		[{"kind": "Job", "activeDeadlineSeconds": 60}, [
			"The Job never completes: after activeDeadlineSeconds (60s)",
			"it has failed with DeadlineExceeded.",
		]],
		[{"kind": "CronJob", "concurrencyPolicy": "Forbid"}, [
			_never,
			"The CronJob starts no other run (concurrencyPolicy Forbid).",
		]],
		[{"kind": "CronJob", "concurrencyPolicy": "Allow"}, [
			_never,
			"Each run of the CronJob adds another pod that stays.",
		]],
		[{"kind": "CronJob", "concurrencyPolicy": "Replace"}, [
			_never,
			"Each run of the CronJob ends the one before it, unfinished.",
		]],
		[{"kind": "Pod"}, []],
	] {
		consequences.never_completes == concat(" ", c[1]) with input as {"workload": c[0]}
	}
}

# A custom kind may have the name of a built-in one and other ways; what it is like decides.
test_custom_kinds if {
	_never_ready({"kind": "ScaledJob", "like": "Job"}, {}) == ""
	_never_ready({"kind": "StatefulSet", "replicas": 3}, {}) == _left_out
	_never_ready({"kind": "Job", "like": "Deployment"}, {}) == _left_out
	every c in [
		[{"kind": "ScaledJob", "like": "Job"}, "The Job never completes."],
		[{"kind": "CronJob"}, "The Job never completes."],
		[{"kind": "Job", "like": "Deployment"}, ""],
	] {
		consequences.never_completes == c[1] with input as {"workload": c[0]}
	}
}
