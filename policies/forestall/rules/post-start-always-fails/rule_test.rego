package forestall.rules["post-start-always-fails_test"]

import data.forestall.rules["post-start-always-fails"] as rule

_container(hook) := {
	"name": "web",
	"kind": "regular",
	"restartPolicy": "Always",
	"restartAlways": {"state": "present"},
	"ports": {"state": "present", "declared": [{"number": 8080}]},
	"postStart": object.union({"state": "present", "path": "c.lifecycle.postStart"}, hook),
}

_input(container) := {"containers": [container], "workload": {"kind": "Pod", "bare": true}, "cluster": {}}

_finding(fields) := object.union(fields, {
	"rule": "post-start-always-fails",
	"cause": "post-start",
	"level": "deny",
	"certainty": "certain",
	"category": "lifecycle",
	"failure": "FailedPostStartHook and CrashLoopBackOff, or ContainerCreating for ever",
	"links": [
		"https://kubernetes.io/docs/concepts/containers/container-lifecycle-hooks/",
		"https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/lifecycle/handlers.go",
	],
	"container": "web",
	"path": "c.lifecycle.postStart",
})

_stopped := concat(" ", [
	"kubectl describe shows FailedPostStartHook, and the kubelet stops the container: it is started again at once,",
	"then after 10s, 20s, 40s, up to 5m (CrashLoopBackOff), without end.",
	"The pod as a whole is not Ready: Services leave it out.",
])

test_fail_port_name if {
	rule.report == {_finding({
		"reason": "FailedPostStartHook, postStart names port \"http\", which is not declared",
		"what": _stopped,
		"why": concat(" ", [
			"postStart asks for port \"http\"; container \"web\" declares 8080 (without a name).",
			"A name is looked up there alone.",
		]),
		"fix": "write the number of the port in the hook, or give the containerPort the name that it asks for.",
	})} with input as _input(_container({"port": "http"}))
}

test_fail_command if {
	rule.report == {_finding({
		"reason": "FailedPostStartHook, postStart always fails: false fails and ends",
		"what": _stopped,
		"why": "the command of postStart ends with exit code 1 each time: false fails and ends.",
		"fix": "let the hook end with exit code 0, or remove it.",
	})} with input as _input(_container({"exitCode": 1, "because": "false fails and ends"}))
}

test_fail_never_ends if {
	rule.report == {_finding({
		"reason": "never Running, postStart does not end: tail follows its files, without end",
		"what": concat(" ", [
			"kubectl shows ContainerCreating (PodInitializing behind init containers), for ever, although its process",
			"runs; the containers after it do not start. The pod as a whole is not Ready: Services leave it out.",
		]),
		"why": "tail follows its files, without end, and the kubelet waits for the hook without a limit.",
		"fix": "run in the main command what is to go on, and let the hook do its work and end.",
	})} with input as _input(_container({"never": true, "because": "tail follows its files, without end"}))
}

test_pass_what_may_end if {
	failing := _container({"exitCode": 1, "because": "false fails and ends"})
	task := object.union(failing, {"restartAlways": {"state": "absent"}})
	count(rule.report) == 0 with input as _input(task)
}

test_pass_hook_that_may_pass if {
	every state in ["absent", "unknown"] {
		count(rule.report) == 0 with input as _input(_container({"state": state}))
	}
}
