# METADATA
# title: Memory limit too small to start a container
# description: >-
#   The container runtime sets the container up inside its memory limit. Where the limit is smaller than
#   what that takes, nothing ever starts.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
#     description: Resource management for pods and containers
#   - ref: https://github.com/opencontainers/runc/issues/1980
#     description: What runc needs to start a container
# custom:
#   category: memory
#   concern: memory-limit
#   certainty: certain
#   judges:
#     - {of: container, fact: memory.limit, state: present, atMost: floor}
#   failure: ContainerCreating (FailedCreatePodSandBox) or RunContainerError
#   confirmedBy:
#     - {event: FailedCreatePodSandBox, message: OOM-killed}
#     - {waiting: RunContainerError, message: memory}
#     - {terminated: StartError, message: memory}
#     - {terminated: OOMKilled}
#   remediation: Set limits.memory to what the program needs, tens of Mi for most.
#   since: v0.1.0
#   suggests: true
#   params:
#     floor:
#       type: quantity
#       default: 2Mi
#       description: >-
#         The largest limit under which no container starts. CRI-O refuses less than 12Mi by default; crun needs 512Ki.
package forestall.rules["memory-limit-below-floor"]

import data.forestall.lib.amounts
import data.forestall.lib.result
import data.forestall.lib.status

report contains result.finding(rego.metadata.chain(), object.union(_suggestion(container), {
	"container": container.name,
	"path": limit.path,
	"reason": sprintf("the container cannot start, %s is %s", [trim_suffix(amounts.limit_name(limit), " of"), limit.text]),
	"what": _what(container),
	"why": sprintf("%s is %s; to set a container up takes the runtime more than %s of that.", [
		trim_suffix(amounts.limit_name(limit), " of"), amounts.limit_text(limit), least.text,
	]),
	"fix": _fix(container),
})) if {
	not input.pod.runtimeClass.state == "present" # another runtime may need less
	not input.pod.virtualNode.state == "present"
	some container in input.containers
	limit := container.memory.limit
	limit.state == "present"
	not _milli(container)
	least := input.params["memory-limit-below-floor"].floor
	limit.bytes <= least.bytes
}

# That is a slip of the unit, and memory-quantity-milli tells it.
_milli(container) if {
	container.memory.unit.milli
	container.memory.limit.bytes <= input.params["memory-quantity-milli"].largest.bytes
}

# A number without a suffix is bytes, which few people mean.
_fix(container) := sprintf("set %s to %s, or to what the program uses at its peak plus a quarter.", [
	container.memory.limit.path, amount,
]) if {
	amount := amounts.instead(container, _floor)
	amount != ""
} else := sprintf("set %s to what the program uses at its peak plus a quarter: %s to begin with.", [
	container.memory.limit.path, amounts.to_begin_with(container),
])

_floor := input.params["memory-limit-below-floor"].floor.bytes

_what(container) := concat(" ", [
	"the pod stays in ContainerCreating, and kubectl describe shows FailedCreatePodSandBox",
	"(container init was OOM-killed, memory limit too low).",
]) if {
	count(input.containers) == 1
} else := concat(" ", [
	sprintf("kubectl shows %s, or the pod", [status.too_small_to_start(container)]),
	sprintf("stays in %s with FailedCreatePodSandBox. It never starts.", [status.not_set_up]),
])

_suggestion(container) := amounts.suggestion(container, amounts.instead(container, _floor))
