package forestall.rules["service-target-port-undefined_test"]

import data.forestall.rules["service-target-port-undefined"] as rule

_port(state, declared) := {
	"port": 80,
	"targetPort": "web",
	"protocol": "TCP",
	"target": {"state": state, "path": "spec.ports[0].targetPort"},
	"declared": declared,
}

_input(port) := {"service": {
	"name": "board",
	"selects": {"state": "present", "templates": [{"kind": "Deployment", "name": "board", "labels": {}}]},
	"ports": [port],
}}

_finding := {
	"rule": "service-target-port-undefined",
	"cause": "service-port/spec.ports[0].targetPort",
	"level": "warn",
	"certainty": "likely",
	"category": "service",
	"failure": "the endpoints lack the port, connections to it are refused",
	"links": [
		"https://kubernetes.io/docs/concepts/services-networking/service/#field-spec-ports",
		"https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/api/v1/pod/util.go",
	],
	"path": "spec.ports[0].targetPort",
	"reason": "port 80 reaches nobody, no container declares a port named \"web\"",
	"what": concat(" ", [
		"kubectl get endpointslices lists the pods without port 80, also when they are Ready: connections to it are refused.",
		"The pods themselves show nothing.",
	]),
}

test_fail_another_name if {
	report := rule.report with input as _input(_port("absent", [{"name": "wep", "number": 8080, "protocol": "TCP"}]))
	report == {object.union(_finding, {
		"why": "targetPort is the name \"web\" (TCP); the pods of Deployment \"board\" declare \"wep\" (TCP 8080).",
		"fix": "write targetPort: wep, or name the port of the container web.",
		"suggestions": [{"op": "set", "path": "spec.ports[0].targetPort", "value": "wep"}],
	})}
}

test_fail_the_only_port_may_be_another if {
	wep := {"name": "wep", "number": 8080, "protocol": "TCP"}
	some finding in rule.report with input as _input(object.union(_port("absent", [wep]), {"targetPort": "metrics"}))
	not finding.suggestions
	two := [_port("absent", [wep]), object.union(_port("present", [wep]), {"targetPort": "wep"})]
	some among_others in rule.report with input as {"service": object.union(_input({}).service, {"ports": two})}
	not among_others.suggestions
}

test_fail_no_names if {
	report := rule.report with input as _input(_port("absent", []))
	report == {object.union(_finding, {
		"why": "targetPort is the name \"web\" (TCP); the pods of Deployment \"board\" declare no ports with a name.",
		"fix": concat(" ", [
			"add name: web to the port of the container that it is for,",
			"or write the number of that port as targetPort.",
		]),
	})}
}

test_fail_another_protocol if {
	report := rule.report with input as _input(_port("absent", [{"name": "web", "number": 8080, "protocol": "UDP"}]))
	report == {object.union(_finding, {
		"why": "targetPort is the name \"web\" (TCP); the pods of Deployment \"board\" declare \"web\" (UDP 8080).",
		"fix": "write protocol: UDP for port 80 of the Service: the container declares \"web\" for it.",
	})}
}

# The name is right, so that another port is not what was meant.
test_fail_another_protocol_beside_another_name if {
	some finding in rule.report with input as _input(_port("absent", [
		{"name": "web", "number": 8080, "protocol": "UDP"},
		{"name": "admin", "number": 9090, "protocol": "TCP"},
	]))
	finding.fix == "write protocol: UDP for port 80 of the Service: the container declares \"web\" for it."
	not finding.suggestions
}

test_pass_declared_or_unknown if {
	every state in ["present", "unknown"] {
		count(rule.report) == 0 with input as _input(_port(state, []))
	}
}
