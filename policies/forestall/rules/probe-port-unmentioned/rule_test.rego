package forestall.rules["probe-port-unmentioned_test"]

import data.forestall.rules["probe-port-unmentioned"] as rule

_container(ports, handler, state) := {
	"name": "web",
	"kind": "regular",
	"ports": ports,
	"restartPolicy": "Always",
	"probes": {},
	"probedPorts": [{
		"number": 8086,
		"probes": [{"probe": "readiness", "handler": handler, "path": "c.probe"}],
		"mentioned": {"state": state},
	}],
}

_declared := {"state": "present", "declared": [{"number": 8080, "protocol": "TCP"}]}

_count(container) := n if {
	n := count(rule.report) with input as {"containers": [container], "workload": {"kind": "Pod"}, "cluster": {}}
}

test_fail_undeclared if {
	report := rule.report with input as {
		"containers": [_container(_declared, "httpGet", "absent")],
		"workload": {"kind": "Pod"},
		"cluster": {},
	}
	report == {{
		"rule": "probe-port-unmentioned",
		"cause": "probe-port/8086",
		"level": "audit",
		"certainty": "possible",
		"category": "probes",
		"failure": "never Ready, or restarted for ever",
		"links": ["https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/"],
		"container": "web",
		"path": "c.probe",
		"reason": "readinessProbe asks for port 8086, which nothing else in the pod mentions",
		"what": concat(" ", [
			"if nothing listens on 8086, each probe fails; event Unhealthy: Readiness probe failed: connection refused.",
			"The pod as a whole is not Ready: Services leave it out.",
		]),
		"why": concat(" ", [
			"container \"web\" declares 8080 (without a name).",
			"Nothing in the pod's ports, commands, arguments and variables mentions 8086.",
		]),
		"fix": concat(" ", [
			"if the container listens on 8086, declare it: ports: [{containerPort: 8086}];",
			"otherwise let the probe ask 8080.",
		]),
	}}
}

test_pass_mentioned_or_unknown if {
	every state in ["present", "unknown"] {
		_count(_container(_declared, "httpGet", state)) == 0
	}
}

test_pass_nothing_declared if {
	_count(_container({"state": "absent"}, "httpGet", "absent")) == 0
}

test_pass_command if {
	_count(_container(_declared, "exec", "absent")) == 0
}
