package forestall.rules["image-pull-policy-never_test"]

import data.forestall.rules["image-pull-policy-never"] as rule

_report(kind, state, mutable) := report if {
	report := rule.report with input as {
		"containers": [{"name": "web", "kind": kind, "image": {
			"state": "present",
			"text": "shop/web:1",
			"mutable": {"state": mutable},
			"neverPulled": {"state": state, "path": "spec.containers[0].imagePullPolicy"},
		}}],
		"workload": {"kind": "Pod"},
		"cluster": {},
	}
}

test_fail_never if {
	_report("regular", "present", "absent") == {{
		"rule": "image-pull-policy-never",
		"cause": "image",
		"level": "audit",
		"certainty": "possible",
		"category": "images",
		"failure": "ErrImageNeverPull",
		"links": [
			"https://kubernetes.io/docs/concepts/containers/images/#image-pull-policy",
			"https://kubernetes.io/docs/concepts/architecture/garbage-collection/#containers-images",
		],
		"container": "web",
		"path": "spec.containers[0].imagePullPolicy",
		"reason": "ErrImageNeverPull on every node that does not have shop/web:1",
		"what": concat(" ", [
			"on a node without the image kubectl shows ErrImageNeverPull, without end: \"web\" never starts.",
			"The pod as a whole is not Ready: Services leave it out.",
		]),
		"why": "imagePullPolicy is Never, so nothing pulls \"shop/web:1\".",
		"fix": concat(" ", [
			"push the image to a registry and write imagePullPolicy: IfNotPresent, which still takes the image that a node has;",
			"or load it into every node (kind load docker-image, minikube image load).",
		]),
	}}
}

test_fail_untagged if {
	some finding in _report("init", "present", "present")
	finding.why == concat(" ", [
		"imagePullPolicy is Never, so nothing pulls \"shop/web:1\", and without a fixed",
		"tag each node may have another one.",
	])
	startswith(finding.what, "on a node without the image kubectl shows Init:ErrImageNeverPull, without end:")
}

test_pass_pulled_or_unknown if {
	every state in ["absent", "unknown"] {
		count(_report("regular", state, "present")) == 0
	}
}
