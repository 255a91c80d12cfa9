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
# description: The main containers beside the named one, quoted and listed.
# scope: document
beside(name) := concat(", ", [sprintf("%q", [n]) | some n in sort(regular - {name})])

# METADATA
# description: True for the kinds whose pods are meant to end.
# scope: document
batch if input.workload.kind in {"Job", "CronJob"}
