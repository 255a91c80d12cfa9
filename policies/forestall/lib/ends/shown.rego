package forestall.lib.ends

import data.forestall.lib.demand
import data.forestall.lib.status

# METADATA
# description: What a container that ends again and again is seen to do, in one clause.
# scope: document
failure(container, end) := "restarted again and again" if {
	container.kind == "sidecar"
	end.exitCode == 0 # of which the kubelet tells no back-off
} else := status.of(container, "CrashLoopBackOff")

# METADATA
# description: |
#   What kubectl shows of it after its end. A sidecar that has ended with exit code 0 is Completed in kubectl describe
#   alone, and its back-off is told by an event (k8s.io/kubernetes pkg/kubelet/kubelet_pods.go,
#   convertToAPIContainerStatuses).
# scope: document
shown(container, end) := sprintf("%s%s (Completed, exit code 0, in kubectl describe)", [
	status.completed(container), status.ready_beside(container),
]) if {
	container.kind == "sidecar"
	end.exitCode == 0
} else := sprintf("%s (exit code 0) or CrashLoopBackOff%s", [
	status.completed(container), status.ready_beside(container),
]) if {
	end.exitCode == 0
} else := sprintf("%s (exit code %d) or %s", [
	status.of(container, "Error"), end.exitCode, status.of(container, "CrashLoopBackOff"),
]) if {
	end.exitCode
} else := sprintf("%s, %s or %s", [
	status.completed(container), status.of(container, "Error"), status.of(container, "CrashLoopBackOff"),
])

# METADATA
# description: True where a container that would run without end is known to fail before that.
# scope: document
fails_first(container) if {
	demand.comparable(container.memory.limit)
	some ask in container.memory.demand.asks
	demand.taken(ask, container.memory.limit)
}

fails_first(container) if container.image.invalid.state == "present"

# METADATA
# description: How long it runs without end.
# scope: document
for_ever(container) := "as long as its livenessProbe passes" if {
	container.probes.liveness.state == "present"
	not container.probes.liveness.patience.endless
} else := "for ever"
