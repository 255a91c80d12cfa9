# METADATA
# title: Container without a memory limit
# description: >-
#   A container without a memory limit may take all memory of its node. When the node runs short, the
#   kubelet evicts pods and the kernel kills processes, and neither has to begin with the container at fault.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
#     description: Resource management for pods and containers
#   - ref: https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/
#     description: Node-pressure eviction
# custom:
#   category: memory
#   concern: memory-limit
#   certainty: possible
#   level: deny
#   judges:
#     - {of: container, fact: memory.limit, state: absent}
#   failure: Evicted or OOMKilled, here or in the pods beside it
#   remediation: Set resources.limits.memory to what the container needs at its peak, plus a margin.
#   since: v0.1.0
#   patches: true
#   params:
#     defaultLimit:
#       type: quantity
#       default: ""
#       description: The limit that forestall adds where none is set. Empty adds none, and the container is reported.
package forestall.rules["memory-limit-missing"]

import data.forestall.lib.limitranges
import data.forestall.lib.result

report contains result.finding(rego.metadata.chain(), object.union(_finding(container), _repairs(container))) if {
	some container in input.containers
	container.kind != "ephemeral" # the API allows no resources there
	container.memory.limit.state == "absent"
}

_finding(container) := {
	"container": container.name,
	"path": container.memory.limit.path,
	"reason": "no memory limit, it can take all memory of its node",
	"what": concat(" ", [
		"when the node runs short, the kubelet evicts pods (reason Evicted) and the kernel kills processes",
		"(OOMKilled, exit code 137), in this pod or in any other on the node.",
	]),
	"why": sprintf("container %q sets no limits.memory, and no pod-level limit covers it.", [container.name]),
	"fix": _fix(container),
}

_fix(container) := sprintf("%s container %q, %s.", [_add(container), container.name, _amount(container)])

# What to paste, by what is there already.
_add(container) := sprintf("add memory: %s to the limits of", [_number(container)]) if {
	container.memory.written == "limits"
} else := sprintf("add limits: {memory: %s} to the resources of", [_number(container)]) if {
	container.memory.written == "resources"
} else := sprintf("add resources: {limits: {memory: %s}} to", [_number(container)])

_number(container) := container.memory.request.text if {
	container.memory.request.state == "present"
} else := sprintf("%dMi", [max({256, ceil(limitranges.least / 1048576)})])

_amount(container) := sprintf("%s%s", [_measure(container), _withheld(container)])

_measure(container) := sprintf("or more: its request is %s", [container.memory.request.text]) if {
	container.memory.request.state == "present"
} else := "with its peak use plus a margin as the number"

_default := input.params["memory-limit-missing"].defaultLimit

# A limit below the request is refused by the API server.
_above_request(container) if container.memory.request.state == "absent"

_above_request(container) if container.memory.request.bytes <= _default.bytes

_fits(container) if {
	_above_request(container)
	count(limitranges.may_refuse(container, _default.bytes)) == 0
}

_withheld(container) := "" if {
	_default.text == ""
} else := "" if {
	_fits(container)
} else := sprintf(", which the default limit of %s is below", [_default.text]) if {
	not _above_request(container)
} else := sprintf(". The default limit of %s is not added: LimitRange %s may refuse it", [
	_default.text,
	concat(", ", [sprintf("%q", [name]) | some name in limitranges.may_refuse(container, _default.bytes)]),
])

_repairs(container) := {"repairs": [{
	"op": "add",
	"path": container.memory.limit.path,
	"value": _default.text,
}]} if {
	_default.text != ""
	_fits(container)
} else := {}
