# METADATA
# title: Serving
# description: What tells that a container is there to serve, one clause for each.
# schemas:
#   - input: schema.input
package forestall.lib.serving

import data.forestall.lib.words

# METADATA
# description: The named probes, as far as the container has them.
# scope: document
probes(container, names) := [sprintf("it has a %s probe", [name]) |
	some name in names
	container.probes[name].state == "present"
]

# METADATA
# description: The Services that select the pod, none where none are known.
# scope: document
services := words.select_the_pod if {
	input.cluster.services
} else := []

# METADATA
# description: |
#   What tells that a container is meant to run on; none for a task that wants to be stopped when it hangs. Tasks
#   declare ports, too, and a controller whose pods may end starts others in their place: there only a Service tells.
# scope: document
runs_on(container) := array.concat(found, ["no controller replaces the pod" |
	input.workload.bare
	count(found) > 0
]) if {
	found := array.concat(_alone(container), services)
}

_alone(container) := array.concat(
	["it declares ports" | container.ports.state == "present"],
	probes(container, ["readiness"]),
) if {
	_unreplaced
} else := []

_unreplaced if input.workload.bare

_unreplaced if input.workload.kind == "PodTemplate"
