# METADATA
# title: Memory limit below what the program needs
# description: >-
#   The limit is less than the program, or the image as it is, is known to need before it does any work: what the
#   runtime starts with, what an interpreter takes, the heap that a start script sets.
# related_resources:
#   - ref: https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/
#     description: Exceed a container's memory limit
# custom:
#   category: memory
#   concern: memory-limit
#   certainty: likely
#   judges:
#     - {of: container, fact: memory.need, state: present}
#   failure: OOMKilled, or a container that is not created
#   confirmedBy:
#     - {terminated: OOMKilled}
#     - {waiting: RunContainerError, message: memory}
#     - {terminated: StartError, message: memory}
#   remediation: Raise limits.memory above what the program needs plus a quarter.
#   since: v0.1.0
package forestall.rules["memory-limit-below-known-need"]

import data.forestall.lib.amounts
import data.forestall.lib.restarts
import data.forestall.lib.result
import data.forestall.lib.status

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"path": limit.path,
	"reason": sprintf("%s %s is less than the %s that it needs", [
		amounts.limit_name(limit), limit.text, amounts.shown(need.bytes),
	]),
	"what": sprintf("kubectl shows %s; %s.", [status.in_text(container, need.shows), restarts.after_failure(container)]),
	"why": sprintf("%s is %s, and %s.", [
		trim_suffix(amounts.limit_name(limit), " of"), amounts.limit_text(limit), need.because,
	]),
	"fix": sprintf("set %s to %s or more.", [limit.path, amounts.roomy(need.bytes)]),
}) if {
	some container in input.containers
	need := container.memory.need
	need.state == "present"
	limit := container.memory.limit
}
