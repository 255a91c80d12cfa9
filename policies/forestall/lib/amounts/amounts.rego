# METADATA
# title: Amounts
# description: Amounts of memory in the words of a manifest.
package forestall.lib.amounts

# METADATA
# description: The amount in the largest binary unit that is exact, or about that.
# scope: document
shown(bytes) := sprintf("%dGi", [bytes / _gi]) if {
	bytes % _gi == 0
} else := sprintf("%dMi", [bytes / _mi]) if {
	bytes % _mi == 0
} else := sprintf("about %dMi", [round(bytes / _mi)]) if {
	bytes > 16 * _mi
} else := sprintf("%d bytes", [bytes])

# METADATA
# description: The amount and room beside it, a quarter but at least 32Mi, as a quantity.
# scope: document
roomy(bytes) := sprintf("%dGi", [ceil(_roomy(bytes) / _gi)]) if {
	bytes >= 16 * _gi
} else := sprintf("%dMi", [16 * ceil(_roomy(bytes) / (16 * _mi))])

_roomy(bytes) := bytes + max({bytes / 4, 32 * _mi})

# METADATA
# description: Three quarters of the amount, in whole Mi, as a bare number.
# scope: document
three_quarters(bytes) := floor((bytes * 3) / (4 * _mi))

# METADATA
# description: What a person calls the limit in force.
# scope: document
limit_name(limit) := {
	"container": "limits.memory",
	"pod": "the pod's limits.memory",
	"limitRange": "the LimitRange's default limit of",
}[limit.from]

# METADATA
# description: |
#   The limit as it was written, with its bytes where the unit is a decimal one: 1024M is less than 1024Mi.
# scope: document
limit_text(limit) := limit.text if {
	endswith(limit.text, "i")
} else := sprintf("%s (%d bytes)", [limit.text, limit.bytes])

_mi := 1048576

_gi := 1073741824

# METADATA
# description: |
#   Another amount for a limit and, where they are written, the fields at these paths, as part of a finding; nothing
#   for the limit of a LimitRange, which is no part of the object.
# scope: document
suggestion(limit, amount, paths) := {"suggestions": array.concat(
	[{"op": "set", "path": limit.path, "value": amount}],
	[{"op": "update", "path": path, "value": amount} | some path in paths],
)} if {
	limit.from in {"container", "pod"}
} else := {}
