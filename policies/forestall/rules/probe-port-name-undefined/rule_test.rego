package forestall.rules["probe-port-name-undefined_test"]

import data.forestall.rules["probe-port-name-undefined"] as rule

_unasked := {"state": "absent", "target": {"state": "unknown"}}

_undefined(probe, port) := {
	"state": "present",
	"port": port,
	"target": {"state": "absent", "path": sprintf("c.%sProbe.httpGet.port", [probe])},
}

_probes := {"startup": _unasked, "readiness": _undefined("readiness", "web"), "liveness": _undefined("liveness", "web")}

_container(kind, probes) := {
	"name": "query",
	"kind": kind,
	"path": "c",
	"probes": probes,
	"ports": {"state": "present", "declared": [{"number": 8080}]},
}

_deployment := {
	"kind": "Deployment",
	"replicas": 1,
	"rollout": {"strategy": "RollingUpdate", "maxUnavailable": 0, "progressDeadlineSeconds": 600},
}

_input(container, workload, cluster) := {"containers": [container], "workload": workload, "cluster": cluster}

test_fail_readiness_and_liveness if {
	report := rule.report with input as _input(_container("regular", _probes), _deployment, {"services": ["query"]})
	report == {{
		"rule": "probe-port-name-undefined",
		"cause": "probe-port/web",
		"level": "deny",
		"certainty": "certain",
		"category": "probes",
		"failure": "never Ready, or refused by the API server",
		"links": [
			"https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/",
			"https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/probe/util.go",
			"https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/prober/worker.go",
		],
		"container": "query",
		"path": "c.readinessProbe.httpGet.port",
		"reason": "never Ready, readinessProbe names port \"web\", which is not declared",
		"what": concat(" ", [
			"kubectl shows Running, READY 0/1 and no restarts. Event Unhealthy: Readiness probe errored and resulted",
			"in unknown state: strconv.Atoi: parsing \"web\". The pod as a whole is not Ready: Service \"query\" leaves it",
			"out. A roll-out stalls (maxUnavailable is 0) and the old version keeps running, and after 10 minutes it is",
			"reported as failed (ProgressDeadlineExceeded).",
		]),
		"why": concat(" ", [
			"readinessProbe and livenessProbe ask for port \"web\";",
			"container \"query\" declares 8080 (without a name). A name is looked up there alone.",
		]),
		"fix": "add name: web to containerPort 8080, or write the number in the probe (port: 8080).",
		"suggestions": [{"op": "add", "path": "c.ports[0].name", "value": "web"}],
	}}
}

test_fail_startup_first if {
	probes := object.union(_probes, {"startup": _undefined("startup", "health")})
	some finding in rule.report with input as _input(_container("regular", probes), {"kind": "Pod"}, {})
	finding.path == "c.startupProbe.httpGet.port"
	not finding.suggestions # two names
	startswith(finding.why, "startupProbe and readinessProbe and livenessProbe ask for port \"health\", \"web\";")
}

test_fail_sidecar_of_a_job if {
	container := _container("sidecar", {
		"startup": _undefined("startup", "health"),
		"readiness": _unasked,
		"liveness": _unasked,
	})
	some finding in rule.report with input as _input(container, {"kind": "Job"}, {})
	startswith(finding.what, "kubectl shows Init:0/1: the containers after \"query\" never start.")
	endswith(finding.what, "The Job never completes.")
}

test_pass_readiness_in_a_job if {
	count(rule.report) == 0 with input as _input(_container("regular", _probes), {"kind": "Job"}, {})
}

test_fail_readiness_in_a_job_that_serves if {
	count(rule.report) == 1 with input as _input(_container("regular", _probes), {"kind": "Job"}, {"services": ["query"]})
}

test_pass_liveness_alone if {
	probes := object.union(_probes, {"readiness": _unasked})
	count(rule.report) == 0 with input as _input(_container("regular", probes), _deployment, {})
}

test_pass_declared_or_unknown if {
	every state in ["present", "unknown"] {
		probes := {"startup": _unasked, "readiness": {"target": {"state": state}}, "liveness": _unasked}
		count(rule.report) == 0 with input as _input(_container("regular", probes), _deployment, {})
	}
}

_refused := {"target": {"refused": "must be no more than 15 characters"}}

test_fail_refused if {
	liveness := object.union(_undefined("liveness", "WEB"), _refused)
	probes := {"startup": _unasked, "readiness": _unasked, "liveness": liveness}
	some finding in rule.report with input as _input(_container("regular", probes), {"kind": "Job"}, {})
	finding.reason == "the API server refuses it, livenessProbe names port \"WEB\""
	finding.what == concat(" ", [
		"kubectl apply ends with an error: c.livenessProbe.httpGet.port: Invalid value: \"WEB\":",
		"must be no more than 15 characters.",
	])
	not finding.suggestions
}

# All probes ask a TCP port.
test_no_suggestion_of_an_udp_port if {
	container := json.patch(_container("regular", _probes), [{
		"op": "add",
		"path": "/ports/declared/0/protocol",
		"value": "UDP",
	}])
	some finding in rule.report with input as _input(container, _deployment, {})
	not finding.suggestions
	finding.fix == "write the number in the probe, or declare it: ports: [{name: web, containerPort: <number>}]."
}
