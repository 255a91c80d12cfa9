package forestall.lib.execs

import data.forestall.lib.consequences
import data.forestall.lib.restarts
import data.forestall.lib.status

# What follows where a hook always fails. The kubelet names a failed postStart hook
# (pkg/kubelet/kuberuntime/kuberuntime_container.go, ErrPostStartHook), unless it is done with the container.
_hook(container, "postStart") := sprintf("%s kubectl shows %s; %s.", [
	"kubectl describe shows FailedPostStartHook, and the kubelet stops the container:",
	_post_start(container), restarts.after_failure(container),
])

_hook(_, "preStop") := concat(" ", [
	"kubectl describe shows FailedPreStopHook;",
	"SIGTERM is sent at once, without what the hook should do first.",
])

_post_start(container) := status.of(container, "Error") if {
	container.restartPolicy == "Never"
} else := sprintf("%s or %s", [status.of(container, "PostStartHookError"), status.of(container, "CrashLoopBackOff")])

# The probe ends with an error of its shell: it counts as failed (pkg/probe/exec/exec.go).
_shell_fails(container, "livenessProbe") := sprintf("%s; %s", [
	"kubectl describe shows Unhealthy, Liveness probe failed; the container is stopped, however well it is",
	consequences.restarted(container),
])

_shell_fails(container, "readinessProbe") := concat(" ", [
	"kubectl describe shows Unhealthy, Readiness probe failed; kubectl get shows Running,",
	_never_ready(container),
])

_shell_fails(container, "startupProbe") := sprintf("%s; %s", [
	"kubectl describe shows Unhealthy, Startup probe failed; the container is stopped",
	consequences.restarted(container),
])

# The probe cannot be run: the kubelet throws the result away (pkg/kubelet/prober/worker.go).
_never_starts(_, "livenessProbe") := concat(" ", [
	"kubectl describe shows Unhealthy, Liveness probe errored; with containerd the kubelet throws this away",
	"and never restarts the container, however ill it is.",
])

_never_starts(container, "readinessProbe") := concat(" ", [
	"kubectl describe shows Unhealthy, Readiness probe errored; kubectl get shows Running,",
	_never_ready(container),
])

_never_starts(container, "startupProbe") := sprintf("%s %s no other probe of the container begins.", [
	"kubectl describe shows Unhealthy, Startup probe errored;", _never_started(container),
])

_never_ready(container) := sprintf("READY %s: the container is never Ready. %s", [
	status.ready_without(container), consequences.never_ready(container.name),
])

_never_started(container) := sprintf("kubectl get shows %s: the containers after %q never start, and", [
	consequences.waits_for(container.name), container.name,
]) if {
	container.kind == "sidecar"
} else := sprintf("kubectl get shows Running, READY %s: the container is never Ready, and", [
	status.ready_without(container),
])
