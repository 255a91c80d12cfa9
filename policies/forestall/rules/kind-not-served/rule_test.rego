package forestall.rules["kind-not-served_test"]

import data.forestall.rules["kind-not-served"] as rule

_removed := {
	"state": "present", "path": "apiVersion", "apiVersion": "extensions/v1beta1", "kind": "Deployment", "since": "1.16",
	"writeAPIVersion": "apps/v1", "writeKind": "Deployment", "needsSelector": true,
}

_input(operation, unserved, labels) := {
	"request": {"operation": operation},
	"workload": {"unserved": unserved},
	"pod": {"metadata": {"labels": labels}},
}

test_fail_removed if {
	report := rule.report with input as _input("AUDIT", _removed, {"app": "shop"})
	report == {{
		"rule": "kind-not-served",
		"cause": "api-version/apiVersion",
		"level": "deny",
		"certainty": "certain",
		"category": "api",
		"failure": "no matches for kind, nothing is created",
		"links": [
			"https://kubernetes.io/docs/reference/using-api/deprecation-guide/",
			"https://kubernetes.io/docs/reference/kubectl/generated/kubectl_convert/",
		],
		"path": "apiVersion",
		"reason": "kubectl apply fails, no API server knows Deployment of extensions/v1beta1 since Kubernetes 1.16",
		"what": concat(" ", [
			`kubectl apply ends with an error: no matches for kind "Deployment" in version "extensions/v1beta1".`,
			"The object is not created, and nothing of it runs.",
		]),
		"why": concat(" ", [
			"Kubernetes 1.16 has removed it; Deployment of apps/v1 is what replaces it,",
			"and as that it is judged here.",
		]),
		"fix": concat(" ", [
			`write apiVersion: apps/v1, and in spec selector: {matchLabels: {app: "shop"}},`,
			"which is not taken from the template any more.",
		]),
		"suggestions": [
			{"op": "set", "path": "apiVersion", "value": "apps/v1"},
			{"op": "set", "path": "kind", "value": "Deployment"},
			{"op": "add", "path": "spec.selector", "value": {"matchLabels": {"app": "shop"}}},
		],
	}}
}

test_fail_without_labels if {
	some finding in rule.report with input as _input("AUDIT", _removed, {})
	finding.fix == "write apiVersion: apps/v1, and in spec a selector, with labels that it matches in the template."
	not finding.suggestions
}

test_fail_never_served if {
	other := {
		"state": "present", "path": "kind", "apiVersion": "apps/v1", "kind": "deployment",
		"writeAPIVersion": "apps/v1", "writeKind": "Deployment",
	}
	some finding in rule.report with input as _input("AUDIT", other, {})
	finding.reason == "kubectl apply fails, no API server knows deployment of apps/v1"
	finding.why == concat(" ", [
		"apps/v1 has no kind deployment; Deployment of apps/v1 is what seems to be meant,",
		"and as that it is judged here.",
	])
	startswith(finding.what, `kubectl apply ends with an error: no kind "deployment" is registered for version "apps/v1".`)
	finding.fix == "write kind: Deployment."
	count(finding.suggestions) == 2
}

test_pass_in_a_request if count(rule.report) == 0 with input as _input("CREATE", _removed, {"app": "shop"})

test_pass_served if count(rule.report) == 0 with input as _input("AUDIT", {"state": "absent"}, {})
