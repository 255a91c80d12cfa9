# METADATA
# title: Words
# description: Wording that rules share, so that the same thing is said in the same way.
# schemas:
#   - input: schema.input
package forestall.lib.words

# METADATA
# description: The main containers of the pod, by name.
# scope: document
regular contains c.name if {
	some c in input.containers
	c.kind == "regular"
}

# METADATA
# description: The main containers beside the named one, quoted and listed; counted where they are many.
# scope: document
beside(name) := sprintf("the other %d containers", [count(regular - {name})]) if {
	count(regular) > _listed
} else := concat(", ", [sprintf("%q", [n]) | some n in sort(regular - {name})])

_listed := 6

# METADATA
# description: True for the kinds whose pods are meant to end.
# scope: document
batch if input.workload.kind in {"Job", "CronJob"}

# METADATA
# description: The Services that select the pod, by name; only where some are known.
# scope: document
services := sprintf("Service %s", [concat(", ", [sprintf("%q", [s]) | some s in input.cluster.services])]) if {
	count(input.cluster.services) == 1
}

services := sprintf("Services %s", [concat(", ", [sprintf("%q", [s]) | some s in input.cluster.services])]) if {
	count(input.cluster.services) > 1
}
