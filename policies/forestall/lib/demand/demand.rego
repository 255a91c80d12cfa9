# METADATA
# title: Demands
# description: What the demands for memory mean, when they exceed a limit, and what to do about it.
package forestall.lib.demand

import data.forestall.lib.amounts
import data.forestall.lib.consequences

# METADATA
# description: True where a limit can be compared. Below 4Mi no container starts, and the limit itself is the cause.
# scope: document
comparable(limit) if {
	limit.state == "present"
	limit.bytes >= 4194304
}

# METADATA
# description: |
#   True where a demand is more than the limit. What is taken at once is so already when both are the
#   same, because the program itself needs memory too. A soft limit asks for nothing.
# scope: document
exceeds(ask, limit) if {
	ask.kind != "goLimit"
	ask.bytes > limit.bytes
}

exceeds(ask, limit) if {
	ask.taken
	ask.bytes >= limit.bytes
}

# METADATA
# description: What the demand means, after its text.
# scope: document
meaning(ask) := sprintf(_meanings[ask.kind], [amounts.shown(ask.bytes)])

_meanings := {
	"heap": "allows a heap of %s",
	"oldSpace": "allows an old generation of %s in the heap",
	"data": "keeps up to %s of data",
	"workers": "takes %s",
	"goLimit": "lets the Go runtime collect late until it holds %s",
	"volume": "allows %s of files in memory that count as memory of the container which writes them",
}

# METADATA
# description: When the memory is gone.
# scope: document
moment(ask) := "as soon as it runs" if {
	ask.taken
} else := _moments[ask.kind]

_moments := {
	"heap": "as soon as the heap grows past the limit",
	"oldSpace": "as soon as the heap grows past the limit",
	"data": "as soon as the data grows past the limit",
	"goLimit": "as soon as the heap grows past the limit",
	"volume": "as soon as the files grow past the limit",
}

# METADATA
# description: What the kubelet does with a container that was killed. It ends a sentence.
# scope: document
restarted(container, ask) := "the pod ends as Failed (restartPolicy Never)." if {
	container.restartPolicy == "Never"
} else := sprintf("%s (CrashLoopBackOff), and killed again.", [consequences.restarts]) if {
	ask.taken
} else := "it is started again, and the same follows."

# METADATA
# description: The two ways out, with the numbers to write.
# scope: document
fix(ask, limit) := concat("", [
	sprintf("set %s to %s (%s and room beside it)", [_place(limit), amounts.roomy(ask.bytes), amounts.shown(ask.bytes)]),
	_lower(ask, limit),
	".",
]) if {
	not ask.percent
	ask.kind != "volume"
} else := sprintf("write -XX:MaxRAMPercentage=75 in the place of %s (Java 10, or 8u191, and later).", [ask.text]) if {
	ask.flag == "-XX:MaxRAMFraction"
} else := sprintf("lower %s to 75, or raise %s so that a quarter of it is enough for the rest.", [ask.flag, _place(limit)]) if {
	ask.percent
} else := sprintf("set %s to %dMi or less, leave medium: Memory out, or set %s to %s.", [
	ask.flag, amounts.three_quarters(limit.bytes), _place(limit), amounts.roomy(ask.bytes),
])

_place(limit) := limit.path

# Below 128Mi the programs themselves need most of the limit.
_lower(ask, limit) := "" if {
	limit.bytes < 134217728
} else := sprintf(_lowers[ask.kind], [ask.flag, amounts.three_quarters(limit.bytes)])

_lowers := {
	"heap": ", or lower %s to %dm",
	"oldSpace": ", or lower %s to %d",
	"data": ", or lower %s to %dmb",
	"workers": ", or lower %s so that all workers take %dM together",
	"goLimit": ", or lower %s to %dMiB",
}

# METADATA
# description: A limit with room for what is asked for, as part of a finding; nothing where something else may be meant.
# scope: document
suggestion(ask, limit) := amounts.suggestion(limit, amounts.roomy(ask.bytes), []) if {
	not ask.percent
	ask.kind != "volume"
} else := {}
