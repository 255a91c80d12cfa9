package forestall.rules["command-not-executable_test"]

import data.forestall.rules["command-not-executable"] as rule

_slip := {
	"role": "command",
	"form": "line",
	"path": "spec.containers[0].command[0]",
	"word": "sleep 1000",
	"meant": ["sleep", "1000"],
}

_input(slip, policy) := {"workload": {"kind": "Pod", "bare": true}, "cluster": {}, "containers": [{
	"name": "idle",
	"kind": "regular",
	"restartPolicy": policy,
	"slips": {"unrunnable": {"state": "present", "found": [object.union(_slip, slip)]}},
}]}

_finding(slip, policy) := finding if some finding in rule.report with input as _input(slip, policy)

test_fail_command_line_in_one_element if {
	report := rule.report with input as _input({}, "Always")
	report == {{
		"rule": "command-not-executable",
		"cause": "argv/spec.containers[0].command[0]",
		"level": "deny",
		"certainty": "certain",
		"category": "command",
		"failure": "RunContainerError, StartError, CrashLoopBackOff",
		"links": [
			"https://kubernetes.io/docs/tasks/inject-data-application/define-command-argument-container/",
			"https://pubs.opengroup.org/onlinepubs/9799919799/utilities/sh.html",
		],
		"container": "idle",
		"path": "spec.containers[0].command[0]",
		"reason": "RunContainerError, \"sleep 1000\" is a command line and not the name of a program",
		"what": concat(" ", [
			"kubectl shows RunContainerError or CrashLoopBackOff, the last state is StartError (exit code 128),",
			"with the message \"executable file not found in $PATH\" or \"no such file or directory\":",
			"it is started again at once, then after 10s, 20s, 40s, up to 5m, without end.",
			"The pod as a whole is not Ready: Services leave it out.",
		]),
		"why": concat(" ", [
			"\"sleep 1000\" is a command line and not the name of a program.",
			"No shell takes a command of Kubernetes apart; it runs as the list that it is.",
		]),
		"fix": "write command: [\"sleep\", \"1000\"].",
	}}
}

test_fail_never_started_again if {
	finding := _finding({}, "Never")
	startswith(finding.reason, "StartError, ")
	endswith(finding.what, "the pod fails (restartPolicy Never), and nothing starts it again.")
}

test_fail_option if {
	finding := _finding({"form": "option", "word": "--rate", "meant": ["--rate", "10"]}, "Always")
	finding.reason == "RunContainerError, \"--rate\" is an option and not a program"
	finding.fix == concat(" ", [
		"if these are arguments for the program of the image, remove command and write",
		"args: [\"--rate\", \"10\"].",
	])
}

test_fail_option_in_a_probe if {
	finding := _finding({"role": "readinessProbe", "form": "option", "word": "-q"}, "Always")
	finding.reason == "the readiness probe never passes, \"-q\" is an option and not a program"
	finding.fix == "name the program before its options."
}

test_fail_empty if {
	finding := _finding({"form": "empty", "word": ""}, "Always")
	finding.reason == "RunContainerError, the name of the program is empty"
	finding.fix == "remove command, so that the program of the image runs, or name a program."
}

test_fail_script_as_file if {
	slip := {"form": "script", "program": "sh", "word": "echo hi; id", "meant": ["sh", "-c", "echo hi; id"], "args": true}
	finding := _finding(slip, "Always")
	finding.reason == "Error, sh takes \"echo hi; id\" for the name of a file, because -c is missing"
	startswith(finding.what, concat(" ", [
		"kubectl shows Error (exit code 2 or 127) or CrashLoopBackOff, and kubectl logs",
		"that sh cannot open the file: it is started again at once,",
	]))
	finding.fix == "write command: [\"sh\", \"-c\", \"echo hi; id\"] and remove args."
}

test_fail_script_too_long_to_show if {
	finding := _finding({"form": "script", "program": "sh", "word": "set -e…", "meant": []}, "Always")
	finding.fix == "write command: [\"sh\", \"-c\", \"...\"] with the whole script in the place of the dots."
}

test_fail_script_in_pieces if {
	finding := _finding({"form": "split", "program": "sh", "word": "sleep", "meant": ["sh", "-c", "sleep 5"]}, "Always")
	finding.reason == "Error, sh -c runs \"sleep\" alone, and none of the elements after it"
}

test_fail_probes_and_hooks if {
	{role: finding.reason |
		some role in ["livenessProbe", "readinessProbe", "startupProbe", "postStart", "preStop"]
		finding := _finding({"role": role, "form": "split", "program": "sh", "word": "grep"}, "Always")
	} == {
		"livenessProbe": "the liveness probe always fails, sh -c runs \"grep\" alone, and none of the elements after it",
		"readinessProbe": "the readiness probe never passes, sh -c runs \"grep\" alone, and none of the elements after it",
		"startupProbe": "the startup probe never passes, sh -c runs \"grep\" alone, and none of the elements after it",
		"postStart": "the postStart hook always fails, sh -c runs \"grep\" alone, and none of the elements after it",
		"preStop": "the preStop hook always fails, sh -c runs \"grep\" alone, and none of the elements after it",
	}
	startswith(_finding({"role": "livenessProbe"}, "Always").reason, "the liveness probe never has a result, ")
}

test_pass_nothing_found if {
	count(rule.report) == 0 with input as {"containers": [{
		"name": "idle",
		"restartPolicy": "Always",
		"slips": {"unrunnable": {"state": "absent"}},
	}]}
}
