package forestall.lib.ports

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
} else := {"number": declared_numbers[0], "clause": clause} if {
	not injected(probed.number)
	some asks in probed.probes
	asks.handler in {"tcpSocket", "grpc"}
	declared_numbers := [p.number | some p in container.ports.declared; p.protocol == "TCP"]
	count(declared_numbers) > 0
	clause := sprintf("declares %s", [concat(", ", [sprintf("%d", [n]) | some n in declared_numbers])])
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
