package forestall.rules["sidecar-readiness-gates-service_test"]

import data.forestall.rules["sidecar-readiness-gates-service"] as rule

_web := {"name": "web", "kind": "regular", "image": {}, "gate": {"state": "absent"}}

_helper(name, state) := {
	"name": name,
	"kind": "regular",
	"image": {"text": "registry.example.com/shop/helper:1"},
	"gate": {"state": state, "path": "c.readinessProbe", "services": ["shop"], "to": "web"},
	"probes": {"readiness": {"port": "health", "target": {"number": 8081}}},
}

_input(helper) := {"containers": [_web, helper], "workload": {"kind": "Pod"}, "cluster": {"services": ["shop"]}}

test_fail_helper if {
	report := rule.report with input as _input(_helper("logs", "present"))
	report == {{
		"rule": "sidecar-readiness-gates-service",
		"cause": "probe-port/8081",
		"level": "audit",
		"certainty": "possible",
		"category": "probes",
		"failure": "the Service has no ready endpoint, although its container works",
		"links": [
			"https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-conditions",
			"https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/",
		],
		"container": "logs",
		"path": "c.readinessProbe",
		"reason": "its readiness takes \"web\" out of Service \"shop\"",
		"what": concat(" ", [
			"while \"logs\" is not ready, \"web\" gets no requests however well it works.",
			"The pod as a whole is not Ready: Service \"shop\" leaves it out, although \"web\" may be fine.",
		]),
		"why": concat(" ", [
			"Service \"shop\" sends to container \"web\";",
			"container \"logs\" has a readinessProbe, and none of the ports that are sent to.",
		]),
		"fix": concat(" ", [
			"if requests do not pass through \"logs\", remove its readinessProbe;",
			"a livenessProbe restarts it where it hangs.",
		]),
	}}
}

test_fail_many_services if {
	gate := {"gate": {"services": ["a", "b"], "moreServices": 9}}
	some found in rule.report with input as _input(object.union(_helper("logs", "present"), gate))
	found.reason == `its readiness takes "web" out of Service "a", Service "b" and 9 others`
}

test_pass_proxy if {
	count(rule.report) == 0 with input as _input(_helper("mesh-proxy", "present"))
}

test_pass_no_gate if {
	every state in ["absent", "unknown"] {
		count(rule.report) == 0 with input as _input(_helper("logs", state))
	}
}

# The container that the Service sends to is the front of this one.
test_pass_main if {
	helper := _helper("engine", "present")
	doc := {"containers": [helper, _web], "workload": {"kind": "Pod"}, "cluster": {"services": ["shop"]}}
	count(rule.report) == 0 with input as doc
	count(rule.report) == 1 with input as json.patch(doc, [{
		"op": "replace",
		"path": "/containers/0/name",
		"value": "config-reloader",
	}])
}
