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
name_fix(container, name) := sprintf("container %q declares %q: write its number, port: %d. Names are not shared, ports are.", [
	other.container,
	name,
	other.number,
]) if {
	other := _declarers[name]
	other.container != container.name
} else := sprintf("add name: %s to containerPort %d, or write the number in the probe (port: %d).", [name, only, only]) if {
	only := _only_unnamed(container)
} else := sprintf("name a port that is declared (port: %s), or add the port %q to %s.ports.", [p.name, name, container.path]) if {
	p := container.ports.declared[0]
	p.name
} else := sprintf("write the number in the probe, or declare it: ports: [{name: %s, containerPort: <number>}].", [name])

# The first container that declares each name, put together once for all probes.
_declarers := object.union_n(array.reverse([{p.name: {"container": c.name, "number": p.number}} |
	some c in input.containers
	some p in c.ports.declared
]))

_only_unnamed(container) := container.ports.declared[0].number if {
	count(container.ports.declared) == 1
	not container.ports.declared[0].name
}

# METADATA
# description: The names of the probes that ask a port.
# scope: document
asking(probed) := [name | some name in order; some asks in probed.probes; asks.probe == name]

# METADATA
# description: The place of the first of these probes.
# scope: document
path(probed) := probed.probes[0].path

# METADATA
# description: |
#   True for the ports of proxies that a mesh puts into the pod when it is created, so that the manifest says nothing of
#   them: Istio (istio.io, Application Requirements), Linkerd's and Dapr's.
# scope: document
injected(number) if {
	number >= 15000
	number <= 15090
}

injected(number) if number in {3500, 3501, 4140, 4143, 4191}

# METADATA
# description: |
#   The port of the container's own that a probe of another number was probably meant for, and how it is known. A
#   flag or variable names it to the server. A declared one is taken for it where the probe only connects: health is
#   often asked on a port that is not declared, but by HTTP.
# scope: document
own(container, probed) := {"number": named.number, "clause": sprintf("is started with %s", [named.text])} if {
	named := container.ports.named[0]
	not injected(probed.number)
	not _management(container, probed)
	_of_itself(container, probed)
} else := {"number": numbers[0], "clause": clause} if {
	not injected(probed.number)
	some asks in probed.probes
	asks.handler in {"tcpSocket", "grpc"}
	numbers := [p.number | some p in container.ports.declared; p.protocol == "TCP"]
	count(numbers) > 0
	clause := sprintf("declares %s", [concat(", ", [sprintf("%d", [n]) | some n in numbers])])
}

# Spring Boot answers these on a port of their own where the image says so.
_management(container, probed) if {
	some asks in probed.probes
	contains(object.get(container.probes[asks.probe], "requestPath", ""), "/actuator")
}

# A command may as well ask another container of the pod; the kubelet's own probes seldom do.
_of_itself(_, probed) if {
	some asks in probed.probes
	asks.handler != "exec"
}

_of_itself(container, _) if _run_on == {container.name}

_run_on := {c.name | some c in input.containers; c.kind != "init"}
