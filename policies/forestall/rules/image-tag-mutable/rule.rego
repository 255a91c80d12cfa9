# METADATA
# title: Image without a fixed tag
# description: >-
#   An image without a tag is the one with the tag latest, and latest is whatever was pushed last. Pods of one object
#   can run different code, and nothing in the object tells which.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/containers/images/#image-names
#     description: Image names
#   - ref: https://kubernetes.io/docs/concepts/containers/images/#imagepullpolicy-defaulting
#     description: Default image pull policy
# custom:
#   category: images
#   concern: image
#   certainty: possible
#   judges:
#     - {of: container, fact: image.mutable, state: present}
#   failure: pods of one object with different code, ErrImagePull
#   unconfirmed: which code a tag stood for on each node is in no status
#   remediation: Name a tag that is never pushed again, or a digest.
#   since: v0.1.0
package forestall.rules["image-tag-mutable"]

import data.forestall.lib.images
import data.forestall.lib.result

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"path": image.mutable.path,
	"reason": sprintf("image %q %s", [images.shown(image.text), _means(image)]),
	"what": sprintf(concat(" ", _what[image.pullPolicy]), [image.name]),
	"why": sprintf("%s, and imagePullPolicy is %s.", [_because(image), image.pullPolicy]),
	"fix": concat(" ", [
		sprintf("name the version, image: %s:<version>, under a tag that is never pushed again;", [untagged]),
		sprintf("or the digest, %s@sha256:<digest>.", [untagged]),
	]),
}) if {
	some container in input.containers
	container.kind != "ephemeral" # of kubectl debug, gone with the pod
	image := container.image
	image.mutable.state == "present"
	_what[image.pullPolicy] # with Never it is another matter
	untagged := trim_suffix(image.text, ":latest")
}

_means(image) := "is whatever was last pushed" if {
	image.tag
} else := "has no tag, so it is whatever was last pushed as latest"

_because(image) := "the tag latest moves with each push" if {
	image.tag
} else := "no tag means latest, which moves with each push"

_what := {
	"Always": [
		"each start pulls %s:latest as it is then: a restart can change the code, pods started at different times can",
		"differ, and a roll-back brings nothing back. Where the registry has no latest, or is not reached, kubectl shows",
		"ErrImagePull or ImagePullBackOff, even on a node that has the image.",
	],
	"IfNotPresent": [
		"each node runs the %s:latest that it has, and pulls it only where it has none: pods on different nodes can run",
		"different code, and what is pushed later arrives on new nodes alone.",
	],
}
