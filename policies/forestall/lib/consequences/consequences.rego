# METADATA
# title: Consequences
# description: |
#   What follows for the pod, its Services and its controller from what happens to one container.
#   Each function returns sentences that stand behind the sentence about the cause.
# schemas:
#   - input: schema.input
package forestall.lib.consequences

import data.forestall.lib.words

# METADATA
# description: What follows where the named container is never Ready; without a name, where no container starts.
# scope: document
never_ready(name) := concat(" ", array.concat(_left_out("The pod as a whole is not Ready", name), _stalls))

# METADATA
# description: What follows where the named container ends and is started again, for ever. It is Ready for moments, if at all.
# scope: document
between_starts(name) := concat(" ", array.concat(
	_left_out("Between the starts the pod as a whole is not Ready", name),
	["A roll-out stalls, or goes on with pods that keep ending." | input.workload.rollout],
))

# METADATA
# description: What follows where a Job, or the Job of a CronJob, never completes; empty for other kinds.
# scope: document
never_completes := concat(" ", array.concat(_held_open, next_runs))

# METADATA
# description: What follows where the kubelet starts a container again whenever it ends.
# scope: document
restarts_for_ever := sprintf("%s (CrashLoopBackOff).", [restarts])

# METADATA
# description: |
#   When the kubelet starts it again; without a full stop. The first time there is no back-off yet
#   (k8s.io/kubernetes pkg/kubelet/kuberuntime/kuberuntime_manager.go, doBackOff).
# scope: document
restarts := "it is started again at once, then after 10s, 20s, 40s, up to 5m, without end"

# METADATA
# description: |
#   After running for so long a container is started again at once: the kubelet has forgotten the back-off
#   (k8s.io/client-go util/flowcontrol/backoff.go, hasExpired, which is twice the maximum of five minutes).
# scope: document
backoff_forgotten_after_seconds := 600

# A pod is Ready when all its containers are (k8s.io/kubernetes pkg/kubelet/status/generate.go, GeneratePodReadyCondition).
_left_out(state, name) := [sprintf("%s: %s%s.", [state, _services, _also(name)])] if {
	not words.batch
} else := [sprintf("%s: %s%s.", [state, _services, _also(name)])] if {
	count(object.get(input.cluster, "services", [])) > 0
} else := []

_services := sprintf("%s %s it out", [words.services, _leave]) if {
	count(object.get(input.cluster, "services", [])) > 0
} else := "Services leave it out"

_leave := "leaves" if count(input.cluster.services) == 1

_leave := "leave" if count(input.cluster.services) > 1

_also(name) := sprintf(", although %s may be fine", [others]) if {
	name != ""
	others := words.beside(name)
	others != ""
} else := ""

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

_reported := sprintf(", and after %ds it is reported as failed (ProgressDeadlineExceeded)", [
	input.workload.rollout.progressDeadlineSeconds,
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

_held_open := [sprintf("The Job never completes: after activeDeadlineSeconds (%ds) it has failed with DeadlineExceeded.", [
	input.workload.activeDeadlineSeconds,
])] if {
	words.batch
	input.workload.activeDeadlineSeconds
} else := ["The Job never completes."] if {
	words.batch
} else := []

# METADATA
# description: |
#   What a run that never ends means for the next runs of its CronJob, as a list of at most one sentence; none for
#   other kinds, and none where a deadline ends the run.
# scope: document
next_runs := [_next[input.workload.concurrencyPolicy]] if {
	input.workload.kind == "CronJob"
	input.workload.concurrencyPolicy # which a custom kind of that name has not
	not input.workload.activeDeadlineSeconds
} else := []

_next := {
	"Allow": "Each run of the CronJob adds another pod that stays.",
	"Forbid": "The CronJob starts no other run (concurrencyPolicy Forbid).",
	"Replace": "Each run of the CronJob ends the one before it, unfinished.",
}

# METADATA
# description: What kubectl shows of a pod while it waits for the named init container or sidecar, as in Init:0/2.
# scope: document
waits_for(name) := sprintf("Init:%d/%d", [_before[name], count(_waited_for)])

_waited_for := [c.name | some c in input.containers; c.kind in {"init", "sidecar"}]

# How many come before each, put together once.
_before := object.union_n(array.reverse([{name: i} | some i, name in _waited_for]))
