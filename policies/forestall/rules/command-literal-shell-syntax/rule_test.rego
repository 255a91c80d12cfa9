package forestall.rules["command-literal-shell-syntax_test"]

import data.forestall.rules["command-literal-shell-syntax"] as rule

_slip := {
	"role": "command",
	"form": "operator",
	"path": "spec.containers[0].command[2]",
	"word": "&&",
	"program": "mkdir",
	"meant": ["sh", "-c", "mkdir /data && /app/server"],
}

_input(slip) := {"containers": [{
	"name": "web",
	"slips": {"literal": {"state": "present", "found": [object.union(_slip, slip)]}},
}]}

_finding(slip) := finding if some finding in rule.report with input as _input(slip)

test_fail_operator if {
	report := rule.report with input as _input({})
	report == {{
		"rule": "command-literal-shell-syntax",
		"cause": "argv/spec.containers[0].command[2]",
		"level": "warn",
		"certainty": "likely",
		"category": "command",
		"failure": "Error or CrashLoopBackOff, with a message about an unknown argument",
		"links": [
			"https://kubernetes.io/docs/tasks/inject-data-application/define-command-argument-container/",
			"https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/",
		],
		"container": "web",
		"path": "spec.containers[0].command[2]",
		"reason": "mkdir gets \"&&\" as it is, no shell reads this command",
		"what": concat(" ", [
			"mkdir takes \"&&\" and all that follows for its own arguments, and no second command runs.",
			"Where that fails, kubectl shows Error or CrashLoopBackOff, and kubectl logs what it says.",
		]),
		"why": "no shell reads this command, so nobody takes \"&&\" apart or replaces it.",
		"fix": "write command: [\"sh\", \"-c\", \"mkdir /data && /app/server\"].",
	}}
}

test_fail_variable_in_a_probe if {
	finding := _finding({"role": "readinessProbe", "form": "variable", "word": "$POD_IP", "program": "pg_isready"})
	finding.reason == "pg_isready gets \"$POD_IP\" as it is, no shell reads this command"
	finding.what == concat(" ", [
		"pg_isready works with this text in the place of the value.",
		"If it fails, kubectl describe shows Unhealthy, and the container is never Ready.",
	])
	startswith(finding.why, "no shell reads this command of the readinessProbe, ")
}

test_fail_option_and_value_in_one if {
	finding := _finding({"form": "glued", "word": "--mail a@example.com", "meant": ["--mail", "a@example.com"]})
	finding.reason == "\"--mail a@example.com\" is one argument, option and value belong in two"
	finding.fix == "make it two elements: \"--mail\", \"a@example.com\", or write = in the place of the space."
}

test_fail_options_in_a_value if {
	meant := ["-C", "config.rb", "-e", "production"]
	word := concat(" ", meant)
	finding := _finding({"form": "glued", "program": "puma", "word": word, "meant": meant})
	finding.reason == "\"-C config.rb -e production\" is one argument, each option and each value belongs in its own"
	startswith(finding.what, "puma takes all behind -C for its value, with the spaces and the options in it. Where")
	finding.fix == "make it 4 elements: \"-C\", \"config.rb\", \"-e\", \"production\"."
}

test_fail_with_args if {
	endswith(_finding({"args": true}).fix, " and remove args.")
}

test_fail_too_long_to_show if {
	_finding({"meant": []}).fix == "run the whole line as one script: [\"sh\", \"-c\", \"...\"]."
}

test_pass_nothing_found if {
	count(rule.report) == 0 with input as {"containers": [{"name": "web", "slips": {"literal": {"state": "absent"}}}]}
}
