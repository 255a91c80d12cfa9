package forestall.lib.words

# METADATA
# description: How often, as a word or a number.
# scope: document
times(1) := "once"

times(n) := sprintf("%d times", [n]) if n != 1

# METADATA
# description: A time as people say it; in seconds up to two minutes, as it is mostly written.
# scope: document
duration(seconds) := sprintf("%ds", [seconds]) if {
	seconds <= 120
} else := sprintf("%s %s", [_decimal(seconds / unit.seconds), unit.name]) if {
	unit := [u | some u in _units; seconds >= u.least][0]
}

_units := [
	{"name": "years", "seconds": 31536000, "least": 63072000},
	{"name": "days", "seconds": 86400, "least": 172800},
	{"name": "hours", "seconds": 3600, "least": 7200},
	{"name": "minutes", "seconds": 60, "least": 0},
]

# One place behind the point, and none where that is 0.
_decimal(number) := sprintf("%v", [round(number * 10) / 10])
