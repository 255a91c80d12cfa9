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
what(slip, restart_policy) := concat(" ", _hook[slip.role]) if {
	_hook[slip.role]
} else := concat(" ", _shell_fails[slip.role]) if {
	slip.role != "command"
	_starts(slip)
} else := concat(" ", _never_starts[slip.role]) if {
	slip.role != "command"
} else := concat(" ", [_shows(slip, restart_policy), _again(restart_policy)])

_shows(slip, _) := sprintf("kubectl shows Error%s or CrashLoopBackOff, and kubectl logs that %s.", _logs(slip)) if {
	_starts(slip)
}

_shows(slip, policy) := concat(", ", [_unstarted(policy), _message]) if not _starts(slip)

# The exit code, where it is known, and what the shell says.
_logs(slip) := [" (exit code 2 or 127)", sprintf("%s cannot open the file", [slip.program])] if slip.form == "script"

_logs(slip) := [" (exit code 2)", sprintf("%s does not know such an option", [slip.program])] if slip.form == "joined"

_logs(slip) := ["", sprintf("%q lacks its operands", [slip.word])] if slip.form == "split"

_unstarted(policy) := "kubectl shows StartError (exit code 128)" if {
	policy == "Never"
} else := "kubectl shows RunContainerError or CrashLoopBackOff, the last state is StartError (exit code 128)"

_message := `with the message "executable file not found in $PATH" or "no such file or directory".`

_again(policy) := "Under restartPolicy Never the container is not started again." if {
	policy == "Never"
} else := "It is tried again after 10s, 20s, 40s, up to 5m, without end; the pod is never Ready."

# A shell starts, and then fails.
_starts(slip) if slip.form in {"script", "split", "joined"}
