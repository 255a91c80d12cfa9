package forestall.rules["probe-port-moved_test"]

import data.forestall.rules["probe-port-moved"] as rule

_probed(probe, handler, state) := {
	"number": 8080,
	"probes": [{"probe": probe, "handler": handler, "path": "c.probe"}],
	"mentioned": {"state": state},
}

_container(ports, probed) := {
	"name": "web",
	"kind": "regular",
	"ports": ports,
	"probedPorts": [probed],
	"restartPolicy": "Always",
	"restartAlways": {"state": "present"},
	"probes": {"liveness": {"patience": {"atMostSeconds": 30}}},
}

_flag := {"state": "absent", "named": [{"number": 9000, "text": "--port=9000", "served": true}]}

_declared := {"state": "present", "declared": [{"number": 53, "protocol": "UDP"}, {"number": 18080, "protocol": "TCP"}]}

_input(containers) := {"containers": containers, "workload": {"kind": "Pod"}, "cluster": {}}

_count(ports, probed) := n if {
	n := count(rule.report) with input as _input([_container(ports, probed)])
}

test_fail_flag if {
	report := rule.report with input as _input([_container(_flag, _probed("liveness", "httpGet", "absent"))])
	report == {{
		"rule": "probe-port-moved",
		"cause": "probe-port/8080",
		"level": "warn",
		"certainty": "likely",
		"category": "probes",
		"failure": "never Ready, or restarted for ever",
		"links": ["https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/"],
		"container": "web",
		"path": "c.probe",
		"reason": "livenessProbe asks for port 8080, but the container is started with --port=9000",
		"what": concat(" ", [
			"if nothing listens on 8080, each probe fails; event Unhealthy: Liveness probe failed: connection refused. After",
			"about 30s the kubelet stops the container: it is started again at once, then after 10s, 20s, 40s,",
			"up to 5m (CrashLoopBackOff), without end.",
		]),
		"why": concat(" ", [
			"container \"web\" is started with --port=9000.",
			"Nothing in the pod's ports, commands, arguments and variables mentions 8080.",
		]),
		"fix": "let the probe ask 9000; if the container does listen on 8080, declare it: ports: [{containerPort: 8080}].",
	}}
}

test_fail_declared_and_connected_to if {
	some finding in rule.report with input as _input([_container(_declared, _probed("readiness", "tcpSocket", "absent"))])
	finding.reason == "readinessProbe asks for port 8080, but the container declares 18080"
}

test_pass_declared_and_asked_by_http if {
	_count(_declared, _probed("readiness", "httpGet", "absent")) == 0
}

test_fail_command_asks if {
	some finding in rule.report with input as _input([_container(_flag, _probed("liveness", "exec", "absent"))])
	finding.reason == "livenessProbe asks for port 8080, but the container is started with --port=9000"
	_count(_declared, _probed("liveness", "exec", "absent")) == 0
}

test_pass_command_may_ask_another if {
	container := _container(_flag, _probed("liveness", "exec", "absent"))
	count(rule.report) == 0 with input as _input([container, {"name": "db", "kind": "sidecar"}])
	count(rule.report) == 1 with input as _input([container, {"name": "prepare", "kind": "init"}])
}

test_pass_mentioned_or_unknown if {
	every state in ["present", "unknown"] {
		_count(_flag, _probed("liveness", "httpGet", state)) == 0
	}
}

test_pass_nothing_names_a_port if {
	_count({"state": "absent"}, _probed("liveness", "tcpSocket", "absent")) == 0
}

_flag_of(number, served) := {"state": "absent", "named": [{"number": number, "text": "--port", "served": served}]}

_declares(list) := {"state": "present", "declared": [{"number": n, "protocol": "TCP"} | some n in list]}

_asks(number) := object.union(_probed("readiness", "httpGet", "absent"), {"number": number})

_connects(number) := object.union(_probed("readiness", "tcpSocket", "absent"), {"number": number})

# What may well be a second port of the server, or the port of another one.
test_pass_two_explanations if {
	every c in [
		[_flag_of(8080, true), _asks(9000)], # Keycloak
		[_flag_of(9443, true), _asks(8081)], # controller-runtime
		[_flag_of(9443, true), _asks(8080)],
		[_flag_of(50051, true), _asks(8080)],
		[_flag_of(5432, false), _asks(8080)],
		[_flag_of(9376, true), _asks(19376)],
		[_declares([53]), _connects(8181)], # CoreDNS
		[_declares([10000]), _connects(9901)], # Envoy
		[_declares([18080, 19000]), _connects(8080)],
		[object.union(_flag, {"configured": {"state": "present"}}), _asks(8080)],
		[_flag, object.union(_asks(8080), {"expected": {"state": "present"}})],
		[object.union(_flag, {"declared": [{"number": 9000, "name": "grpc", "protocol": "TCP"}]}), _asks(8080)],
	] {
		_count(c[0], c[1]) == 0
	}
}

test_fail_shifted if {
	_count(_flag_of(18500, true), _asks(8500)) == 1
	_count(_declares([8080]), _connects(80)) == 1
}

test_pass_injected_or_management if {
	mesh := json.patch(_probed("readiness", "httpGet", "absent"), [{"op": "replace", "path": "/number", "value": 15021}])
	_count(_flag, mesh) == 0
	actuator := json.patch(
		_container(_flag, _probed("readiness", "httpGet", "absent")),
		[{"op": "add", "path": "/probes/readiness", "value": {"requestPath": "/actuator/health"}}],
	)
	count(rule.report) == 0 with input as _input([actuator])
}
