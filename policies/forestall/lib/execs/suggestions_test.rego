package forestall.lib.execs_test

import data.forestall.lib.execs

_web := {"path": "spec.containers[0]"}

_command := {"op": "set", "path": "spec.containers[0].command", "value": ["a", "b"]}

_suggestions(role, form, path, args) := execs.suggestion(_web, {
	"role": role,
	"form": form,
	"path": concat("", ["spec.containers[0].", path]),
	"meant": ["a", "b"],
	"args": args,
})

test_what_was_meant_takes_the_place_of_the_command if {
	_suggestions("command", "line", "command[0]", false) == {"suggestions": [_command]}
}

test_args_go_where_they_are_part_of_it if {
	every path in ["command[0]", "args[1]"] {
		_suggestions("command", "operator", path, true) == {"suggestions": [
			_command,
			{"op": "remove", "path": "spec.containers[0].args"},
		]}
	}
}

test_commands_of_probes if {
	_suggestions("livenessProbe", "split", "livenessProbe.exec.command[2]", false) == {"suggestions": [{
		"op": "set",
		"path": "spec.containers[0].livenessProbe.exec.command",
		"value": ["a", "b"],
	}]}
}

test_nothing_where_it_is_not_known if {
	_suggestions("command", "operator", "args[0]", false) == {} # the program is that of the image
	_suggestions("command", "option", "command[0]", false) == {}
	_suggestions("command", "glued", "command[0]", false) == {}
	execs.suggestion(_web, {"role": "command", "form": "line", "path": "spec.containers[0].command[0]"}) == {}
}
