# METADATA
# title: Kind that no API server serves in this version
# description: >-
#   No API server knows the kind in the apiVersion in which it is written: the version was removed, as
#   extensions/v1beta1 was with Kubernetes 1.16, or the kind never was in it. Nothing of the object comes into being.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/using-api/deprecation-guide/
#     description: Deprecated API migration guide, what was removed and when
#   - ref: https://kubernetes.io/docs/reference/kubectl/generated/kubectl_convert/
#     description: kubectl convert, which rewrites manifests
# custom:
#   category: api
#   concern: api-version
#   certainty: certain
#   judges:
#     - {of: workload, fact: unserved, state: present}
#   failure: no matches for kind, nothing is created
#   unconfirmed: the API server takes no such object, so that nothing of it is in a cluster
#   remediation: Write the version that is served, and what it asks for besides.
#   since: v0.1.0
#   suggests: true
package forestall.rules["kind-not-served"]

import data.forestall.lib.result

# What comes in a request was served by the API server that sends it.
report contains result.finding(rego.metadata.chain(), object.union(_suggestions, {
	"path": unserved.path,
	"reason": sprintf("kubectl apply fails, no API server knows %s of %s%s", [unserved.kind, unserved.apiVersion, _since]),
	"what": concat(" ", [
		sprintf("kubectl apply ends with an error: %s %q.", [_error, unserved.apiVersion]),
		"The object is not created, and nothing of it runs.",
	]),
	"why": _why,
	"fix": sprintf("write %s%s", [concat(" and ", _changes), _besides]),
})) if {
	unserved.state == "present"
	input.request.operation == "AUDIT"
}

unserved := input.workload.unserved

# In other letters kubectl finds the resource, and the API server refuses what it is sent.
_error := sprintf("no kind %q is registered for version", [unserved.kind]) if {
	unserved.path == "kind"
} else := sprintf("no matches for kind %q in version", [unserved.kind])

_since := sprintf(" since Kubernetes %s", [unserved.since]) if {
	unserved.since
} else := ""

_why := sprintf("Kubernetes %s has removed it; %s of %s is what replaces it, and as that it is judged here.", [
	unserved.since, unserved.writeKind, unserved.writeAPIVersion,
]) if {
	unserved.since
} else := sprintf("%s has no kind %s; %s of %s is what seems to be meant, and as that it is judged here.", [
	unserved.apiVersion, unserved.kind, unserved.writeKind, unserved.writeAPIVersion,
])

_changes := array.concat(
	[sprintf("apiVersion: %s", [unserved.writeAPIVersion]) | unserved.writeAPIVersion != unserved.apiVersion],
	[sprintf("kind: %s", [unserved.writeKind]) | unserved.writeKind != unserved.kind],
)

_besides := sprintf(", and in spec selector: {matchLabels: {%s}}, which is not taken from the template any more.", [
	concat(", ", [sprintf("%s: %s", [key, json.marshal(value)]) | some key, value in _labels]),
]) if {
	unserved.needsSelector
	count(_labels) > 0
} else := ", and in spec a selector, with labels that it matches in the template." if {
	unserved.needsSelector
} else := "."

default _labels := {}

_labels := input.pod.metadata.labels

_suggestions := {"suggestions": array.concat(
	[
		{"op": "set", "path": "apiVersion", "value": unserved.writeAPIVersion},
		{"op": "set", "path": "kind", "value": unserved.writeKind},
	],
	[{"op": "add", "path": "spec.selector", "value": {"matchLabels": _labels}} | unserved.needsSelector],
)} if {
	_selectable
} else := {}

# No selector can be written for a template without labels.
_selectable if not unserved.needsSelector

_selectable if count(_labels) > 0
