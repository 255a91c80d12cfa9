# METADATA
# title: Findings
# description: The one place that builds findings, so that what METADATA says of a rule is written once.
package forestall.lib.result

# METADATA
# description: |
#   Returns the finding of the rule whose metadata chain is given. The fields are container, path,
#   reason, what, why, fix and, where the rule can repair the object, repairs, which only add, or
#   suggestions, which are made on demand. The field cause tells what is at fault where the concern of the
#   rule leaves that open, such as the port that a probe asks: findings about one container with the same
#   concern and cause are told as one.
# scope: document
finding(chain, fields) := object.union_n([fields, _about(chain), {"cause": _cause(_custom(chain).concern, fields)}])

# The same for all findings of a rule, and so put together once.
_about(chain) := {
	"rule": _id(link),
	"level": object.get(custom, "level", _default_level[custom.certainty]),
	"certainty": custom.certainty,
	"category": custom.category,
	"failure": custom.failure,
	"links": [l.ref | some l in object.get(link.annotations, "related_resources", [])],
} if {
	some link in chain
	link.annotations.scope == "package"
	custom := link.annotations.custom
}

_custom(chain) := link.annotations.custom if {
	some link in chain
	link.annotations.scope == "package"
}

_cause(concern, fields) := sprintf("%s/%s", [concern, fields.cause]) if {
	fields.cause
} else := concern if {
	object.get(fields, "container", "") != ""
} else := sprintf("%s/%s", [concern, fields.path])

_id(link) := link.path[count(link.path) - 1]

_default_level := {"certain": "deny", "likely": "warn", "possible": "audit"}
