package forestall.lib.ports

# METADATA
# description: |
#   What lets the probes find the port that they name in vain, as part of a finding: its number where another container
#   declares the name, or the name where the one port of the container has none. Nothing where that is not clear.
# scope: document
name_suggestion(container) := {} if {
	count(refused_names(container)) > 0
} else := {"suggestions": [{
	"op": "set",
	"path": container.probes[probe].target.path,
	"value": number,
} |
	some probe in undefined(container)
]} if {
	count(undefined_names(container)) == 1
	some name in undefined_names(container)
	count(_numbers[name]) == 1
	some number in _numbers[name]
} else := {"suggestions": [{"op": "add", "path": concat("", [container.path, ".ports[0].name"]), "value": name}]} if {
	count(undefined_names(container)) == 1
	some name in undefined_names(container)
	_ := _only_unnamed(container)
} else := {}

# The numbers that each name stands for in the pod, put together once for all probes.
_numbers := object.union_n([{p.name: {sprintf("%d", [p.number]): p.number}} |
	some c in input.containers
	object.get(c, "kind", "regular") != "init" # which has ended by then
	some p in c.ports.declared
	object.get(p, "protocol", "TCP") == "TCP" # which all probes ask
])
