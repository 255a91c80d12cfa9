package forestall.lib.execs

import data.forestall.lib.words

# METADATA
# description: |
#   What was meant in the place of a command line, as part of a finding. Nothing where something else may have been
#   meant, or where the program is that of the image; and nothing for a step that would be done again and again.
# scope: document
suggestion(container, slip) := {"suggestions": array.concat(
	[{"op": "set", "path": path, "value": slip.meant}],
	[{"op": "remove", "path": concat("", [container.path, ".args"])} | slip.args],
)} if {
	slip.sure
	not _repeated(container, slip)
	path := _list(container, slip)
} else := {}

_repeated(container, slip) if {
	slip.step
	slip.role == "command"
	container.restartPolicy == "Always"
}

_list(container, slip) := path if {
	slip.role == "command"
	path := concat("", [container.path, ".command"])
	_within(path, slip)
}

_list(_, slip) := regex.replace(slip.path, `\[[0-9]+\]$`, "") if slip.role != "command"

_within(_, slip) if slip.args

_within(path, slip) if startswith(slip.path, path)

# METADATA
# description: What to write, as a sentence.
# scope: document
written(slip) := concat(" ", [
	"write the program and each argument as an element of its own:",
	"the image has no shell that could read the line.",
]) if {
	slip.shell == "absent"
} else := sprintf("write command: %s%s, and %s.", [
	words.flow(slip.meant), words.also_args(slip), _defined(slip.define),
]) if {
	count(slip.define) > 0
} else := sprintf("write command: %s%s%s.", [words.flow(slip.meant), words.also_args(slip), _if_shell(slip)]) if {
	count(slip.meant) > 0
} else := sprintf("write command: [\"sh\", \"-c\", \"...\"] with the whole script in the place of the dots%s.", [
	words.also_args(slip),
])

_defined(variables) := sprintf("add to env: %s", [concat(", ", [
sprintf("{name: %s, valueFrom: {fieldRef: {fieldPath: %s}}}", [v.name, v.fieldPath]) |
	some v in variables
])])

# Where no program can be started as it is, there is nothing to lose.
_if_shell(slip) := sprintf(", if the image has %s", [slip.meant[0]]) if {
	slip.shell == "unknown"
	slip.form in {"operator", "variable", "substitution"}
} else := ""
