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
#   confirmedBy:
#     - {terminated: OOMKilled}
#     - {phase: Evicted, message: "resource: memory"}
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

report contains result.finding(rego.metadata.chain(), object.union(_repairs(container, withheld), {
	"container": container.name,
	"path": container.memory.limit.path,
	"reason": "no memory limit, it can take all memory of its node",
	"what": _what,
	"why": sprintf("container %q sets no limits.memory, and no pod-level limit covers it.", [container.name]),
	"fix": concat(" ", [sprintf(_place(container), [ask.number, container.name, ask.because, withheld]), _ways_out]),
})) if {
	some container in input.containers
	container.kind != "ephemeral" # the API allows no resources there
	container.memory.limit.state == "absent"
	ask := _ask(container)
	withheld := _withheld(container)
}

_what := concat(" ", [
	"when the node runs short, the kubelet evicts pods (reason Evicted) and the kernel kills processes",
	"(OOMKilled, exit code 137), in this pod or in any other on the node.",
])

_ways_out := concat(" ", [
	"For a whole namespace: a LimitRange with a default. To be warned only: label the namespace",
	"forestall.dev/mode=warn, or set level: warn for this rule in forestall's configuration.",
])

# What to paste, by what is there already.
_place(container) := _places[container.memory.written] if {
	container.memory.written
} else := "add resources: {limits: {memory: %s}} to container %q, %s%s."

_places := {
	"limits": "add memory: %s to the limits of container %q, %s%s.",
	"resources": "add limits: {memory: %s} to the resources of container %q, %s%s.",
}

_ask(container) := {"number": request, "because": sprintf("or more: its request is %s", [request])} if {
	container.memory.request.state == "present"
	request := container.memory.request.text
} else := {"number": _least, "because": "with its peak use plus a margin as the number"}

_least := sprintf("%dMi", [max({256, ceil(limitranges.least / 1048576)})])

_default := input.params["memory-limit-missing"].defaultLimit

# Why the default limit is not added, where there is one.
_withheld(container) := "" if {
	_default.text == ""
} else := sprintf(", which the default limit of %s is below", [_default.text]) if {
	object.get(container.memory.request, "bytes", 0) > _default.bytes # the API server refuses that
} else := sprintf(". The default limit of %s is not added: it may exceed the request of the pod", [_default.text]) if {
	container.memory.request.from == "pod" # the container would request as much as its limit
} else := sprintf(". The default limit of %s is not added: LimitRange %s may refuse it", [_default.text, names]) if {
	refusing := limitranges.may_refuse(container, _default.bytes)
	count(refusing) > 0
	names := concat(", ", [sprintf("%q", [name]) | some name in refusing])
} else := ""

_repairs(container, withheld) := {"repairs": [{
	"op": "add",
	"path": container.memory.limit.path,
	"value": _default.text,
}]} if {
	_default.text != ""
	withheld == ""
} else := {}
