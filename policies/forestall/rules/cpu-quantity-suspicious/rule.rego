# METADATA
# title: CPU in hundreds of cores
# description: >-
#   The container requests a hundred whole cores or more. Such nodes exist, and are rare; more often the m of
#   millicores is missing, and the pod waits for a node that never comes.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#meaning-of-cpu
#     description: CPU resource units
# custom:
#   category: cpu
#   concern: cpu-request
#   certainty: likely
#   judges:
#     - {of: container, fact: cpu.request, state: present, atLeast: cores}
#   failure: Pending (FailedScheduling, Insufficient cpu)
#   confirmedBy:
#     - {event: FailedScheduling, message: Insufficient cpu}
#     - {condition: Unschedulable, message: Insufficient cpu}
#   remediation: Write CPU in cores, or in thousandths with the suffix m.
#   since: v0.1.0
#   params:
#     cores:
#       type: integer
#       default: 100
#       description: The number of whole cores from which on a request is reported. Raise it where nodes are that large.
package forestall.rules["cpu-quantity-suspicious"]

import data.forestall.lib.cpu
import data.forestall.lib.result

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"path": request.path,
	"reason": sprintf(_reason[cpu.status], [request.cores]),
	"what": concat(" ", [
		_refused,
		sprintf("where no node has %d cores to spare,", [request.cores]),
		"and where one has, it keeps them from everybody else.",
	]),
	"why": sprintf("%s is %s, in whole cores; %s.", [cpu.field(request), request.text, cpu.source(request)]),
	"fix": cpu.fix(request),
}) if {
	some container in input.containers
	request := container.cpu.request
	request.state == "present"
	not input.pod.virtualNode.state == "present" # they have what they were told to have
	request.cores >= input.params["cpu-quantity-suspicious"].cores

	# More is told by that rule.
	request.cores < input.params["cpu-quantity-implausible"].cores
}

_reason := {"Pending": "Pending unless a node has %d cores", "OutOfcpu": "OutOfcpu unless the node has %d cores"}

_refused := "spec.nodeName asks no scheduler: the kubelet refuses the pod (OutOfcpu)" if {
	cpu.status == "OutOfcpu"
} else := "the pod stays Pending (FailedScheduling, Insufficient cpu)"
