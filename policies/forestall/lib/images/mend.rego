package forestall.lib.images

# METADATA
# description: How to mend a reference that cannot be read.
# scope: document
mend(invalid) := "run ko resolve or ko apply on the manifest: ko builds the image and writes its name." if {
	startswith(invalid.part, "ko://")
} else := sprintf("write image: %s.", [invalid.meant]) if {
	invalid.meant
} else := _mends[invalid.form] if {
	_mends[invalid.form]
} else := concat(" ", _letters) if {
	invalid.form in {"port", "tag"}
} else := "write image: <registry>/<name>:<tag>, without it."

_letters := [
	"a tag is letters, digits, _ . and -, at most 128;",
	"a slash or + of a branch or version is usually pushed as - or _.",
]

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
	"length": "shorten the name; registries hold at most 255 characters.",
	"part": "between slashes write lower-case letters and digits, with one . or _ or with dashes between them.",
	"other": "write image: <registry>/<name>:<tag>.",
}
