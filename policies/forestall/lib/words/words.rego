# METADATA
# title: Words
# description: Wording that rules share, so that the same thing is said in the same way.
# schemas:
#   - input: schema.input
package forestall.lib.words

# METADATA
# description: The main containers of the pod, by name.
# scope: document
regular contains c.name if {
	some c in input.containers
	c.kind == "regular"
}

# METADATA
# description: The main containers beside the named one, quoted and listed; counted where they are many.
# scope: document
beside(name) := sprintf("the other %d containers", [count(regular) - count([1 | name in regular])]) if {
	count(regular) > _listed
} else := concat(", ", [sprintf("%q", [n]) | some n in sort(regular - {name})])

_listed := 6

# METADATA
# description: True for the kinds whose pods are meant to end.
# scope: document
batch if _like in {"Job", "CronJob"}

# A custom kind says which built-in one it is like.
_like := input.workload.like if {
	input.workload.like
} else := input.workload.kind

# METADATA
# description: True for the kinds whose pods may have another restartPolicy than Always.
# scope: document
may_end if input.workload.kind in {"Pod", "PodTemplate"}

may_end if batch

# METADATA
# description: The Services that select the pod, by name; only where some are known.
# scope: document
services := sprintf("Service %q", input.cluster.services) if {
	count(input.cluster.services) == 1
}

services := sprintf("Services %s%s", [
	concat(", ", [sprintf("%q", [s]) | some s in _first_services]),
	_more_services,
]) if {
	count(input.cluster.services) > 1
}

# Each finding of the pod tells of them: it cannot list thousands.
_first_services := array.slice(input.cluster.services, 0, _listed)

_more_services := sprintf(" and %d others", [_unlisted]) if {
	_unlisted > 0
} else := ""

_unlisted := (count(input.cluster.services) - count(_first_services)) + _unnamed

_unnamed := input.cluster.moreServices if {
	input.cluster.moreServices
} else := 0

# METADATA
# description: One clause for each of the Services that select the pod; counted where they are many.
# scope: document
select_the_pod := array.concat(
	[sprintf("Service %q selects the pod", [name]) | some name in _first_services],
	[sprintf("%d other Services select it", [_unlisted]) | _unlisted > 0],
)

# METADATA
# description: A list of strings as it is written in YAML, to be pasted.
# scope: document
flow(list) := sprintf("[%s]", [concat(", ", [sprintf("%q", [word]) | some word in list])])

# METADATA
# description: Says that args has to go where what a command was meant to be holds its args as well.
# scope: document
also_args(slip) := " and remove args" if {
	slip.args
} else := ""

# METADATA
# description: True where the pod, or the Job that it belongs to, may be active for so long and no longer.
# scope: document
deadline if input.pod.activeDeadline.state == "present"

deadline if input.workload.activeDeadlineSeconds
