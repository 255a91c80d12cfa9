# METADATA
# title: Probe whose command always fails
# description: >-
#   The command of an exec probe says how the container is by its exit code. One that fails whatever goes on in there
#   (false, exit 1), or that never ends, keeps the container from being Ready, or restarts it for ever.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/
#     description: Liveness, readiness and startup probes
#   - ref: https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/probe/exec/exec.go
#     description: Probe, which makes a result of the exit code or the timeout
# custom:
#   category: probes
#   concern: probe-command
#   certainty: certain
#   judges:
#     - {of: container, fact: probes.startup.fails, state: present}
#     - {of: container, fact: probes.readiness.fails, state: present}
#     - {of: container, fact: probes.liveness.fails, state: present}
#   failure: never Ready, or restarted for ever
#   confirmedBy:
#     - {event: Unhealthy}
#   remediation: Let the command end with exit code 0 while the container is well, or remove the probe.
#   since: v0.1.0
package forestall.rules["probe-always-fails"]

import data.forestall.lib.consequences
import data.forestall.lib.result
import data.forestall.lib.words

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"path": fails.path,
	"reason": sprintf("%s, %sProbe always fails: %s", [_ends(container, probes), probes[0], fails.because]),
	"what": consequences.refused(container, {"probes": [{"probe": name, "handler": "exec"} | some name in probes]}),
	"why": sprintf("the command of %sProbe %s: %s.", [probes[0], _comes_to(container.probes[probes[0]]), fails.because]),
	"fix": sprintf("let it end with exit code 0 while %q is well (cat /tmp/ready), or remove the %sProbe.", [
		container.name, probes[0],
	]),
}) if {
	some container in input.containers
	container.kind in {"regular", "sidecar"}
	probes := [name | some name in ["startup", "readiness", "liveness"]; _matters(container, name)]
	fails := container.probes[probes[0]].fails
}

_matters(container, name) if {
	container.probes[name].fails.state == "present"
	_counts(container, name)
}

_counts(_, "startup")

# A probe may be switched off by its numbers.
_counts(container, "liveness") if not container.probes.liveness.patience.endless

_counts(_, "readiness") if not words.batch

_counts(_, "readiness") if count(input.cluster.services) > 0

_ends(container, probes) := "never Ready" if {
	probes[0] != "liveness"
	not _stops(container, probes)
} else := "restarted for ever" if {
	container.restartAlways.state == "present"
} else := "stopped for good"

_stops(container, probes) if {
	some name in probes
	name != "readiness"
	not container.probes[name].patience.endless
}

_comes_to(probe) := sprintf("never ends, and each probe fails after timeoutSeconds (%ds)", [probe.timeoutSeconds]) if {
	probe.fails.never
} else := sprintf("ends with exit code %d each time", [probe.fails.exitCode])
