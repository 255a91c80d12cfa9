package forestall.lib.consequences

import data.forestall.lib.words

# What becomes of a roll-out to pods that are never Ready.
_stalls := [sentence | some sentence in [_stalls_deployment, _stalls_stateful_set, _stalls_daemon_set]; sentence != ""]

default _stalls_deployment := ""

_stalls_deployment := sprintf("A roll-out stalls (maxUnavailable is 0%s) and the old version keeps running%s.", [
	_of_replicas,
	_reported,
]) if {
	input.workload.rollout.maxUnavailable == 0
	input.workload.replicas > 0
}

_stalls_deployment := sprintf("A roll-out stops %d of %d old pods (maxUnavailable) and then stalls%s.", [
	input.workload.rollout.maxUnavailable,
	input.workload.replicas,
	_reported,
]) if {
	input.workload.rollout.maxUnavailable > 0
}

_stalls_deployment := "A roll-out stops all old pods first (strategy Recreate), and no new one takes over." if {
	input.workload.rollout.strategy == "Recreate"
}

_of_replicas := sprintf(" of %d replicas", [input.workload.replicas]) if {
	input.workload.replicas > 1
} else := ""

_reported := sprintf(", and after %s it is reported as failed (ProgressDeadlineExceeded)", [
	words.duration(input.workload.rollout.progressDeadlineSeconds),
]) if {
	input.workload.rollout.progressDeadlineSeconds > 0
} else := ""

default _stalls_stateful_set := ""

# The controller waits for each pod to be Ready (pkg/controller/statefulset/stateful_set_control.go, updateStatefulSet).
_stalls_stateful_set := "The StatefulSet waits for this pod: it creates and replaces no other one." if {
	input.workload.kind == "StatefulSet"
	input.workload.rollout.strategy == "RollingUpdate"
	input.workload.rollout.podManagementPolicy == "OrderedReady"
	input.workload.replicas > 1
}

default _stalls_daemon_set := ""

_stalls_daemon_set := "A roll-out stalls at the first nodes." if {
	input.workload.kind == "DaemonSet"
	input.workload.rollout.strategy == "RollingUpdate"
}
