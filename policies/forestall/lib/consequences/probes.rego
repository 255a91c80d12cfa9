package forestall.lib.consequences

# METADATA
# description: |
#   What happens where these probes of a container fail for ever, because nothing answers on the port that they
#   ask. It begins a sentence.
# scope: document
refused(container, probed) := concat(" ", array.concat(
	[_refusal(probed)],
	[s | some s in [_stopped(container, probed), _unready(container, probed)]; s != ""],
))

_refusal(probed) := sprintf("each probe fails; event Unhealthy: %s probe failed%s.", [
	_title[probed.probes[0].probe],
	{true: "", false: ": connection refused"}[probed.probes[0].handler == "exec"],
])

_title := {"startup": "Startup", "readiness": "Readiness", "liveness": "Liveness"}

# METADATA
# description: What happens to a container that a probe has stopped. It ends a sentence.
# scope: document
restarted(container) := restarts_for_ever if {
	container.restartAlways.state == "present"
} else := sprintf("restartPolicy is %s, so the pod can end there.", [container.restartPolicy])

# A startup probe that fails keeps the others from being asked, and ends the container as liveness does.
_stopped(container, probed) := sprintf("After about %ds the kubelet stops the container: %s", [
	container.probes[name].patience.atMostSeconds,
	restarted(container),
]) if {
	name := [n | some n in ["startup", "liveness"]; some asks in probed.probes; asks.probe == n][0]
	not container.probes[name].patience.endless
} else := ""

_unready(container, probed) := never_ready(container.name) if {
	some asks in probed.probes
	asks.probe in {"startup", "readiness"}
} else := ""
