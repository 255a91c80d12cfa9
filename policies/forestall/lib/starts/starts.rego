# METADATA
# title: Starts
# description: How long a container may take to start.
# schemas:
#   - input: schema.input
package forestall.lib.starts

# METADATA
# description: |
#   How to give a container more time. The containers after a sidecar wait for its startup probe, and it may need them
#   to be well.
# scope: document
later(container) := concat(" ", [
	sprintf("set initialDelaySeconds: 60 in %s;", [container.probes.liveness.path]),
	sprintf("a startupProbe would hold up the containers after %q.", [container.name]),
]) if {
	container.kind == "sidecar"
} else := sprintf("add a startupProbe with the same %s and failureThreshold: 30, periodSeconds: 5%s. %s", [
	container.probes.liveness.handler, _as_long(container.probes.liveness),
	"Starting may then take 150s, and liveness begins when it is done.",
])

# What answers slowly does so during its start as well.
_as_long(probe) := "" if {
	probe.timeoutSeconds == 1
} else := sprintf(", timeoutSeconds: %d", [probe.timeoutSeconds])

# METADATA
# description: The startup probe that asks what the liveness probe asks, as the list of suggestions of a finding.
# scope: document
probe(container) := [{"op": "add", "path": concat(".", [container.path, "startupProbe"]), "value": probe} |
	object.get(container, "kind", "regular") != "sidecar"
	handler := container.probes.liveness.handler
	asked := _written[container.name][0][handler]
	given := {field: value | some field, value in asked; not _default[field] == value} # nobody writes the defaults
	probe := object.union(
		{handler: given, "failureThreshold": 30, "periodSeconds": 5},
		{"timeoutSeconds": seconds | seconds := container.probes.liveness.timeoutSeconds; seconds != 1},
	)
]

# The liveness probes as they are written, put together once for all containers; in lists, so that two of
# one name are not merged.
_written := object.union_n(array.reverse([{c.name: [c.livenessProbe]} |
	some list in ["initContainers", "containers"]
	some c in input.pod.spec[list]
]))

_default := {"scheme": "HTTP", "path": "/", "service": ""}
