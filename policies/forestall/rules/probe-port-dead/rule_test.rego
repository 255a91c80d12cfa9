package forestall.rules["probe-port-dead_test"]

import data.forestall.rules["probe-port-dead"] as rule

_asks(probe, handler) := {"probe": probe, "handler": handler, "path": sprintf("c.%sProbe.%s.port", [probe, handler])}

_stress(probes) := {
	"name": "stress",
	"kind": "regular",
	"listens": {"state": "absent"},
	"ports": {"state": "absent"},
	"restartPolicy": "Always",
	"restartAlways": {"state": "present"},
	"probes": {"liveness": {"patience": {"atMostSeconds": 30}}, "startup": {"patience": {"atMostSeconds": 60}}},
	"probedPorts": [{"number": 8080, "probes": probes, "mentioned": {"state": "absent"}}],
}

_both := [_asks("readiness", "httpGet"), _asks("liveness", "httpGet")]

_web := {
	"name": "web",
	"kind": "regular",
	"listens": {"state": "unknown"},
	"ports": {"state": "present", "declared": [{"number": 80, "protocol": "TCP"}]},
}

_deployment := {"kind": "Deployment", "replicas": 1, "rollout": {"strategy": "RollingUpdate", "maxUnavailable": 0}}

_report(containers, workload) := report if {
	report := rule.report with input as {
		"containers": containers,
		"workload": workload,
		"cluster": {"services": ["shop"]},
	}
}

_mentioned(stress, mentions) := json.patch(stress, [{
	"op": "replace",
	"path": "/probedPorts/0/mentioned",
	"value": mentions,
}])

test_fail_beside_the_server if {
	_report([_web, _stress(_both)], _deployment) == {{
		"rule": "probe-port-dead",
		"cause": "probe-port/8080",
		"level": "deny",
		"certainty": "certain",
		"category": "probes",
		"failure": "never Ready, or restarted for ever",
		"links": [
			"https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/",
			"https://kubernetes.io/docs/concepts/workloads/pods/#pod-networking",
		],
		"container": "stress",
		"path": "c.readinessProbe.httpGet.port",
		"reason": "never Ready and restarted for ever, nothing listens on port 8080",
		"what": concat(" ", [
			"each probe fails; event Unhealthy: Readiness probe failed: connection refused. After about 30s the kubelet",
			"stops the container: it is started again at once, then after 10s, 20s, 40s, up to 5m",
			"(CrashLoopBackOff), without end.",
			"The pod as a whole is not Ready: Service \"shop\" leaves it out, although \"web\" may be fine.",
			"A roll-out stalls (maxUnavailable is 0) and the old version keeps running.",
		]),
		"why": concat(" ", [
			"readinessProbe and livenessProbe ask for port 8080, and container \"stress\" opens no port;",
			"the pod declares 80 (\"web\").",
		]),
		"fix": concat(" ", [
			"remove readinessProbe and livenessProbe from \"stress\",",
			"or ask a port where something listens: 80 (\"web\").",
		]),
	}}
}

test_fail_alone if {
	some finding in _report([_stress([_asks("readiness", "tcpSocket")])], {"kind": "Pod"})
	finding.reason == "never Ready, nothing listens on port 8080"
	finding.fix == "remove readinessProbe from \"stress\", or let its command run what listens on 8080."
}

test_fail_beside_another_that_opens_none if {
	other := object.union(_web, {"listens": {"state": "absent"}, "ports": {"state": "absent"}})
	some finding in _report([other, _stress([_asks("liveness", "grpc")])], {"kind": "Pod"})
	finding.reason == "restarted for ever, nothing listens on port 8080"
	endswith(finding.why, "container \"stress\" opens no port; nothing else in the pod does.")
}

test_pass_it_may_listen if {
	every state in ["present", "unknown"] {
		count(_report([object.union(_stress(_both), {"listens": {"state": state}})], _deployment)) == 0
	}
}

test_pass_another_may_listen if {
	stress := _stress(_both)
	count(_report([object.union(_web, {"ports": {"state": "absent"}}), stress], _deployment)) == 0
	places := [{"container": "web", "path": "spec.containers[0].ports[0]"}]
	count(_report([_web, _mentioned(stress, {"state": "present", "places": places})], _deployment)) == 0
	count(_report([_web, _mentioned(stress, {"state": "unknown", "elsewhere": ["web"]})], _deployment)) == 0
}

test_fail_only_itself_mentions_it if {
	places := [{"container": "stress", "path": "spec.containers[1].ports[0]"}]
	count(_report([_web, _mentioned(_stress(_both), {"state": "present", "places": places})], _deployment)) == 1
}

test_pass_command_asks if {
	count(_report([_stress([_asks("liveness", "exec")])], _deployment)) == 0
}

test_pass_readiness_in_a_job if {
	count(rule.report) == 0 with input as {
		"containers": [_stress([_asks("readiness", "httpGet")])],
		"workload": {"kind": "Job"},
		"cluster": {},
	}
	count(_report([_stress([_asks("liveness", "httpGet")])], {"kind": "Job"})) == 1
}

test_pass_it_ends if {
	stress := object.union(_stress(_both), {"command": {"ends": {"state": "present"}}})
	count(_report([_web, stress], _deployment)) == 0
}

_endless(probe) := json.patch(_stress([_asks(probe, "tcpSocket")]), [{
	"op": "add",
	"path": sprintf("/probes/%s/patience/endless", [probe]),
	"value": true,
}])

# A startup probe that never passes keeps the pod from being Ready, however long it may fail.
test_switched_off if {
	count(_report([_endless("liveness")], _deployment)) == 0
	some finding in _report([_endless("startup")], _deployment)
	finding.reason == "never Ready, nothing listens on port 8080"
	not contains(finding.what, "stops the container")
}
