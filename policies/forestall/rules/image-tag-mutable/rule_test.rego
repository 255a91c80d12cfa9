package forestall.rules["image-tag-mutable_test"]

import data.forestall.rules["image-tag-mutable"] as rule

_report(kind, image) := report if {
	report := rule.report with input as {"containers": [{"name": "web", "kind": kind, "image": object.union(
		{
			"state": "present",
			"text": "shop/web",
			"name": "docker.io/shop/web",
			"pullPolicy": "Always",
			"mutable": {"state": "present", "path": "spec.containers[0].image"},
		},
		image,
	)}]}
}

test_fail_untagged if {
	_report("regular", {}) == {{
		"rule": "image-tag-mutable",
		"cause": "image",
		"level": "audit",
		"certainty": "possible",
		"category": "images",
		"failure": "pods of one object with different code, ErrImagePull",
		"links": [
			"https://kubernetes.io/docs/concepts/containers/images/#image-names",
			"https://kubernetes.io/docs/concepts/containers/images/#imagepullpolicy-defaulting",
		],
		"container": "web",
		"path": "spec.containers[0].image",
		"reason": `image "shop/web" has no tag, so it is whatever was last pushed as latest`,
		"what": concat(" ", [
			"each start pulls docker.io/shop/web:latest as it is then: a restart can change the code, pods started at",
			"different times can differ, and a roll-back brings nothing back. Where the registry has no latest,",
			"or is not reached,",
			"kubectl shows ErrImagePull or ImagePullBackOff, even on a node that has the image.",
		]),
		"why": "no tag means latest, which moves with each push, and imagePullPolicy is Always.",
		"fix": concat(" ", [
			"name the version, image: shop/web:<version>, under a tag that is never pushed again;",
			"or the digest, shop/web@sha256:<digest>.",
		]),
	}}
}

test_fail_latest_where_it_is_not_present if {
	some finding in _report("init", {"text": "shop/web:latest", "tag": "latest", "pullPolicy": "IfNotPresent"})
	finding.reason == `image "shop/web:latest" is whatever was last pushed`
	startswith(finding.what, concat(" ", [
		"each node runs the docker.io/shop/web:latest that it has, and pulls it only",
		"where it has none:",
	]))
	finding.why == "the tag latest moves with each push, and imagePullPolicy is IfNotPresent."
	startswith(finding.fix, "name the version, image: shop/web:<version>,")
}

test_pass_fixed_or_unknown if {
	every state in ["absent", "unknown"] {
		count(_report("regular", {"mutable": {"state": state}})) == 0
	}
}

test_pass_never_pulled if count(_report("regular", {"pullPolicy": "Never"})) == 0

test_pass_kubectl_debug if count(_report("ephemeral", {})) == 0
