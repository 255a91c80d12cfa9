package forestall.rules["field-repeated_test"]

import data.forestall.rules["field-repeated"] as rule

_input(same) := {"manifest": {"repeatedFields": {
	"state": "present",
	"fields": [{"path": "spec.containers[0].env", "first": 12, "last": 18, "same": same}],
}}}

test_fail_two_values if {
	report := rule.report with input as _input(false)
	report == {{
		"rule": "field-repeated",
		"cause": "repeated-field/spec.containers[0].env",
		"level": "warn",
		"certainty": "likely",
		"category": "manifest",
		"failure": "without effect",
		"links": [
			"https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation",
			"https://yaml.org/spec/1.2.2/#3213-node-comparison",
		],
		"path": "spec.containers[0].env",
		"reason": "the first value is lost, spec.containers[0].env stands twice (lines 12 and 18)",
		"what": concat("", [
			"kubectl takes the value on line 18 and says nothing: the one on line 12 has no effect.",
			" Strict readers such as Kustomize refuse the file.",
		]),
		"why": "spec.containers[0].env stands on line 12 and again on line 18; the last one counts.",
		"fix": "put what is meant into the one on line 18, and remove the one on line 12.",
	}}
}

test_fail_same_value if {
	report := rule.report with input as _input(true)
	{f.reason | some f in report} == {concat("", [
		"nothing is lost yet,",
		" spec.containers[0].env stands twice (lines 12 and 18)",
	])}
	{f.what | some f in report} == {concat(" ", [
		"nothing, as long as both say the same: kubectl takes the last one.",
		"Strict readers such as Kustomize refuse the file, and who changes the first one changes nothing.",
	])}
	{f.fix | some f in report} == {"remove the one on line 12."}
}

test_pass_none if {
	every state in ["absent", "unknown"] {
		count(rule.report) == 0 with input as {"manifest": {"repeatedFields": {"state": state}}}
	}
}
