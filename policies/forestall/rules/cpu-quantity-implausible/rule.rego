# METADATA
# title: More CPU than any node has
# description: >-
#   The container requests hundreds of times the cores that a node has, mostly because a number of millicores was
#   written without its m, or with a suffix of memory. The scheduler looks for such a node without end.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#meaning-of-cpu
#     description: CPU resource units
#   - ref: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#my-pods-are-pending-with-event-message-failedscheduling
#     description: Pods that are pending with FailedScheduling
# custom:
#   category: cpu
#   concern: cpu-request
#   certainty: certain
#   judges:
#     - {of: container, fact: cpu.request, state: present, atLeast: cores}
#   failure: Pending (FailedScheduling, Insufficient cpu)
#   confirmedBy:
#     - {event: FailedScheduling, message: Insufficient cpu}
#     - {condition: Unschedulable, message: Insufficient cpu}
#   remediation: Write CPU in cores, or in thousandths with the suffix m.
#   since: v0.1.0
#   suggests: true
#   params:
#     cores:
#       type: integer
#       default: 1000
#       description: The number of whole cores that no node has. Raise it where some node has more.
package forestall.rules["cpu-quantity-implausible"]

import data.forestall.lib.consequences
import data.forestall.lib.cpu
import data.forestall.lib.result

report contains result.finding(rego.metadata.chain(), object.union(cpu.suggestion(request), {
	"container": container.name,
	"path": request.path,
	"reason": sprintf("%s, %s %s is more than any node has", [cpu.status, cpu.field(request), request.text]),
	"what": concat(" ", [text |
		some text in [
			cpu.refused,
			consequences.never_ready(""),
			_never_completes,
		]
		text != ""
	]),
	"why": sprintf("%s is %s, %s; %s.", [cpu.field(request), request.text, _size(request), cpu.source(request)]),
	"fix": cpu.fix(request),
})) if {
	some container in input.containers
	request := container.cpu.request
	request.state == "present"
	not input.pod.virtualNode.state == "present" # they have what they were told to have
	request.cores >= input.params["cpu-quantity-implausible"].cores
}

# A pod that stays Pending keeps its Job from ending; one that has failed counts as a failure.
_never_completes := consequences.never_completes if {
	cpu.status == "Pending"
} else := ""

_size(request) := sprintf("which has a suffix of memory and makes %d cores", [request.cores]) if {
	request.binary
} else := "in whole cores"
