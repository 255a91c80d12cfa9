# METADATA
# title: Command that ends under restartPolicy Always
# description: >-
#   Under restartPolicy Always the kubelet starts a container again whenever its process ends, also when it
#   ends well. A command that does its work and ends is restarted with a growing delay, for ever; so is
#   the shell of a base image that is given no command.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy
#     description: Container restarts and back-off
#   - ref: https://kubernetes.io/docs/concepts/workloads/controllers/job/
#     description: Jobs
# custom:
#   category: lifecycle
#   concern: lifetime
#   certainty: certain
#   judges:
#     - {of: container, fact: command.ends, state: present}
#   failure: CrashLoopBackOff
#   confirmedBy:
#     - {terminated: Completed, exitCode: 0}
#     - {terminated: Error, exitCode: 1}
#   remediation: Run the server in the foreground, or run the command as a Job or an init container.
#   since: v0.1.0
package forestall.rules["command-exits"]

import data.forestall.lib.consequences
import data.forestall.lib.ends
import data.forestall.lib.restarts
import data.forestall.lib.result

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"path": end.path,
	"reason": sprintf("%s%s, %s", [ends.failure(container, end), _code(end), end.because]),
	"what": concat(" ", array.concat(
		[sprintf("kubectl shows %s: %s.", [ends.shown(container, end), restarts.again(container)])],
		array.concat([consequences.between_starts(container.name)], [_killed | end.background]),
	)),
	"why": sprintf("%s, and %s.", [end.because, _again(container, end)]),
	"fix": ends.fix(container),
}) if {
	some container in ends.restarted
	end := container.command.ends
	end.state == "present"
	not ends.late(end)
}

_code(end) := sprintf(" with exit code %d", [end.exitCode]) if {
	end.exitCode
} else := ""

_killed := "What runs in the background is killed each time the script ends."

_again(container, end) := sprintf("restartPolicyRules start it again after exit code %d", [end.exitCode]) if {
	endswith(container.restartAlways.path, ".restartPolicyRules")
} else := "restartPolicy is Always"
