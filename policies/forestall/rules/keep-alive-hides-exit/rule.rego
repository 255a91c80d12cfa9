# METADATA
# title: Keep-alive in the place of the server
# description: >-
#   The main process of the container only waits (sleep infinity, tail -f, an empty loop). What serves runs
#   beside it, so Kubernetes does not notice when that ends, and SIGTERM does not reach it.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#container-restarts
#     description: Containers are restarted when their main process ends
#   - ref: https://man7.org/linux/man-pages/man7/pid_namespaces.7.html
#     description: The first process gets only those signals that it handles
# custom:
#   category: lifecycle
#   concern: keep-alive
#   certainty: likely
#   judges:
#     - {of: container, fact: keepAlive, state: present}
#   failure: Running and Ready while nothing serves
#   confirmedBy:
#     - {event: Unhealthy, message: connection refused}
#   remediation: Run the server in the foreground, as the last command, with exec.
#   since: v0.1.0
package forestall.rules["keep-alive-hides-exit"]

import data.forestall.lib.result
import data.forestall.lib.serving
import data.forestall.lib.words

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"path": container.keepAlive.path,
	"reason": _reason(container.keepAlive),
	"what": concat(" ", array.concat(_unseen[_kind(container)], _deaf(container.keepAlive))),
	"why": sprintf("the main process is %q, and %s.", [container.keepAlive.waits, concat(" and ", serves)]),
	"fix": _fix(container.keepAlive),
}) if {
	not words.batch
	some container in input.containers
	container.keepAlive.state == "present"
	container.kind in {"regular", "sidecar"}
	container.probes.liveness.state == "absent" # a liveness probe sees the server die
	serves := array.concat(_serves(container), _service(container.keepAlive))
	count(serves) > 0
}

# What tells that the container is there to serve; a toolbox has none of it. A probe of a container that only waits
# is left to the rules about probes: somebody else may answer it.
_serves(container) := [] if {
	not container.keepAlive.hides
	count(_probes(container)) > 0
} else := array.concat(["the container declares ports" | container.ports.state == "present"], _probes(container))

_probes(container) := serving.probes(container, ["readiness", "startup"])

# A client behind a Service of its own is common, and waits on purpose: sleep infinity.
_service(keep_alive) := [text | keep_alive.hides; count(words.regular) == 1; some text in serving.services]

_reason(keep_alive) := sprintf("%q hides the end of %q", [keep_alive.waits, keep_alive.hides]) if {
	keep_alive.hides
} else := sprintf("the command only waits, %q, and serves nothing", [keep_alive.waits])

_kind(container) := container.probes.readiness.state if {
	container.keepAlive.hides
} else := "waits"

_unseen := {
	"present": ["when the server ends, the pod stays Running but is not Ready, and it is never restarted."],
	"absent": [
		"when the server ends, the pod stays Running and Ready:",
		"Services send requests to it, and it is never restarted.",
	],
	"waits": [
		"kubectl shows Running and Ready, but nothing listens until something starts a server in there;",
		"Services send requests to it.",
	],
}

_deaf(keep_alive) := [
	"SIGTERM does nothing to it: each stop takes the whole grace period (30s by default),",
	"then SIGKILL (exit code 137).",
] if {
	keep_alive.deaf
} else := []

_fix(keep_alive) := sprintf("end the script with the server in the foreground: exec %s.", [keep_alive.hides]) if {
	keep_alive.background
	regex.match("^[/A-Za-z][^(){};&|<>…]*$", keep_alive.hides)
} else := "run the server in the foreground as the last command, with exec, and leave the waiting out." if {
	keep_alive.hides
} else := "remove the command, so that the image's own program runs, or run the server with exec."
