package forestall.rules["liveness-port-name-undefined_test"]

import data.forestall.rules["liveness-port-name-undefined"] as rule

_container(state) := {
	"name": "web",
	"path": "c",
	"ports": {"state": "present", "declared": [{"number": 8080, "name": "http"}]},
	"probes": {"liveness": {
		"state": "present",
		"port": "web",
		"target": {"state": state, "path": "c.livenessProbe.tcpSocket.port"},
	}},
}

test_fail_undefined if {
	report := rule.report with input as {"containers": [_container("absent")]}
	report == {{
		"rule": "liveness-port-name-undefined",
		"cause": "probe-port/web",
		"level": "warn",
		"certainty": "likely",
		"category": "probes",
		"failure": "a container that hangs is never restarted",
		"links": [
			"https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/",
			"https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/prober/worker.go",
		],
		"container": "web",
		"path": "c.livenessProbe.tcpSocket.port",
		"reason": "liveness never acts, livenessProbe names port \"web\", which is not declared",
		"what": concat(" ", [
			"kubectl shows Running and READY, also when the container hangs: it is never restarted. Event Unhealthy:",
			"Liveness probe errored and resulted in unknown state: strconv.Atoi: parsing \"web\".",
		]),
		"why": concat(" ", [
			"livenessProbe asks for port \"web\"; container \"web\" declares",
			"\"http\" (8080). A name is looked up there alone.",
		]),
		"fix": "name a port that is declared (port: http), or add the port \"web\" to c.ports.",
	}}
}

test_fail_declared_elsewhere if {
	other := {"name": "db", "ports": {"declared": [{"number": 90, "name": "web"}]}}
	some finding in rule.report with input as {"containers": [_container("absent"), other]}
	finding.fix == "container \"db\" declares \"web\": write its number, port: 90. Names are not shared, ports are."
}

test_pass_declared_or_unknown if {
	every state in ["present", "unknown"] {
		count(rule.report) == 0 with input as {"containers": [_container(state)]}
	}
}
