# METADATA
# title: Ports
# description: Wording about ports and the probes that ask them.
# schemas:
#   - input: schema.input
package forestall.lib.ports

# METADATA
# description: The probes of a container, in the order in which they matter.
# scope: document
order := ["startup", "readiness", "liveness"]

# METADATA
# description: The fields of the named probes, listed.
# scope: document
fields(names) := concat(" and ", [sprintf("%sProbe", [name]) | some name in order; name in names])

# METADATA
# description: The verb that follows these fields.
# scope: document
asks(names) := "asks for" if {
	count(names) == 1
} else := "ask for"

# METADATA
# description: The probes of a container that name a port which it does not declare.
# scope: document
undefined(container) := [name | some name in order; container.probes[name].target.state == "absent"]

# METADATA
# description: The names of ports that probes of a container ask in vain.
# scope: document
undefined_names(container) := {container.probes[name].port | some name in undefined(container)}

# METADATA
# description: What a container declares, as the end of a sentence.
# scope: document
declared(container) := sprintf("declares %s", [concat(", ", [_port(p) | some p in container.ports.declared])]) if {
	container.ports.state == "present"
} else := "declares no ports"

_port(p) := sprintf("%q (%d)", [p.name, p.number]) if {
	p.name
} else := sprintf("%d (without a name)", [p.number])

# METADATA
# description: How to mend a probe that names a port which its container does not declare.
# scope: document
name_fix(container, name) := concat("", [
	"write the number of the port in the probe, or a name that the API server accepts, in both places:",
	" at most 15 characters, a-z, 0-9 and hyphens, with a letter.",
]) if {
	name in refused_names(container)
} else := concat(" ", [
	sprintf("container %q declares %q: write its number, port: %d.", [other.container, name, other.number]),
	"Names are not shared, ports are.",
]) if {
	other := _declarers[name]
	other.container != container.name
} else := sprintf("add name: %s to containerPort %d, or write the number in the probe (port: %d).", [
	name, only, only,
]) if {
	only := _only_unnamed(container)
} else := sprintf("name a port that is declared (port: %s), or add the port %q to %s.ports.", [
	p.name, name, container.path,
]) if {
	p := [d | some d in container.ports.declared; d.name; object.get(d, "protocol", "TCP") == "TCP"][0]
} else := sprintf("write the number in the probe, or declare it: ports: [{name: %s, containerPort: <number>}].", [name])

# The first container that declares each name, put together once for all probes.
_declarers := object.union_n(array.reverse([{p.name: {"container": c.name, "number": p.number}} |
	some c in input.containers
	object.get(c, "kind", "regular") != "init" # which has ended by then
	some p in c.ports.declared
	object.get(p, "protocol", "TCP") == "TCP" # which all probes ask
]))

_only_unnamed(container) := container.ports.declared[0].number if {
	count(container.ports.declared) == 1
	not container.ports.declared[0].name
	object.get(container.ports.declared[0], "protocol", "TCP") == "TCP" # which all probes ask
}

# METADATA
# description: The names of ports in probes of a container that the API server refuses.
# scope: document
refused_names(container) := {container.probes[name].port |
	some name in order
	container.probes[name].target.refused
}

# METADATA
# description: The names of the probes that ask a port.
# scope: document
asking(probed) := [name | some name in order; some asks in probed.probes; asks.probe == name]

# METADATA
# description: The place of the first of these probes.
# scope: document
path(probed) := probed.probes[0].path
