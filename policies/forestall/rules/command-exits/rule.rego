# METADATA
# title: Command that ends under restartPolicy Always
# description: >-
#   Under restartPolicy Always the kubelet starts a container again whenever its process ends, also when it
#   ends well. A command that does its work and ends is restarted with a growing delay, for ever; so is
#   the shell of a base image that is given no command.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy
#     description: Container restarts and back-off
#   - ref: https://kubernetes.io/docs/concepts/workloads/controllers/job/
#     description: Jobs
# custom:
#   category: lifecycle
#   concern: lifetime
#   certainty: certain
#   judges:
#     - {of: container, fact: command.ends, state: present}
#   failure: CrashLoopBackOff
#   remediation: Run the server in the foreground, or run the command as a Job or an init container.
#   since: v0.1.0
package forestall.rules["command-exits"]

import data.forestall.lib.consequences
import data.forestall.lib.result
import data.forestall.lib.words

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"path": ends.path,
	"reason": sprintf("CrashLoopBackOff%s, %s", [_code(ends), ends.because]),
	"what": concat(" ", array.concat([_what(container)], _killed(ends))),
	"why": sprintf("%s, and restartPolicy is Always.", [ends.because]),
	"fix": _fix(container),
}) if {
	some container in input.containers
	container.restartAlways.state == "present"
	ends := container.command.ends
	ends.state == "present"
	ends.afterSeconds < consequences.backoff_forgotten_after_seconds
}

_stay := `command: ["tail", "-f", "/dev/null"]`

_code(ends) := sprintf(" with exit code %d", [ends.exitCode]) if {
	ends.exitCode
} else := ""

_what(container) := sprintf("kubectl shows %s or CrashLoopBackOff: %s. %s", [
	_state(container.command.ends), consequences.restarts, consequences.between_starts(container.name),
])

_killed(ends) := ["What runs in the background is killed each time the script ends."] if {
	ends.background
} else := []

_state(ends) := "Completed (exit code 0)" if {
	ends.exitCode == 0
} else := sprintf("Error (exit code %d)", [ends.exitCode]) if {
	ends.exitCode
} else := "Completed, Error"

# The tail of every image follows /dev/null; not every sleep knows "infinity".
_fix(container) := "write tail -f /dev/null in its place, or take a newer image (busybox 1.31, alpine 3.11)." if {
	container.command.ends.rejects
} else := sprintf("give it the command that it is there for, or %s if it is only a place to look around in.", [_stay]) if {
	container.kind == "regular"
	container.command.argv.state == "absent"
	container.command.program
} else := `leave out the "&" at the end, so that the last command runs in the foreground, or end the script with: wait` if {
	container.kind == "regular"
	container.command.ends.background
} else := "remove restartPolicy: Always from this init container, so that it runs once before the others." if {
	container.kind == "sidecar"
} else := sprintf("if it must run before %s, move it to initContainers; otherwise give it a Job of its own.", [others]) if {
	others := words.beside(container.name)
	others != ""
} else := "set restartPolicy: OnFailure if it is to run once; if it is to serve, run a server in the foreground." if {
	input.workload.kind == "Pod"
	input.workload.bare
} else := "make it a Job (restartPolicy: OnFailure) if it is to run once; if it is to serve, run a server in the foreground."
