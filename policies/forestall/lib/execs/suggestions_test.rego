package forestall.lib.execs_test

import data.forestall.lib.execs

_web := {"path": "spec.containers[0]", "restartPolicy": "Always"}

_command := {"op": "set", "path": "spec.containers[0].command", "value": ["a", "b"]}

_suggestions(role, form, path, args) := execs.suggestion(_web, {
	"role": role,
	"form": form,
	"path": concat("", ["spec.containers[0].", path]),
	"meant": ["a", "b"],
	"sure": true,
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
	execs.suggestion(_web, {
		"role": "command",
		"form": "line",
		"path": "spec.containers[0].command[0]",
		"meant": ["a"],
	}) == {}
}

test_a_step_is_not_repeated if {
	step := {
		"role": "command",
		"form": "line",
		"path": "spec.containers[0].command[0]",
		"meant": ["./manage.py", "migrate"],
		"args": false,
		"sure": true,
		"step": true,
	}
	execs.suggestion(_web, step) == {}
	count(execs.suggestion(object.union(_web, {"restartPolicy": "OnFailure"}), step).suggestions) == 1
}

test_written if {
	slip := {"form": "variable", "role": "command", "args": false, "shell": "unknown", "meant": ["sh", "-c", "a $B"]}
	execs.written(slip) == "write command: [\"sh\", \"-c\", \"a $B\"], if the image has sh."
	startswith(execs.written(object.union(slip, {"shell": "absent"})), "write the program and each argument")
	defined := {"meant": ["a", "$(POD_IP)"], "shell": "", "define": [{"name": "POD_IP", "fieldPath": "status.podIP"}]}
	execs.written(object.union(slip, defined)) == concat(" ", [
		"write command: [\"a\", \"$(POD_IP)\"], and add to env:",
		"{name: POD_IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}.",
	])
	execs.written({"form": "line", "args": true}) == concat(" ", [
		"write command: [\"sh\", \"-c\", \"...\"] with the whole script in the place of the dots",
		"and remove args.",
	])
}
