package forestall.rules["service-selects-nothing_test"]

import data.forestall.rules["service-selects-nothing"] as rule

_input(selects) := {"service": {"name": "web", "selects": object.union(
	{"path": "spec.selector", "labels": {"app": "wbe", "tier": "front"}},
	selects,
)}}

_finding := {
	"rule": "service-selects-nothing",
	"cause": "service-selector/spec.selector",
	"level": "warn",
	"certainty": "likely",
	"category": "service",
	"failure": "no endpoints, connections are refused",
	"links": [
		concat("", [
			"https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/",
			"#does-the-service-have-any-endpointslices",
		]),
		"https://kubernetes.io/docs/concepts/services-networking/service/#defining-a-service",
	],
	"path": "spec.selector",
	"reason": "no endpoints, no pod has the labels app=wbe, tier=front",
	"what": concat(" ", [
		"kubectl get endpointslices shows no endpoints for this Service, however long it waits: connections to it are",
		"refused, and where it is headless its name resolves to nothing.",
	]),
}

test_fail_near_miss if {
	near := {"kind": "Deployment", "name": "web", "labels": {"app": "web"}}
	report := rule.report with input as _input({"state": "absent", "nearest": near})
	report == {object.union(_finding, {
		"why": concat(" ", [
			"the selector asks for app=wbe, tier=front, which no pod template in this set has;",
			"the nearest is Deployment \"web\", with app=web.",
		]),
		"fix": concat(" ", [
			"write selector: {app: \"web\"}, as the pods of Deployment \"web\" are labelled,",
			"or give those pods the labels of the selector.",
		]),
	})}
}

test_fail_nothing_near if {
	report := rule.report with input as _input({"state": "absent"})
	report == {object.union(_finding, {
		"why": "the selector asks for app=wbe, tier=front, which no pod template in this set has.",
		"fix": "write the labels of the pods that it is for into selector, or add the workload that is missing.",
	})}
}

test_pass_selected_or_unknown if {
	every state in ["present", "unknown"] {
		count(rule.report) == 0 with input as _input({"state": state})
	}
}
