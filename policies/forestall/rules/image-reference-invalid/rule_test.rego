package forestall.rules["image-reference-invalid_test"]

import data.forestall.rules["image-reference-invalid"] as rule

_container(kind, image) := {
	"name": "web",
	"kind": kind,
	"image": object.union({"path": "spec.containers[0].image", "state": "present"}, image),
}

_invalid(form, part) := {"text": "Shop/web:1", "invalid": {
	"state": "present",
	"path": "spec.containers[0].image",
	"error": "invalid reference format",
	"form": form,
	"part": part,
}}

_agent := {"name": "agent", "kind": "regular", "image": {"invalid": {"state": "absent"}}}

_report(kind, image) := report if {
	report := rule.report with input as {
		"containers": [_container(kind, image), _agent],
		"workload": {"kind": "Pod"},
		"cluster": {},
	}
}

_reason(form, part) := finding.reason if some finding in _report("regular", _invalid(form, part))

_fix(form) := finding.fix if some finding in _report("regular", _invalid(form, "x"))

test_fail_upper_case if {
	_report("regular", object.union(_invalid("case", "Shop/web"), {"invalid": {"meant": "shop/web:1"}})) == {{
		"rule": "image-reference-invalid",
		"cause": "image",
		"level": "deny",
		"certainty": "certain",
		"category": "images",
		"failure": "InvalidImageName, FailedCreate",
		"links": [
			"https://kubernetes.io/docs/concepts/containers/images/#image-names",
			"https://pkg.go.dev/github.com/distribution/reference",
		],
		"container": "web",
		"path": "spec.containers[0].image",
		"reason": `InvalidImageName, "Shop/web" in image "Shop/web:1" has upper-case letters`,
		"what": concat(" ", [
			`kubectl shows InvalidImageName, without end: "web" never starts.`,
			`The pod as a whole is not Ready: Services leave it out, although "agent" may be fine.`,
		]),
		"why": "the kubelet reads the reference before it pulls anything, and reports: invalid reference format.",
		"fix": "write image: shop/web:1.",
	}}
}

test_fail_each_form if {
	_reason("placeholder", "${TAG}") == `InvalidImageName, "${TAG}" in image "Shop/web:1" was not filled in`
	_reason("part", "") == `InvalidImageName, image "Shop/web:1" has an empty part in its name`
	_reason("part", "-web") == `InvalidImageName, "-web" in image "Shop/web:1" is no part of a name`
	_reason("digest", "") == `InvalidImageName, image "Shop/web:1" has nothing after its @`
	_reason("slash", "") == `InvalidImageName, image "Shop/web:1" begins with a slash, its registry is missing`
	_reason("edge", "") == `FailedCreate, image "Shop/web:1" begins or ends with white space`
	every form in ["scheme", "character", "name", "tag-missing", "identifier", "port", "host", "tag", "length", "other"] {
		_ := _reason(form, "x")
	}
}

test_fail_every_form_has_a_fix if {
	_fix("character") == "write image: <registry>/<name>:<tag>, without it."
	every form in [
		"edge", "placeholder", "scheme", "slash", "name", "tag-missing", "digest", "identifier", "port",
		"host", "tag", "case", "length", "part", "other",
	] {
		_ := _fix(form)
	}
}

test_fail_other_kinds_of_container if {
	some sidecar in _report("sidecar", _invalid("case", "Shop/web"))
	startswith(sidecar.what, `kubectl shows Init:InvalidImageName, without end: the containers after "web" never start.`)
	some debug in _report("ephemeral", _invalid("case", "Shop/web"))
	debug.what == "kubectl debug waits in vain (InvalidImageName); the other containers of the pod go on."
}

test_fail_refused_by_the_api_server if {
	image := _invalid("edge", "")
	some pod in _report("regular", image)
	pod.what == "the API server refuses the pod."
	pod.why == "the API server reports: must not have leading or trailing whitespace."
	report := rule.report with input as {"containers": [_container("regular", image)], "workload": {"kind": "Deployment"}}
	some deployment in report
	endswith(deployment.what, "none is ever created, kubectl get events shows FailedCreate.")
}

test_fail_long_references_are_cut if {
	long := concat("", [c | some _ in numbers.range(1, 500); c := "a"])
	image := object.union(_invalid("slash", ""), {"text": concat("", ["/", long])})
	some finding in _report("regular", image)
	endswith(finding.reason, `aaa…" begins with a slash, its registry is missing`)
	count(finding.reason) < 250
}

test_pass_readable_or_unknown if {
	every state in ["absent", "unknown"] {
		count(_report("regular", {"text": "web:1", "invalid": {"state": state}})) == 0
	}
}

# ko resolves it in files; what it has left in a request is what the kubelet gets.
test_fail_unresolved_by_ko if {
	unresolved := {"text": "ko://github.com/acme/app", "invalid": {
		"state": "present", "path": "spec.containers[0].image", "error": "invalid reference format",
		"form": "placeholder", "part": "ko://github.com/acme/app",
	}}
	asked := {"containers": [_container("regular", unresolved)], "workload": {"kind": "Pod"}, "cluster": {}}
	some finding in rule.report with input as object.union(asked, {"request": {"operation": "CREATE"}})
	finding.fix == "run ko resolve or ko apply on the manifest: ko builds the image and writes its name."
	count(rule.report) == 0 with input as object.union(asked, {"request": {"operation": "AUDIT"}})
}
