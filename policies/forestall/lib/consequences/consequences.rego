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
# description: |
#   What follows where the named container ends and is started again, for ever. It is Ready for moments, if at all.
# scope: document
between_starts(name) := concat(" ", array.concat(
	_left_out("Between the starts the pod as a whole is not Ready", name),
	["A roll-out stalls, or goes on with pods that keep ending." | input.workload.rollout],
))

# METADATA
# description: |
#   After running for so long a container is started again at once: the kubelet has forgotten the back-off
#   (k8s.io/client-go util/flowcontrol/backoff.go, hasExpired, which is twice the maximum of five minutes).
# scope: document
backoff_forgotten_after_seconds := 600

# A pod is Ready when all its containers are (k8s.io/kubernetes pkg/kubelet/status/generate.go,
# GeneratePodReadyCondition).
_left_out(state, name) := [sprintf("%s: %s%s.", [state, _services, _also(name)])] if {
	not words.batch
} else := [sprintf("%s: %s%s.", [state, _services, _also(name)])] if {
	count(input.cluster.services) > 0
} else := []

_services := sprintf("%s %s it out", [words.services, _leave]) if {
	count(input.cluster.services) > 0
} else := "Services leave it out"

_leave := "leaves" if count(input.cluster.services) == 1

_leave := "leave" if count(input.cluster.services) > 1

_also(name) := sprintf(", although %s may be fine", [others]) if {
	name != ""
	others := words.beside(name)
	others != ""
} else := ""

# METADATA
# description: What kubectl shows of a pod while it waits for the named init container or sidecar, as in Init:0/2.
# scope: document
waits_for(name) := sprintf("Init:%d/%d", [_before[name], count(_waited_for)])

# METADATA
# description: What kubectl shows of a pod while the container is created, or its postStart hook runs.
# scope: document
starting(container) := waits_for(container.name) if {
	container.kind == "sidecar"
} else := "PodInitializing" if {
	count(_waited_for) > 0
} else := "ContainerCreating"

_waited_for := [c.name | some c in input.containers; c.kind in {"init", "sidecar"}]

# How many come before each, put together once.
_before := object.union_n(array.reverse([{name: i} | some i, name in _waited_for]))
