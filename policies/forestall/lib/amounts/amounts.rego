# METADATA
# title: Amounts
# description: Amounts of memory in the words of a manifest.
# schemas:
#   - input: schema.input
package forestall.lib.amounts

import data.forestall.lib.limitranges

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
# description: The limit as it was written, with its bytes where the unit is decimal. 1024M is less than 1024Mi.
# scope: document
limit_text(limit) := limit.text if {
	endswith(limit.text, "i")
} else := sprintf("%s bytes", [limit.text]) if {
	limit.text == sprintf("%d", [limit.bytes])
} else := sprintf("%s (%d bytes)", [limit.text, limit.bytes])

_mi := 1048576
_gi := 1073741824

# METADATA
# description: |
#   The number of the limit in mebibytes, where that was meant and suffices for what is known of the container; else
#   nothing. The first bytes are the least that anything starts with.
# scope: document
instead(container, least) := container.memory.unit.instead if {
	container.memory.unit.bytes > least
	container.memory.unit.bytes >= object.get(container.memory, ["need", "bytes"], 0)
} else := ""

# METADATA
# description: A limit to try first, where nothing tells which one was meant.
# scope: document
to_begin_with(container) := shown(max({64 * _mi, object.get(container.memory, ["need", "bytes"], 0)}))

# METADATA
# description: |
#   Another amount for the limit of a container, and for its request where that has the same text, as part of a finding;
#   nothing for the limit of a LimitRange, which is no part of the object, and where no amount is known.
# scope: document
suggestion(container, amount) := {"suggestions": array.concat(
	[{"op": "set", "path": limit.path, "value": amount}],
	[{"op": "update", "path": request.path, "value": amount} |
		request := container.memory.request
		request.text == limit.text
		object.get(request, "from", limit.from) == limit.from
	],
)} if {
	amount != ""
	limit := container.memory.limit
	changeable(container, amount)
} else := {}

# METADATA
# description: |
#   True where the limit is part of the object and may be set to the amount: neither above that of the pod, nor
#   refused by a LimitRange of the namespace.
# scope: document
changeable(container, _) if container.memory.limit.from == "pod"

changeable(container, amount) if {
	container.memory.limit.from == "container"
	not input.pod.spec.resources.limits.memory
	count(limitranges.may_refuse(container, units.parse_bytes(amount))) == 0
}
