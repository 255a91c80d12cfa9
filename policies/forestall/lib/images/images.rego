# METADATA
# title: Images
# description: Wording about image references, and about containers whose image never comes.
# schemas:
#   - input: schema.input
package forestall.lib.images

import data.forestall.lib.consequences
import data.forestall.lib.words

# METADATA
# description: What is seen where a container never starts, for the reason that kubectl shows.
# scope: document
never_starts(container, reason) := sprintf("kubectl debug waits in vain (%s); the other containers of the pod go on.", [reason]) if {
	container.kind == "ephemeral"
} else := sprintf("kubectl shows Init:%s, without end: the containers after %q never start. %s", [
	reason,
	container.name,
	_follows(""),
]) if {
	container.kind in {"init", "sidecar"}
} else := sprintf("kubectl shows %s, without end: %q never starts. %s", [reason, container.name, _follows(container.name)])

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

# METADATA
# description: How to mend a reference that cannot be read.
# scope: document
mend(invalid) := sprintf("write image: %s.", [invalid.meant]) if {
	invalid.meant
} else := _mends[invalid.form] if {
	_mends[invalid.form]
} else := "write image: <registry>/<name>:<tag>, without it."

_letters := "a tag is letters, digits, _ . and -, at most 128; a slash or + of a branch or version is usually pushed as - or _."

_mends := {
	"placeholder": "fill it in before the manifest is applied; Kubernetes expands no variables and no templates in image.",
	"edge": "write image: <registry>/<name>:<tag> without white space around it.",
	"name": "write the name of the image before its tag or digest.",
	"host": "write the host name of the registry: letters, digits, dots and dashes, and a port after a colon.",
	"case": "write the name in lower case, registries know no other.",
	"slash": "write the registry before the slash, or remove the slash if the image is on Docker Hub.",
	"tag-missing": "write a tag after the colon.",
	"digest": "write @sha256: and 64 digits (0-9, a-f) after the name; imageID of a pod that runs the image shows them.",
	"identifier": "write the name and tag of the image; its ID is known only to the machine that has it.",
	"port": _letters,
	"tag": _letters,
	"length": "shorten the name; registries hold at most 255 characters.",
	"part": "between slashes write lower-case letters and digits, with one . or _ or with dashes between them.",
	"other": "write image: <registry>/<name>:<tag>.",
}
