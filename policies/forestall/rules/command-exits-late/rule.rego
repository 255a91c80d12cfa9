# METADATA
# title: Command that ends after a while under restartPolicy Always
# description: >-
#   A command that runs for ten minutes or more and then ends is started again at once under restartPolicy
#   Always, without back-off. Nothing looks broken, but at each end whatever goes on in the container is
#   cut off, and RESTARTS grows.
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
#   remediation: Let the container wait without end, or run what it does again and again as a CronJob.
#   since: v0.1.0
package forestall.rules["command-exits-late"]

import data.forestall.lib.consequences
import data.forestall.lib.result

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"path": ends.path,
	"reason": sprintf("restarted again and again, %s", [ends.because]),
	"what": _what(ends),
	"why": sprintf("%s, and restartPolicy is Always.", [ends.because]),
	"fix": concat(" ", [
		`to keep it running, write command: ["tail", "-f", "/dev/null"];`,
		"to do its work again and again, make it a CronJob.",
	]),
}) if {
	some container in input.containers
	container.restartAlways.state == "present"
	ends := container.command.ends
	ends.state == "present"
	ends.afterSeconds >= consequences.backoff_forgotten_after_seconds
}

_what(ends) := concat(" ", [
	sprintf("kubectl shows Running, and RESTARTS grows by one every %d seconds%s.", [ends.afterSeconds, _code(ends)]),
	"Each time what goes on in the container is cut off (kubectl exec, requests), and its files are gone.",
])

_code(ends) := sprintf(" (Last State: exit code %d)", [ends.exitCode]) if {
	ends.exitCode
} else := ""
