# METADATA
# title: More memory allowed than the limit
# description: >-
#   The heap of a JVM or of Node.js, or the data of redis, may grow beyond the memory limit of the container. The
#   program knows only its own bound: once it needs more than the limit, the kernel kills it.
# related_resources:
#   - ref: https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/
#     description: Exceed a container's memory limit
#   - ref: https://docs.oracle.com/en/java/javase/17/gctuning/factors-affecting-garbage-collection-performance.html
#     description: How a JVM grows its heap between its least and its largest size
#   - ref: https://nodejs.org/api/cli.html#--max-old-space-sizesize-in-mib
#     description: Node.js collects harder only near --max-old-space-size
# custom:
#   category: memory
#   concern: memory-demand
#   certainty: likely
#   judges:
#     - {of: container, fact: memory.demand.near, state: present}
#   failure: OOMKilled
#   confirmedBy:
#     - {terminated: OOMKilled}
#   remediation: Keep the heap, or the data, at about three quarters of limits.memory.
#   since: v0.1.0
package forestall.rules["memory-ceiling-exceeds-limit"]

import data.forestall.lib.amounts
import data.forestall.lib.demand
import data.forestall.lib.result
import data.forestall.lib.status

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"path": ask.path,
	"reason": sprintf("%s, %s exceeds %s %s", [_failure(container, ask), ask.text, amounts.limit_name(limit), limit.text]),
	"what": sprintf("%s (exit code 137) %s; %s", [
		status.of(container, "OOMKilled"), _moment(ask), demand.restarted(container, ask),
	]),
	"why": sprintf("%s %s; %s is %s: %s.%s", [
		ask.text, demand.meaning(ask), trim_suffix(amounts.limit_name(limit), " of"), amounts.limit_text(limit),
		_unbounded(ask), demand.doubt(ask),
	]),
	"fix": demand.fix(ask, limit),
}) if {
	some container in input.containers
	limit := container.memory.limit
	demand.comparable(limit)
	asks := container.memory.demand.asks
	count([a | some a in asks; demand.taken(a, limit)]) == 0 # that is told by memory-demand-exceeds-limit
	ask := [a | some a in asks; demand.ceiling(a, limit)][0]
}

_failure(container, ask) := status.of(container, "OOMKilled") if {
	ask.taken
} else := sprintf("%s under load", [status.of(container, "OOMKilled")])

_moment(ask) := demand.moment(ask) if {
	ask.taken
} else := sprintf("%s, which it may never do", [demand.moment(ask)])

_unbounded(ask) := "the program takes it all when it starts" if {
	ask.taken
} else := _bounds[ask.kind]

_bounds := {
	"heap": "the JVM grows the heap up to its own bound while objects stay in use",
	"oldSpace": "Node.js collects harder only near its own bound",
	"data": "nothing is evicted or refused before",
}
