# METADATA
# title: A volume in memory that may outgrow the limit
# description: >-
#   The sizeLimit of an emptyDir in memory is more than the memory limit of the container that may write to it. Files
#   there count as memory of who writes them: the container is killed long before the volume is full.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/storage/volumes/#emptydir
#     description: Volumes in memory count as memory of the container that writes
# custom:
#   category: memory
#   concern: memory-volume
#   certainty: possible
#   judges:
#     - {of: container, fact: memory.demand.near, state: present}
#   failure: OOMKilled
#   confirmedBy:
#     - {terminated: OOMKilled}
#   remediation: Keep the sizeLimit of volumes in memory below limits.memory, with room for the program.
#   since: v0.1.0
package forestall.rules["memory-volume-exceeds-limit"]

import data.forestall.lib.amounts
import data.forestall.lib.demand
import data.forestall.lib.result
import data.forestall.lib.status

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"path": ask.path,
	"reason": sprintf("%s if the volume fills up, %s exceeds %s %s", [
		status.of(container, "OOMKilled"), ask.text, amounts.limit_name(limit), limit.text,
	]),
	"what": concat(" ", [
		sprintf("%s (exit code 137) %s;", [status.of(container, "OOMKilled"), demand.moment(ask)]),
		"few programs write that much. The files stay when the container restarts.",
	]),
	"why": sprintf("%s %s; %s is %s.", [
		ask.text, demand.meaning(ask), trim_suffix(amounts.limit_name(limit), " of"), amounts.limit_text(limit),
	]),
	"fix": demand.fix(ask, limit),
}) if {
	some container in input.containers
	limit := container.memory.limit
	demand.comparable(limit)
	some ask in container.memory.demand.asks
	ask.kind == "volume"
	ask.bytes > limit.bytes
}
