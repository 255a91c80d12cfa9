# METADATA
# title: Image reference that cannot be read
# description: >-
#   The kubelet reads the image reference before it does anything else with it. An upper-case letter in the name, a
#   scheme, a space, an empty tag or a placeholder that nothing filled in, and it never asks for the image.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/containers/images/#image-names
#     description: Image names
#   - ref: https://pkg.go.dev/github.com/distribution/reference
#     description: The grammar of references
# custom:
#   category: images
#   concern: image
#   certainty: certain
#   judges:
#     - {of: container, fact: image.invalid, state: present}
#   failure: InvalidImageName, FailedCreate
#   confirmedBy:
#     - {waiting: InvalidImageName}
#     - {event: InspectFailed}
#     - {condition: FailedCreate, message: ".image: "}
#     - {event: FailedCreate, message: ".image: "}
#   remediation: Write the image as registry/name:tag, the name in lower case.
#   since: v0.1.0
package forestall.rules["image-reference-invalid"]

import data.forestall.lib.images
import data.forestall.lib.result
import data.forestall.lib.status

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"path": container.image.invalid.path,
	"reason": sprintf("%s, %s", [_failure(container), images.wrong(container.image)]),
	"what": _what(container),
	"why": _why(container.image.invalid),
	"fix": images.mend(container.image.invalid),
}) if {
	some container in input.containers
	container.image.invalid.state == "present"
	not _resolved_first(container.image)
}

# What stands in a file goes through ko resolve before it is applied (https://ko.build/reference/ko_resolve/).
_resolved_first(image) if {
	startswith(image.text, "ko://")
	lower(input.request.operation) == "audit" # as many steps in any operation: it is not indexed
}

# White space at an end is the one mistake that the API server refuses, in pods and not in templates
# (pkg/apis/core/validation/validation.go).
_failure(container) := "FailedCreate" if {
	container.image.invalid.form == "edge"
} else := status.of(container, "InvalidImageName")

_what(container) := _refused if {
	container.image.invalid.form == "edge"
} else := images.never_starts(container, "InvalidImageName")

_refused := "the API server refuses the pod." if {
	input.workload.kind == "Pod"
} else := concat(" ", [
	"the API server takes this object and refuses its pods:",
	"none is ever created, kubectl get events shows FailedCreate.",
])

_why(invalid) := "the API server reports: must not have leading or trailing whitespace." if {
	invalid.form == "edge"
} else := sprintf("the kubelet reads the reference before it pulls anything, and reports: %s.", [invalid.error])
