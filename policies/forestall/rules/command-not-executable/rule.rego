# METADATA
# title: Command that names no program
# description: >-
#   The first element of a command is the program, and each further element is one argument. A whole command
#   line in one element, an option, or nothing at all is no program, so the runtime cannot start the container.
#   A shell takes the first element that is not an option for a file, unless -c stands before it.
# related_resources:
#   - ref: https://kubernetes.io/docs/tasks/inject-data-application/define-command-argument-container/
#     description: Define a command and arguments for a container
#   - ref: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/sh.html
#     description: sh, the operands
# custom:
#   category: command
#   concern: argv
#   certainty: certain
#   judges:
#     - {of: container, fact: slips.unrunnable, state: present}
#   failure: RunContainerError, StartError, CrashLoopBackOff
#   confirmedBy:
#     - {terminated: StartError}
#     - {terminated: ContainerCannotRun}
#     - {waiting: RunContainerError}
#     - {terminated: Error, exitCode: 127}
#     - {terminated: Error, exitCode: 126}
#     - {terminated: Error, exitCode: 1}
#     - {terminated: Error, exitCode: 2}
#     - {event: Unhealthy}
#     - {event: FailedPostStartHook}
#   remediation: Give the program and each argument an element of its own; put a script after sh -c.
#   since: v0.1.0
#   suggests: true
package forestall.rules["command-not-executable"]

import data.forestall.lib.execs
import data.forestall.lib.result
import data.forestall.lib.words

report contains result.finding(rego.metadata.chain(), object.union(execs.suggestion(container, slip), {
	"container": container.name,
	"cause": slip.path,
	"path": slip.path,
	"reason": concat(", ", [execs.failure(container, slip), _cause(slip)]),
	"what": execs.what(container, slip),
	"why": sprintf("%s. No shell takes a command of Kubernetes apart; it runs as the list that it is.", [_cause(slip)]),
	"fix": _fix(slip),
})) if {
	some container in input.containers
	some slip in container.slips.unrunnable.found
}

_cause(slip) := "the name of the program is empty" if {
	slip.form == "empty"
} else := sprintf("the name of the program %s: %q", [slip.hidden, slip.word]) if {
	slip.hidden
} else := sprintf(_causes[slip.form], [slip.program, slip.word]) if {
	slip.form in {"script", "split", "joined"}
} else := sprintf(_causes[slip.form], [slip.word])

_causes := {
	"option": "%q is an option and not a program",
	"line": "%q is a command line and not the name of a program",
	"script": "%s takes %q for the name of a file, because -c is missing",
	"assignment": "%q sets a variable and is not the name of a program",
	"builtin": "%q is a word of the shell and not a program",
	"reference": "%q is taken as it is, and no program has such a name",
	"joined": "%s takes %q for a row of options",
	"split": "%s -c runs %q alone, and none of the elements after it",
}

_fix(slip) := "remove command, so that the program of the image runs, or name a program." if {
	slip.form == "empty"
} else := "write the path of the program itself; Kubernetes replaces $(NAME) alone." if {
	slip.form == "reference"
} else := sprintf("write command: %s%s; %s", [words.flow(slip.meant), words.also_args(slip), _block]) if {
	contains(object.get(slip, "hidden", ""), "line break")
} else := "name the program before its options." if {
	slip.form == "option"
	slip.role != "command"
} else := sprintf("if these are arguments for the program of the image, remove command and write args: %s.", [
	words.flow(slip.meant),
]) if {
	slip.form == "option"
	count(slip.meant) > 0
} else := execs.written(slip)

# YAML 1.2.2, 8.1.1.2: block chomping.
_block := "in YAML the text after > and | ends in a line break, after >- and |- it does not."
