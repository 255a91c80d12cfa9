package forestall.lib.consequences

import data.forestall.lib.restarts
import data.forestall.lib.words

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
# description: |
#   What happens to a container that a probe has stopped. It ends a sentence. A process that exits 0 on SIGTERM has not
#   failed: it is started again at once, but not after a delay.
# scope: document
restarted(container) := sprintf("%s.", [restarts.loop(container)]) if {
	container.restartAlways.state == "present"
} else := sprintf("if it exits 0 on SIGTERM it counts as Completed; otherwise %s.", [
	restarts.after_failure(container),
]) if {
	container.restartPolicy == "Never"
} else := sprintf("%s. If it exits 0 on SIGTERM, it is Completed at the first delay (restartPolicy OnFailure).", [
	restarts.loop(container),
])

# A startup probe that fails keeps the others from being asked, and ends the container as liveness does.
_stopped(container, probed) := sprintf("After about %s the kubelet stops the container: %s", [
	words.duration(container.probes[name].patience.atMostSeconds),
	restarted(container),
]) if {
	name := [n | some n in ["startup", "liveness"]; some asks in probed.probes; asks.probe == n][0]
	not container.probes[name].patience.endless
} else := ""

_unready(container, probed) := concat(" ", [
	sprintf("kubectl shows %s: the containers after %q never start.", [waits_for(container.name), container.name]),
	_nothing_started,
]) if {
	container.kind == "sidecar"
	some asks in probed.probes
	asks.probe == "startup"
} else := never_ready(container.name) if {
	some asks in probed.probes
	asks.probe in {"startup", "readiness"}
} else := ""

_nothing_started := never_completes if {
	words.batch
} else := never_ready("")
