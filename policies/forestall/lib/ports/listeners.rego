package forestall.lib.ports

# METADATA
# description: |
#   The containers that may listen, by name. They share the pod's network: any of those that run may answer,
#   unless it is known to open no port.
# scope: document
listeners contains c.name if {
	some c in input.containers
	c.kind in {"regular", "sidecar"}
	c.listens.state != "absent"
}

# METADATA
# description: |
#   True where a listener declares no ports; it may listen anywhere. One that declares some has listed what it opens.
# scope: document
anywhere if {
	some c in input.containers
	c.name in listeners
	c.ports.state != "present"
}

_configured if {
	some c in input.containers
	c.name in listeners
	c.ports.configured.state == "present"
}

_open contains object.union(p, {"container": c.name}) if {
	some c in input.containers
	c.name in listeners
	some p in c.ports.declared
}

_open_numbers := {p.number | some p in _open}

# METADATA
# description: |
#   True where a listener declares the port that is asked or mentions its number, where a file may tell it to listen
#   there, and where something else counts on it that somebody does.
# scope: document
answered(probed) if probed.number in _open_numbers

answered(probed) if probed.expected.state == "present"

answered(_) if _configured

answered(probed) if {
	some place in probed.mentioned.places
	place.container in listeners
}

answered(probed) if {
	some name in probed.mentioned.elsewhere
	name in listeners
}

# METADATA
# description: Where something listens instead, as the end of a sentence.
# scope: document
elsewhere := "nothing else in the pod does" if {
	count(listeners) == 0
} else := sprintf("the pod declares %s", [concat(", ", places)])

# METADATA
# description: The first ports on which something listens, each with its container.
# scope: document
places := array.slice([sprintf("%d (%q)", [p.number, p.container]) | some p in _open], 0, 5)

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
