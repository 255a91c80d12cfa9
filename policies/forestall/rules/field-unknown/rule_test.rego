package forestall.rules["field-unknown_test"]

import data.forestall.rules["field-unknown"] as rule

_container := "spec.template.spec.containers[0]"

_input(unknown) := {
	"workload": {"kind": "Deployment"},
	"manifest": {"unknownFields": {"state": "present", "release": "1.37", "fields": [unknown]}},
}

_what(path, names) := concat("", [
	sprintf("kubectl apply refuses it (strict decoding error: unknown field %q). ", [path]),
	"With --validate=false, and from clients that do not ask for strict validation, ",
	sprintf("the API server drops %s: no error says so, and nothing comes of it.", [names]),
])

test_fail_mistyped if {
	path := concat(".", [_container, "comand"])
	report := rule.report with input as _input({
		"path": path, "object": _container, "container": "web", "names": ["comand"], "meant": ["command"],
	})
	report == {{
		"rule": "field-unknown",
		"cause": sprintf("unknown-field/%s", [path]),
		"level": "warn",
		"certainty": "likely",
		"category": "manifest",
		"failure": "refused (strict decoding error), or without effect",
		"links": ["https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation"],
		"container": "web",
		"path": path,
		"reason": "refused or lost, the API has no field comand here: did you mean command?",
		"what": _what(path, "comand"),
		"why": sprintf("in Kubernetes 1.37 %s has no field comand; it has command.", [_container]),
		"fix": "write command instead of comand.",
	}}
}

test_fail_block if {
	report := rule.report with input as _input({
		"path": "spec.template.spec.env",
		"object": "spec.template.spec",
		"names": ["env", "ports"],
		"places": ["spec.template.spec.containers[].env"],
	})
	{f.reason | some f in report} == {"refused or lost, the API has no fields env, ports here"}
	{f.why | some f in report} == {concat("", [
		"in Kubernetes 1.37 spec.template.spec has no fields env, ports;",
		" env has its place at spec.template.spec.containers[].env.",
	])}
	{f.fix | some f in report} == {"move env, ports to spec.template.spec.containers[]."}
	{f.what | some f in report} == {_what("spec.template.spec.env", "env, ports")}
}

test_fail_unlike_all if {
	names := ["a", "b", "c", "d", "e", "f", "g", "h"]
	report := rule.report with input as _input({"path": "spec.a", "object": "spec", "names": names})
	{f.reason | some f in report} == {"refused or lost, the API has no fields a, b, c, d, e, f, and 2 more here"}
	{f.fix | some f in report} == {concat("", [
		"remove a, b, c, d, e, f, and 2 more,",
		" or write one of: kubectl explain deployment.spec",
	])}
}

test_fail_at_the_root if {
	report := rule.report with input as _input({"path": "x", "object": "", "names": ["x"]})
	{f.why | some f in report} == {"in Kubernetes 1.37 a Deployment has no field x."}
	{f.fix | some f in report} == {"remove x, or write one of: kubectl explain deployment"}
}

test_pass_none if {
	every state in ["absent", "unknown"] {
		count(rule.report) == 0 with input as {"manifest": {"unknownFields": {"state": state}}}
	}
}
