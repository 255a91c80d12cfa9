# METADATA
# title: Server that puts itself in the background
# description: >-
#   A container ends with its first process. A server that goes on in the background, as it is usual outside
#   of containers, leaves that process: the container ends, the server is killed with it, and it is started
#   again, for ever.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy
#     description: Container restarts and back-off
#   - ref: https://man7.org/linux/man-pages/man7/pid_namespaces.7.html
#     description: When the first process ends, the others are killed
# custom:
#   category: lifecycle
#   concern: lifetime
#   certainty: likely
#   judges:
#     - {of: container, fact: command.detaches, state: present}
#   failure: Completed, then CrashLoopBackOff
#   confirmedBy:
#     - {terminated: Completed, exitCode: 0}
#   remediation: Run the server in the foreground, as the last command.
#   since: v0.1.0
package forestall.rules["command-detaches"]

import data.forestall.lib.consequences
import data.forestall.lib.restarts
import data.forestall.lib.result
import data.forestall.lib.status

# As long as that the kubelet forgets the back-off (see command-exits).
_backoff_forgotten_after_seconds := 600

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"path": detaches.path,
	"reason": sprintf("restarted again and again, %s", [detaches.because]),
	"what": concat(" ", [text |
		some text in [
			sprintf("kubectl shows %s: the container ends with its first process, and what runs in the", [_shown(container)]),
			sprintf("background is killed; %s.", [restarts.again(container)]),
			consequences.between_starts(container.name),
		]
		text != ""
	]),
	"why": sprintf("%s, and restartPolicy is Always.%s", [detaches.because, _unless(detaches)]),
	"fix": sprintf("keep it in the foreground: %s.", [detaches.instead]),
}) if {
	some container in input.containers
	container.restartAlways.state == "present"
	detaches := container.command.detaches
	detaches.state == "present"
	object.get(detaches, "afterSeconds", 0) < _backoff_forgotten_after_seconds
}

_shown(container) := sprintf("%s (exit code 0)", [status.completed(container)]) if {
	container.kind == "sidecar"
} else := sprintf("%s (exit code 0) or CrashLoopBackOff%s", [
	status.completed(container), status.ready_beside(container),
])

_unless(detaches) := sprintf(" Only %s in the image could keep it in the foreground.", [detaches.config]) if {
	detaches.config
} else := ""
