# METADATA
# title: Image that is never pulled
# description: >-
#   With imagePullPolicy Never the kubelet pulls nothing: only a node that somebody has loaded the image into can start
#   the container. New nodes have nothing, and unused images are removed when the disk fills up.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/containers/images/#image-pull-policy
#     description: Image pull policy
#   - ref: https://kubernetes.io/docs/concepts/architecture/garbage-collection/#containers-images
#     description: Garbage collection of unused images
# custom:
#   category: images
#   concern: image
#   certainty: possible
#   judges:
#     - {of: container, fact: image.neverPulled, state: present}
#   failure: ErrImageNeverPull
#   confirmedBy:
#     - {waiting: ErrImageNeverPull}
#     - {event: ErrImageNeverPull}
#   remediation: Push the image to a registry and use imagePullPolicy IfNotPresent, or load it into every node.
#   since: v0.1.0
package forestall.rules["image-pull-policy-never"]

import data.forestall.lib.images
import data.forestall.lib.result
import data.forestall.lib.status

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"path": container.image.neverPulled.path,
	"reason": sprintf("%s on every node that does not have %s", [
		status.of(container, "ErrImageNeverPull"), images.shown(container.image.text),
	]),
	"what": sprintf("on a node without the image %s", [images.never_starts(container, "ErrImageNeverPull")]),
	"why": sprintf("imagePullPolicy is Never, so nothing pulls %q%s.", [container.image.text, _also(container.image)]),
	"fix": concat(" ", [
		"push the image to a registry and write imagePullPolicy: IfNotPresent, which still takes the image that a node has;",
		"or load it into every node (kind load docker-image, minikube image load).",
	]),
}) if {
	some container in input.containers
	container.image.neverPulled.state == "present"
}

_also(image) := ", and without a fixed tag each node may have another one" if {
	image.mutable.state == "present"
} else := ""
