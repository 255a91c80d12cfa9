# METADATA
# title: Field that stands twice
# description: >-
#   The same field stands twice in one object of the manifest. kubectl takes the last one and says nothing, so that
#   what stands first has no effect.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation
#     description: What the API server does with duplicate fields
#   - ref: https://yaml.org/spec/1.2.2/#3213-node-comparison
#     description: The keys of a mapping in YAML are unique
# custom:
#   category: manifest
#   concern: repeated-field
#   certainty: likely
#   judges:
#     - {of: manifest, fact: repeatedFields, state: present}
#   failure: without effect
#   unconfirmed: the first value is lost before the API server sees it, and nothing fails visibly
#   remediation: Keep one of the two.
#   since: v0.1.0
package forestall.rules["field-repeated"]

import data.forestall.lib.result

report contains result.finding(rego.metadata.chain(), object.union(_texts(field), {
	"cause": field.path,
	"path": field.path,
	"why": sprintf("%s stands on line %d and again on line %d; the last one counts.", _place(field)),
})) if {
	some field in input.manifest.repeatedFields.fields
}

_place(field) := [field.path, field.first, field.last]

_texts(field) := {
	"reason": sprintf("nothing is lost yet, %s stands twice (lines %d and %d)", _place(field)),
	"what": concat(" ", [
		"nothing, as long as both say the same: kubectl takes the last one.",
		"Strict readers such as Kustomize refuse the file, and who changes the first one changes nothing.",
	]),
	"fix": sprintf("remove the one on line %d.", [field.first]),
} if {
	field.same
} else := {
	"reason": sprintf("the first value is lost, %s stands twice (lines %d and %d)", _place(field)),
	"what": concat(" ", [
		sprintf("kubectl takes the value on line %d and says nothing:", [field.last]),
		sprintf("the one on line %d has no effect.", [field.first]),
		"Strict readers such as Kustomize refuse the file.",
	]),
	"fix": sprintf("put what is meant into the one on line %d, and remove the one on line %d.", [field.last, field.first]),
}
