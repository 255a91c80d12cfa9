package forestall.lib.execs

# What follows where a hook always fails.
_hook := {
	"postStart": [
		"kubectl describe shows FailedPostStartHook; the kubelet stops the container",
		"and starts it again, without end: kubectl shows Error or CrashLoopBackOff, and the pod is never Ready.",
	],
	"preStop": [
		"kubectl describe shows FailedPreStopHook;",
		"SIGTERM is sent at once, without what the hook should do first.",
	],
}

# The probe ends with an error of its shell: it counts as failed (pkg/probe/exec/exec.go).
_shell_fails := {
	"livenessProbe": [
		"kubectl describe shows Unhealthy, Liveness probe failed; the container is stopped",
		"and started again, however well it is, without end.",
	],
	"readinessProbe": [
		"kubectl describe shows Unhealthy, Readiness probe failed;",
		"the pod is never Ready and Services leave it out.",
	],
	"startupProbe": [
		"kubectl describe shows Unhealthy, Startup probe failed; the container is stopped",
		"and started again, without end: CrashLoopBackOff.",
	],
}

# The probe cannot be run: the kubelet throws the result away (pkg/kubelet/prober/worker.go).
_never_starts := {
	"livenessProbe": [
		"kubectl describe shows Unhealthy, Liveness probe errored; with containerd the kubelet throws this away",
		"and never restarts the container, however ill it is.",
	],
	"readinessProbe": [
		"kubectl describe shows Unhealthy, Readiness probe errored;",
		"the pod stays Running, 0/1, and Services leave it out.",
	],
	"startupProbe": [
		"kubectl describe shows Unhealthy, Startup probe errored; the pod stays Running, 0/1:",
		"it is never Ready, and no other probe of the container begins.",
	],
}
