# METADATA
# title: Command that ends after a while under restartPolicy Always
# description: >-
#   A command that runs for ten minutes or more and then ends is started again at once under restartPolicy
#   Always, without back-off. Nothing looks broken, but at each end whatever goes on in the container is
#   cut off, and RESTARTS grows. A command that does nothing but wait for less is started again with back-off.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy
#     description: Container restarts and back-off
# custom:
#   category: lifecycle
#   concern: lifetime
#   certainty: likely
#   judges:
#     - {of: container, fact: command.ends, state: present}
#   failure: Completed
#   confirmedBy:
#     - {terminated: Completed, exitCode: 0}
#     - {terminated: Error, exitCode: 1}
#   remediation: Let the container wait without end, or run what it does again and again as a CronJob.
#   since: v0.1.0
package forestall.rules["command-exits-late"]

import data.forestall.lib.consequences
import data.forestall.lib.ends
import data.forestall.lib.restarts
import data.forestall.lib.result
import data.forestall.lib.words

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"path": end.path,
	"reason": sprintf("restarted again and again, %s", [end.because]),
	"what": concat(" ", _what(container, end)),
	"why": sprintf("%s, and restartPolicy is Always.", [end.because]),
	"fix": sprintf(`to keep it running, write command: ["tail", "-f", "/dev/null"]; %s.`, [_otherwise(container, end)]),
}) if {
	some container in ends.restarted
	end := container.command.ends
	end.state == "present"
	ends.late(end)
}

_what(container, end) := [
	sprintf("kubectl shows Running, and RESTARTS grows by one about every %s%s%s.", [
		words.duration(end.afterSeconds), _code(end), _sooner(container),
	]),
	"Each time what goes on in the container is cut off (kubectl exec, requests), and its files are gone.",
] if {
	end.afterSeconds >= consequences.backoff_forgotten_after_seconds
} else := [
	sprintf("kubectl shows Running, then %s, and RESTARTS grows:", [ends.shown(container, end)]),
	sprintf("%s. It does nothing but wait, so nothing else is lost.", [restarts.again(container)]),
]

_sooner(container) := ", or sooner when its livenessProbe fails" if {
	container.probes.liveness.state == "present"
} else := ""

_code(end) := sprintf(" (Last State: exit code %d)", [end.exitCode]) if {
	end.exitCode
} else := ""

_otherwise(container, end) := "if it is to live for this while only, set restartPolicy: Never" if {
	end.afterSeconds < consequences.backoff_forgotten_after_seconds
	container.kind == "regular"
	words.may_end
} else := "to do its work again and again, make it a CronJob"
