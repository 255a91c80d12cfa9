package forestall.lib.execs

# METADATA
# description: |
#   What was meant in the place of a command line, as part of a finding. Nothing where that is not known, or where
#   the program is that of the image.
# scope: document
suggestion(container, slip) := {"suggestions": array.concat(
	[{"op": "set", "path": path, "value": slip.meant}],
	[{"op": "remove", "path": concat("", [container.path, ".args"])} | slip.args],
)} if {
	slip.form in {"line", "script", "split", "operator", "variable", "substitution", "assignment", "joined"}
	count(slip.meant) > 0
	path := _list(container, slip)
} else := {}

_list(container, slip) := path if {
	slip.role == "command"
	path := concat("", [container.path, ".command"])
	_within(path, slip)
}

_list(_, slip) := regex.replace(slip.path, `\[[0-9]+\]$`, "") if slip.role != "command"

_within(_, slip) if slip.args

_within(path, slip) if startswith(slip.path, path)
