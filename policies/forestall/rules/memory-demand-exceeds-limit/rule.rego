# METADATA
# title: More memory taken than the limit allows
# description: >-
#   The command line or an environment variable makes the program take more memory than the limit of the container as
#   soon as it runs: a load generator, or a heap that is touched at the start. The kernel kills it.
# related_resources:
#   - ref: https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/
#     description: Exceed a container's memory limit
#   - ref: https://docs.oracle.com/en/java/javase/17/docs/specs/man/java.html
#     description: AlwaysPreTouch, which makes a JVM touch every page of the heap that it begins with
# custom:
#   category: memory
#   concern: memory-demand
#   certainty: certain
#   judges:
#     - {of: container, fact: memory.demand.near, state: present}
#   failure: OOMKilled
#   confirmedBy:
#     - {terminated: OOMKilled}
#   remediation: Raise limits.memory above what the process takes plus a quarter, or take less.
#   since: v0.1.0
#   suggests: true
package forestall.rules["memory-demand-exceeds-limit"]

import data.forestall.lib.amounts
import data.forestall.lib.consequences
import data.forestall.lib.demand
import data.forestall.lib.result
import data.forestall.lib.status

report contains result.finding(rego.metadata.chain(), object.union(demand.suggestion(container, ask), {
	"container": container.name,
	"path": ask.path,
	"reason": sprintf("%s, %s exceeds %s %s", [
		status.of(container, "OOMKilled"), ask.text, amounts.limit_name(limit), limit.text,
	]),
	"what": concat(" ", array.concat(
		[sprintf("%s %s; %s", [_shown(container, ask), demand.moment(ask), demand.restarted(container, ask)])],
		_between_starts(container),
	)),
	"why": sprintf("%s %s; %s is %s.", [
		ask.text, demand.meaning(ask), trim_suffix(amounts.limit_name(limit), " of"), amounts.limit_text(limit),
	]),
	"fix": demand.fix(ask, limit),
})) if {
	some container in input.containers
	limit := container.memory.limit
	demand.comparable(limit)
	ask := [a | some a in container.memory.demand.asks; demand.taken(a, limit)][0]
}

_between_starts(container) := [] if {
	container.kind == "init"
} else := [] if {
	container.restartPolicy == "Never"
} else := [text | text := consequences.between_starts(container.name); text != ""]

# The workers of stress and stress-ng (--vm) are processes of their own: where the kernel kills one alone, stress
# reports it and exits with 1, and kubectl shows OOMKilled all the same.
_shown(container, ask) := sprintf("%s (exit code 137; 1 on nodes with cgroup v1)", [
	status.of(container, "OOMKilled"),
]) if {
	ask.kind == "workers"
	startswith(ask.flag, "--vm")
} else := sprintf("%s (exit code 137)", [status.of(container, "OOMKilled")])
