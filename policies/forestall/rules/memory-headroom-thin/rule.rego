# METADATA
# title: No room beside the heap
# description: >-
#   The heap, or the data, may grow to nearly the whole memory limit. The rest of the process needs memory too:
#   code, threads, buffers. The kernel kills the process before it would collect garbage or evict data.
# related_resources:
#   - ref: https://eclipse.dev/openj9/docs/xxusecontainersupport/
#     description: A JVM that leaves a quarter or more of the limit to what is not heap
#   - ref: https://go.dev/doc/gc-guide#Memory_limit
#     description: The Go memory limit, and the headroom below the limit of a container
#   - ref: https://redis.io/docs/latest/operate/oss_and_stack/management/optimization/memory-optimization/
#     description: Memory that Redis needs beside its data
# custom:
#   category: memory
#   concern: memory-demand
#   certainty: likely
#   judges:
#     - {of: container, fact: memory.demand, state: present, atLeast: fullPercent}
#     - {of: container, fact: memory.demand.near, state: present}
#   failure: OOMKilled
#   confirmedBy:
#     - {terminated: OOMKilled}
#   remediation: Keep the heap, or the data, at about three quarters of limits.memory.
#   since: v0.1.0
#   params:
#     fullPercent:
#       type: integer
#       default: 90
#       description: The share of the limit, in percent, from which on heap or data count as leaving no room.
package forestall.rules["memory-headroom-thin"]

import data.forestall.lib.amounts
import data.forestall.lib.demand
import data.forestall.lib.result
import data.forestall.lib.status

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"path": ask.path,
	"reason": sprintf("%s, %s leaves no room below %s %s", [
		_failure(container, ask), ask.text, amounts.limit_name(limit), limit.text,
	]),
	"what": sprintf("%s (exit code 137) %s; %s", [
		status.of(container, "OOMKilled"), _moment(ask), demand.restarted(container, ask),
	]),
	"why": sprintf("%s %s; %s is %s: %s.%s", [
		ask.text, demand.meaning(ask), trim_suffix(amounts.limit_name(limit), " of"), amounts.limit_text(limit),
		demand.rest(ask), demand.doubt(ask),
	]),
	"fix": demand.fix(ask, limit),
}) if {
	some container in input.containers
	limit := container.memory.limit
	demand.comparable(limit)
	asks := container.memory.demand.asks
	count([a | some a in asks; demand.ceiling(a, limit)]) == 0 # other rules tell that
	full := input.params["memory-headroom-thin"].fullPercent
	ask := [a | some a in asks; demand.thin(a, limit, full)][0]
}

_failure(container, ask) := status.of(container, "OOMKilled") if {
	ask.taken
} else := sprintf("%s under load", [status.of(container, "OOMKilled")])

_moment(ask) := "as soon as it runs" if {
	ask.taken
} else := "when the program uses what it may use, often only after hours or days"
