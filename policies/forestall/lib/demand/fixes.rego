package forestall.lib.demand

import data.forestall.lib.amounts

# METADATA
# description: The two ways out, with the numbers to write.
# scope: document
fix(ask, limit) := concat("", [
	sprintf("set %s to %s (%s and room beside it)", [limit.path, amounts.roomy(_most(ask)), amounts.shown(_most(ask))]),
	_lower(ask, limit),
	".",
]) if {
	not ask.percent
	ask.kind != "volume"
} else := sprintf("write -XX:MaxRAMPercentage=75 in the place of %s (Java 10, or 8u191, and later).", [ask.text]) if {
	ask.flag == "-XX:MaxRAMFraction"
} else := sprintf("lower %s to 75, or raise %s so that a quarter of it is enough for the rest.", [
	ask.flag, limit.path,
]) if {
	ask.percent
} else := sprintf("set %s to %dMi or less, leave medium: Memory out, or set %s to %s.", [
	ask.flag, amounts.three_quarters(limit.bytes), limit.path, amounts.roomy(ask.bytes),
])

# Below 128Mi the programs themselves need most of the limit.
_lower(ask, limit) := "" if {
	limit.bytes < 134217728
} else := sprintf(", or lower %s to %d MiB", [ask.flag, amounts.three_quarters(limit.bytes)]) if {
	ask.kind == "data"
	ask.flag != "--maxmemory" # each program writes it in its own way
} else := sprintf(_lowers[ask.kind], [_flags(ask, limit), amounts.three_quarters(limit.bytes)])

# What the program may grow to: a limit that only holds what is taken first is the next finding.
_most(ask) := object.get(ask, "most", ask.bytes)

# A JVM does not start with a heap that begins larger than it may be.
_flags(ask, limit) := "-Xms and -Xmx" if {
	ask.kind == "heap"
	ask.start > amounts.three_quarters(limit.bytes) * 1048576
} else := ask.flag

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
suggestion(container, ask) := {"suggestions": [{"op": "set", "path": path, "value": amount}]} if {
	path := container.memory.limit.path
	not ask.percent
	ask.kind != "volume"
	amount := amounts.roomy(_most(ask))
	amounts.changeable(container, amount)
} else := {}
