# METADATA
# title: Images
# description: Wording about image references, and about containers whose image never comes.
# schemas:
#   - input: schema.input
package forestall.lib.images

import data.forestall.lib.consequences
import data.forestall.lib.restarts
import data.forestall.lib.words

# METADATA
# description: What is seen where a container never starts, for the reason that kubectl shows.
# scope: document
never_starts(container, reason) := sprintf("kubectl debug waits in vain (%s); the other containers of the pod go on.", [
	reason,
]) if {
	container.kind == "ephemeral"
} else := sprintf("kubectl shows Init:%s%s: the containers after %q never start. %s", [
	reason, _how_long, container.name, _follows(""),
]) if {
	container.kind in {"init", "sidecar"}
} else := sprintf("kubectl shows %s%s: %q never starts. %s", [
	reason, _how_long, container.name, _follows(container.name),
])

# The deadline of a Job is told with what follows for the Job.
_how_long := "" if {
	input.workload.activeDeadlineSeconds
} else := sprintf(", %s", [restarts.until_deadline])

_follows(name) := consequences.never_completes if {
	words.batch
} else := consequences.never_ready(name)

# METADATA
# description: What is wrong with an image reference that cannot be read, in one clause.
# scope: document
wrong(image) := sprintf("image %q %s", [shown(image.text), _empty_part[image.invalid.form]]) if {
	_part(image.invalid) == ""
	_empty_part[image.invalid.form]
} else := sprintf("%q in image %q %s", [_part(image.invalid), shown(image.text), _of_part[image.invalid.form]]) if {
	_of_part[image.invalid.form]
} else := sprintf("image %q %s", [shown(image.text), _of_all[image.invalid.form]])

# METADATA
# description: A reference, cut where it is too long for a line.
# scope: document
shown(text) := text if {
	count(text) <= _line
} else := sprintf("%s…", [substring(text, 0, _line)])

_line := 120

_part(invalid) := object.get(invalid, "part", "")

_empty_part := {
	"part": "has an empty part in its name",
	"digest": "has nothing after its @",
}

_of_part := {
	"placeholder": "was not filled in",
	"scheme": "does not belong there",
	"character": "is no character of an image reference",
	"digest": "is no digest",
	"port": "is read as the port of a registry, and is no number",
	"host": "is no host name of a registry",
	"tag": "is no tag",
	"case": "has upper-case letters",
	"part": "is no part of a name",
}

_of_all := {
	"edge": "begins or ends with white space",
	"slash": "begins with a slash, its registry is missing",
	"name": "has no name before the tag or digest",
	"tag-missing": "has nothing after its colon",
	"identifier": "is the ID of an image and not a name",
	"length": "has a name of more than 255 characters",
	"other": "is no image reference",
}
