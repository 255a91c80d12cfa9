# METADATA
# title: CPU
# description: Wording for requests of CPU that cannot be meant.
# schemas:
#   - input: schema.input
package forestall.lib.cpu

import data.forestall.lib.restarts

# METADATA
# description: The field that holds the amount, as people call it.
# scope: document
field(request) := "limits.cpu" if {
	endswith(request.path, ".limits.cpu")
} else := "requests.cpu"

# METADATA
# description: Where the amount comes from, as one clause.
# scope: document
source(request) := "no requests.cpu is written, so limits.cpu is the request" if {
	field(request) == "limits.cpu"
} else := sprintf("node %q needs as much", [input.pod.nodeName]) if {
	input.pod.nodeName
} else := "the scheduler needs a node with as much"

# METADATA
# description: What kubectl shows where no node has as much. Past the scheduler it is the kubelet that refuses the pod.
# scope: document
status := "OutOfcpu" if {
	input.pod.nodeName
} else := "Pending"

# METADATA
# description: What becomes of the pod then, as sentences.
# scope: document
refused := concat(" ", [
	sprintf("spec.nodeName asks no scheduler: the kubelet of node %q refuses the pod,", [input.pod.nodeName]),
	sprintf("kubectl shows OutOfcpu. The pod has failed%s.", [restarts.next_pod]),
]) if {
	input.pod.nodeName
} else := concat(" ", [
	"the pod stays Pending: FailedScheduling, Insufficient cpu.",
	"No autoscaler finds a machine for it either.",
])

# METADATA
# description: What to write instead.
# scope: document
fix(request) := sprintf("set %s%s to %s (thousandths of a core), if that is what was meant.", [
	request.path, _also(request), request.instead,
]) if {
	request.instead
} else := sprintf("set %s%s to what the container needs: 500m is half a core, 2 are two cores.", [
	request.path, _also(request),
])

_also(request) := sprintf(" and %s", [request.also]) if {
	request.also
} else := ""

# METADATA
# description: The same amounts in thousandths of a core, as part of a finding; nothing where that is not known.
# scope: document
suggestion(request) := {"suggestions": array.concat(
	[{"op": "set", "path": request.path, "value": request.instead}],
	[{"op": "set", "path": request.also, "value": request.instead} | request.also],
)} if {
	request.instead
} else := {}
