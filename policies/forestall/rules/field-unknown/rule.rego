# METADATA
# title: Field that the API does not know
# description: >-
#   The manifest has a field that the API does not know at this place: a name that is mistyped, or a block that stands
#   in the wrong object. kubectl apply refuses it; clients that validate less lose it, and it has no effect.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation
#     description: What the API server does with unknown fields
# custom:
#   category: manifest
#   concern: unknown-field
#   certainty: likely
#   judges:
#     - {of: manifest, fact: unknownFields, state: present}
#   failure: refused (strict decoding error), or without effect
#   unconfirmed: the field is refused or dropped before anything runs
#   remediation: Write the name as the API has it, at the place where it belongs.
#   since: v0.1.0
package forestall.rules["field-unknown"]

import data.forestall.lib.result

report contains result.finding(rego.metadata.chain(), object.union(_container(unknown), {
	"cause": unknown.path,
	"path": unknown.path,
	"reason": sprintf("refused or lost, the API has no %s here%s", [_fields(unknown), _question(unknown)]),
	"what": concat(" ", [
		sprintf("kubectl apply refuses it (strict decoding error: unknown field %q).", [unknown.path]),
		"With --validate=false, and from clients that do not ask for strict validation, the API server drops",
		sprintf("%s: no error says so, and nothing comes of it.", [_names(unknown)]),
	]),
	"why": sprintf("in Kubernetes %s %s has no %s%s.", [
		input.manifest.unknownFields.release,
		_object(unknown),
		_fields(unknown),
		_known(unknown),
	]),
	"fix": _fix(unknown),
})) if {
	some unknown in input.manifest.unknownFields.fields
}

_container(unknown) := {"container": unknown.container} if {
	unknown.container
} else := {}

_object(unknown) := unknown.object if {
	unknown.object != ""
} else := sprintf("a %s", [input.workload.kind])

_fields(unknown) := sprintf("field %s", [_names(unknown)]) if {
	count(unknown.names) == 1
} else := sprintf("fields %s", [_names(unknown)])

_names(unknown) := concat(", ", array.concat(_listed(unknown), _more(unknown)))

_listed(unknown) := array.slice(unknown.names, 0, 6)

_more(unknown) := [sprintf("and %d more", [more]) |
	more := count(unknown.names) - count(_listed(unknown))
	more > 0
]

_question(unknown) := sprintf(": did you mean %s?", [concat(" or ", unknown.meant)]) if {
	unknown.meant
} else := ""

_known(unknown) := sprintf("; it has %s", [concat(" and ", unknown.meant)]) if {
	unknown.meant
} else := sprintf("; %s has its place at %s", [unknown.names[0], concat(" or ", unknown.places)]) if {
	unknown.places
} else := ""

_fix(unknown) := sprintf("write %s instead of %s.", [concat(" or ", unknown.meant), unknown.names[0]]) if {
	unknown.meant
} else := sprintf("move %s to %s.", [_names(unknown), concat(" or ", _targets(unknown))]) if {
	unknown.places
} else := sprintf("remove %s, or write one of: kubectl explain %s", [_names(unknown), _explained(unknown)])

# Several fields move into the object that has the first of them.
_targets(unknown) := unknown.places if {
	count(unknown.names) == 1
} else := [trim_suffix(place, sprintf(".%s", [unknown.names[0]])) | some place in unknown.places]

_explained(unknown) := trim_suffix(sprintf("%s.%s", [lower(input.workload.kind), place]), ".") if {
	place := regex.replace(unknown.object, `\[[^\]]*\]`, "")
}
