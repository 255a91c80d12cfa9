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
