# METADATA
# title: Memory in thousandths of a byte
# description: >-
#   The suffix m means thousandths. A memory limit of 128m is 0.128 bytes, and no process starts with that.
#   The suffix for mebibytes is Mi.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#meaning-of-memory
#     description: Memory resource units
# custom:
#   category: memory
#   concern: memory-limit
#   certainty: certain
#   judges:
#     - {of: container, fact: memory.limit, state: present, atMost: largest}
#   failure: ContainerCreating (FailedMount, FailedCreatePodSandBox) or RunContainerError
#   confirmedBy:
#     - {event: FailedMount, message: no space left on device}
#     - {event: FailedCreatePodSandBox}
#     - {waiting: RunContainerError, message: memory}
#     - {terminated: StartError, message: memory}
#   remediation: Write memory with the suffix Mi or Gi.
#   since: v0.1.0
#   suggests: true
#   params:
#     largest:
#       type: quantity
#       default: "65535"
#       description: >-
#         The largest limit in thousandths that cannot be meant. Exact byte counts are written in thousandths too, by
#         the vertical pod autoscaler for one. Those are large.
package forestall.rules["memory-quantity-milli"]

import data.forestall.lib.amounts
import data.forestall.lib.result
import data.forestall.lib.status

report contains result.finding(rego.metadata.chain(), object.union(_suggestion(container), {
	"container": container.name,
	"path": limit.path,
	"reason": sprintf("the container cannot start, %s %s is %s bytes", [
		amounts.limit_name(limit), limit.text, container.memory.unit.exact,
	]),
	"what": _what(container),
	"why": sprintf("%s: %s %s is %s bytes, and every process needs more.", [
		_unit(limit), amounts.limit_name(limit), limit.text, container.memory.unit.exact,
	]),
	"fix": _fix(container),
})) if {
	some container in input.containers
	container.memory.unit.milli
	limit := container.memory.limit
	limit.bytes <= input.params["memory-quantity-milli"].largest.bytes
}

# In a request 0.5 comes as 500m: the API server writes it so.
_unit(limit) := "the suffix m means thousandths" if {
	endswith(limit.text, "m")
} else := "fractions of a byte are rounded up to thousandths" if {
	regex.match("[nu]$", limit.text)
} else := "a number without a suffix is bytes"

_what(container) := concat(" ", [
	"the pod stays in ContainerCreating, and kubectl describe shows FailedMount (no space left on device)",
	"or FailedCreatePodSandBox: the limit bounds the sandbox and the token volume too.",
]) if {
	count(input.containers) == 1
} else := concat(" ", [
	sprintf("kubectl shows %s, or the pod", [status.too_small_to_start(container)]),
	sprintf("stays in %s with FailedMount or FailedCreatePodSandBox. It never starts.", [status.not_set_up]),
])

_fix(container) := sprintf("set %s to %s, and write requests.memory with Mi too.", [
	container.memory.limit.path, amount,
]) if {
	amount := amounts.instead(container, _floor)
	amount != ""
} else := concat(" ", [
	sprintf("set %s to what the program uses at its peak plus a quarter:", [container.memory.limit.path]),
	sprintf("%s to begin with; and write requests.memory with Mi too.", [amounts.to_begin_with(container)]),
])

_floor := input.params["memory-limit-below-floor"].floor.bytes

_suggestion(container) := amounts.suggestion(container, amounts.instead(container, _floor))
