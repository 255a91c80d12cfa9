# METADATA
# title: Execs
# description: >-
#   What becomes of a command, an exec probe or a hook that cannot run what it names. A slip either keeps
#   the program from starting at all, or a shell starts and fails; kubectl shows the two in different ways.
package forestall.lib.execs

import data.forestall.lib.consequences
import data.forestall.lib.restarts
import data.forestall.lib.status

# METADATA
# description: What kubectl shows, in one clause.
# scope: document
failure(container, slip) := "the liveness probe always fails" if {
	slip.role == "livenessProbe"
	_starts(slip)
} else := _fails[slip.role] if {
	slip.role != "command"
} else := status.of(container, "Error") if {
	_starts(slip)
} else := status.unstarted(container)

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
what(container, slip) := _hook(container, slip.role) if {
	slip.role in {"postStart", "preStop"}
} else := _shell_fails(container, slip.role) if {
	slip.role != "command"
	_starts(slip)
} else := _never_starts(container, slip.role) if {
	slip.role != "command"
} else := concat(" ", array.concat(
	[sprintf("%s: %s.", [_shows(container, slip), restarts.after_failure(container)])],
	[text | some text in [_blocks(container), _follows(container)]; text != ""],
))

_blocks(container) := sprintf("The containers after %q never start.", [container.name]) if {
	container.kind in {"init", "sidecar"}
} else := ""

_follows(container) := "" if {
	container.restartPolicy == "Never"
} else := consequences.never_ready("") if {
	container.kind in {"init", "sidecar"}
} else := consequences.never_ready(container.name)

_shows(container, slip) := sprintf("kubectl shows %s%s%s, and kubectl logs that %s", [
	status.of(container, "Error"), _exit_code[slip.form], _or_back_off(container),
	sprintf(_says[slip.form], [_complains(slip)]),
]) if {
	_starts(slip)
} else := concat(", ", [_unstarted(container), _message])

# Where it is known.
_exit_code := {"script": " (exit code 2 or 127)", "joined": " (exit code 2)", "split": ""}

# What the shell says.
_says := {
	"script": "%s cannot open the file",
	"joined": "%s does not know such an option",
	"split": "%q lacks its operands",
}

_complains(slip) := slip.word if {
	slip.form == "split"
} else := slip.program

_or_back_off(container) := "" if {
	container.restartPolicy == "Never"
} else := sprintf(" or %s", [status.of(container, "CrashLoopBackOff")])

_unstarted(container) := sprintf("kubectl shows %s (exit code 128)", [status.of(container, "StartError")]) if {
	container.restartPolicy == "Never"
} else := sprintf("kubectl shows %s or %s, the last state is StartError (exit code 128)", [
	status.of(container, "RunContainerError"), status.of(container, "CrashLoopBackOff"),
])

_message := `with the message "executable file not found in $PATH" or "no such file or directory"`

# A shell starts, and then fails.
_starts(slip) if slip.form in {"script", "split", "joined"}
