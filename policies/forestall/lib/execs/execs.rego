# METADATA
# title: Execs
# description: >-
#   What becomes of a command, an exec probe or a hook that cannot run what it names. A slip either keeps
#   the program from starting at all, or a shell starts and fails; kubectl shows the two in different ways.
package forestall.lib.execs

# METADATA
# description: What kubectl shows, in one clause.
# scope: document
failure(slip, restart_policy) := "the liveness probe always fails" if {
	slip.role == "livenessProbe"
	_starts(slip)
} else := _fails[slip.role] if {
	slip.role != "command"
} else := "Error" if {
	_starts(slip)
} else := "StartError" if {
	restart_policy == "Never"
} else := "RunContainerError"

_fails := {
	"livenessProbe": "the liveness probe never has a result",
	"readinessProbe": "the readiness probe never passes",
	"startupProbe": "the startup probe never passes",
	"postStart": "the postStart hook always fails",
	"preStop": "the preStop hook always fails",
}

# METADATA
# description: What will be seen, and what follows from it.
# scope: document
what(slip, restart_policy) := _hook[slip.role] if {
	_hook[slip.role]
} else := _shell_fails[slip.role] if {
	slip.role != "command"
	_starts(slip)
} else := _never_starts[slip.role] if {
	slip.role != "command"
} else := concat(" ", [_shows(slip, restart_policy), _again(restart_policy)])

_shows(slip, _) := sprintf("kubectl shows Error (exit code 2 or 127) or CrashLoopBackOff, and kubectl logs that %s cannot open the file.", [
	slip.program,
]) if {
	slip.form == "script"
} else := sprintf("kubectl shows Error or CrashLoopBackOff, and kubectl logs that %q lacks its operands.", [slip.word]) if {
	slip.form == "split"
}

_shows(slip, "Never") := sprintf("kubectl shows StartError (exit code 128), %s.", [_message]) if not _starts(slip)

_shows(slip, policy) := sprintf("kubectl shows RunContainerError or CrashLoopBackOff, the last state is StartError (exit code 128), %s.", [
	_message,
]) if {
	not _starts(slip)
	policy != "Never"
}

_message := `with the message "executable file not found in $PATH" or "no such file or directory"`

_again("Never") := "Under restartPolicy Never the container is not started again."

_again(policy) := "It is tried again after 10s, 20s, 40s, up to 5m, without end; the pod is never Ready." if policy != "Never"

# A shell starts, and then fails.
_starts(slip) if slip.form in {"script", "split"}

_hook := {
	"postStart": concat(" ", [
		"kubectl describe shows FailedPostStartHook; the kubelet stops the container",
		"and starts it again, without end: kubectl shows Error or CrashLoopBackOff, and the pod is never Ready.",
	]),
	"preStop": "kubectl describe shows FailedPreStopHook; SIGTERM is sent at once, without what the hook should do first.",
}

# The probe ends with an error of its shell: it counts as failed (pkg/probe/exec/exec.go).
_shell_fails := {
	"livenessProbe": concat(" ", [
		"kubectl describe shows Unhealthy, Liveness probe failed; the container is stopped",
		"and started again, however well it is, without end.",
	]),
	"readinessProbe": "kubectl describe shows Unhealthy, Readiness probe failed; the pod is never Ready and Services leave it out.",
	"startupProbe": concat(" ", [
		"kubectl describe shows Unhealthy, Startup probe failed; the container is stopped",
		"and started again, without end: CrashLoopBackOff.",
	]),
}

# The probe cannot be run: the kubelet throws the result away (pkg/kubelet/prober/worker.go).
_never_starts := {
	"livenessProbe": concat(" ", [
		"kubectl describe shows Unhealthy, Liveness probe errored; with containerd the kubelet throws this away",
		"and never restarts the container, however ill it is.",
	]),
	"readinessProbe": "kubectl describe shows Unhealthy, Readiness probe errored; the pod stays Running, 0/1, and Services leave it out.",
	"startupProbe": concat(" ", [
		"kubectl describe shows Unhealthy, Startup probe errored; the pod stays Running, 0/1:",
		"it is never Ready, and no other probe of the container begins.",
	]),
}
