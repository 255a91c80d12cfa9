# METADATA
# title: Ends
# description: What to do about a command that ends where it should run on.
# schemas:
#   - input: schema.input
package forestall.lib.ends

import data.forestall.lib.consequences
import data.forestall.lib.words

# METADATA
# description: |
#   The containers that the kubelet starts again whenever they end, where that is a failure. A sidecar beside main
#   containers that may end goes with them, however often it was started: in a Job it is not waited for.
# scope: document
restarted contains container if {
	some container in input.containers
	container.restartAlways.state == "present"
	_stays(container)
	not _cut_off(container)
}

# The deadline of a pod may come before the end of its command.
_cut_off(container) if input.pod.activeDeadline.seconds <= container.command.ends.afterSeconds

_stays(container) if container.kind == "regular"

_stays(container) if {
	container.kind == "sidecar"
	not _main_containers_end
}

_main_containers_end if {
	some container in input.containers
	container.kind == "regular"
	container.restartPolicy in {"Never", "OnFailure"}
}

# METADATA
# description: |
#   Whether little is lost by the end of a command: it comes when the kubelet has forgotten the back-off, or ends
#   nothing but a wait.
# scope: document
late(end) if end.afterSeconds >= consequences.backoff_forgotten_after_seconds

late(end) if end.onlyWaits

# METADATA
# description: The way out, by what the container was probably meant to do.
# scope: document
fix(container) := concat(" ", _fixes[_way(container)]) if {
	_way(container) != "beside"
} else := sprintf("if it must run before %s, move it to initContainers; otherwise give it a Job of its own.", [
	words.beside(container.name),
])

# What the container was probably meant to do.
_way(container) := "rejected" if {
	container.command.ends.rejects in {"infinity", "inf"}
} else := "rules" if {
	endswith(container.restartAlways.path, ".restartPolicyRules")
} else := "unit" if {
	container.command.ends.rejects
} else := "shell" if {
	container.kind == "regular"
	container.command.argv.state == "absent"
	container.command.program
} else := "background" if {
	container.kind == "regular"
	container.command.ends.background
} else := "sidecar" if {
	container.kind == "sidecar"
} else := "beside" if {
	words.beside(container.name) != ""
} else := "bare" if {
	input.workload.kind == "Pod"
	input.workload.bare
} else := "once"

_fixes := {
	# The tail of every image follows /dev/null; not every sleep knows "infinity".
	"rules": ["leave this exit code out of restartPolicyRules."],
	"unit": ["write the value with a unit that the program knows: b, k, m or g (250M, and not 250Mi)."],
	"rejected": ["write tail -f /dev/null in its place, or take a newer image (busybox 1.31, alpine 3.11)."],
	"shell": [
		`give it the command that it is there for, or command: ["tail", "-f", "/dev/null"]`,
		"if it is only a place to look around in.",
	],
	"background": [
		`leave out the "&" at the end, so that the last command runs in the foreground,`,
		"or end the script with: wait",
	],
	"sidecar": ["remove restartPolicy: Always from this init container, so that it runs once before the others."],
	"bare": ["set restartPolicy: OnFailure if it is to run once; if it is to serve, run a server in the foreground."],
	"once": [
		"make it a Job (restartPolicy: OnFailure) if it is to run once;",
		"if it is to serve, run a server in the foreground.",
	],
}
