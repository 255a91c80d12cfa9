# METADATA
# title: Service that selects no pod
# description: >-
#   No pod template in the set has the labels that the Service selects by, so that the Service never has an endpoint.
#   It is told only where all that runs in the namespace is known.
# related_resources:
#   - ref: https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/#does-the-service-have-any-endpointslices
#     description: A Service without endpoints
#   - ref: https://kubernetes.io/docs/concepts/services-networking/service/#defining-a-service
#     description: How a Service finds its pods
# custom:
#   category: service
#   concern: service-selector
#   certainty: likely
#   judges:
#     - {of: service, fact: selects, state: absent}
#   failure: no endpoints, connections are refused
#   confirmedBy:
#     - {endpoints: none}
#   remediation: Let the selector ask for labels that the pod template has.
#   since: v0.1.0
package forestall.rules["service-selects-nothing"]

import data.forestall.lib.result

report contains result.finding(rego.metadata.chain(), {
	"path": selects.path,
	"reason": sprintf("no endpoints, no pod has the labels %s", [_labels(selects.labels)]),
	"what": concat(" ", [
		"kubectl get endpointslices shows no endpoints for this Service, however long it waits:",
		"connections to it are refused, and where it is headless its name resolves to nothing.",
	]),
	"why": concat("", [_missing(selects), _nearest(selects)]),
	"fix": _fix(selects),
}) if {
	selects := input.service.selects
	selects.state == "absent"
}

_labels(labels) := concat(", ", [sprintf("%s=%s", [key, value]) | some key, value in labels])

_missing(selects) := concat("", [
	sprintf("the selector asks for %s,", [_labels(selects.labels)]),
	" which no pod template in this set has",
])

_nearest(selects) := sprintf("; the nearest is %s %q, with %s.", [near.kind, near.name, _has(near)]) if {
	near := selects.nearest
} else := "."

_has(near) := _labels(near.labels) if {
	count(near.labels) > 0
} else := "none of these labels"

_fix(selects) := concat("", [
	sprintf("write selector: {%s}, as the pods of %s %q are labelled,", [_selector(near.labels), near.kind, near.name]),
	" or give those pods the labels of the selector.",
]) if {
	near := selects.nearest
	count(near.labels) > 0
} else := "write the labels of the pods that it is for into selector, or add the workload that is missing."

_selector(labels) := concat(", ", [sprintf("%s: %q", [key, value]) | some key, value in labels])
