package forestall.lib.ports

# METADATA
# description: |
#   The port of the container's own that a probe of another number was probably meant for, and how it is known. A
#   flag or variable names it to the server, and the container declares it or a Service sends to it: else it may be that
#   of a server which the container connects to. A declared one is taken for it where it is the only one and the probe
#   only connects. Nothing where a file may configure more ports, or where the other one may well be a second port:
#   health and metrics often have one that stands nowhere.
# scope: document
own(container, probed) := found if {
	not injected(probed.number)
	not container.ports.configured.state == "present"
	found := _own(container, probed)
}

_own(container, probed) := {"number": named.number, "clause": sprintf("is started with %s", [named.text])} if {
	named := [n | some n in container.ports.named; n.served][0]
	_left_behind(named.number, probed.number)
	not _of_another_kind(container, named.number)
	not _management(container, probed)
	_of_itself(container, probed)
} else := {"number": number, "clause": sprintf("declares %d", [number])} if {
	some asks in probed.probes
	asks.handler in {"tcpSocket", "grpc"}
	declared_numbers := [p.number | some p in container.ports.declared; p.protocol == "TCP"]
	count(declared_numbers) == 1
	number := declared_numbers[0]
	_shifted(number, probed.number)
}

# 8080 is asked, and it was moved to 18080; 80, and it was moved to 8080.
_shifted(own_number, asked) if {
	own_number != asked
	endswith(sprintf("%d", [own_number]), sprintf("%d", [asked]))
}

_left_behind(own_number, asked) if _shifted(own_number, asked)

# Where servers listen for requests if nobody says otherwise, and seldom for anything else.
_left_behind(_, asked) if asked in {80, 3000, 5000, 8000, 8080}

# A port that does not serve what an HTTP probe asks for: health beside it has one of its own.
_of_another_kind(_, number) if number % 1000 == 443

_of_another_kind(_, 50051)

_of_another_kind(container, number) if {
	some p in container.ports.declared
	p.number == number
	some word in ["grpc", "rpc", "metric", "prom", "webhook", "admin", "debug", "tls", "https", "admission"]
	contains(p.name, word)
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
