package forestall.rules["memory-limit-missing_test"]

import data.forestall.rules["memory-limit-missing"] as rule

_path := "spec.template.spec.containers[0].resources.limits.memory"

_container := {
	"name": "api",
	"kind": "regular",
	"memory": {
		"limit": {"state": "absent", "path": _path},
		"request": {"state": "absent"},
	},
}

_input(container, text, bytes) := {
	"containers": [container],
	"params": {"memory-limit-missing": {"defaultLimit": {"text": text, "bytes": bytes}}},
}

_ways_out := concat(" ", [
	"For a whole namespace: a LimitRange with a default. To be warned only: label the namespace",
	"forestall.dev/mode=warn, or set level: warn for this rule in forestall's configuration.",
])

_request(text, bytes) := json.patch(_container, [{
	"op": "replace",
	"path": "/memory/request",
	"value": {"state": "present", "text": text, "bytes": bytes},
}])

test_fail_no_limit if {
	report := rule.report with input as _input(_container, "", 0)
	report == {{
		"rule": "memory-limit-missing",
		"cause": "memory-limit",
		"level": "deny",
		"certainty": "possible",
		"category": "memory",
		"failure": "Evicted or OOMKilled, here or in the pods beside it",
		"links": [
			"https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/",
			"https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/",
		],
		"container": "api",
		"path": _path,
		"reason": "no memory limit, it can take all memory of its node",
		"what": concat(" ", [
			"when the node runs short, the kubelet evicts pods (reason Evicted) and the kernel kills processes",
			"(OOMKilled, exit code 137), in this pod or in any other on the node.",
		]),
		"why": "container \"api\" sets no limits.memory, and no pod-level limit covers it.",
		"fix": concat(" ", [
			"add resources: {limits: {memory: 256Mi}} to container \"api\",",
			"with its peak use plus a margin as the number.",
			_ways_out,
		]),
	}}
}

test_fail_default_is_a_repair if {
	some finding in rule.report with input as _input(_container, "128Mi", 134217728)
	finding.repairs == [{"op": "add", "path": _path, "value": "128Mi"}]
}

test_fail_default_below_request_is_withheld if {
	some finding in rule.report with input as _input(_request("1Gi", 1073741824), "128Mi", 134217728)
	not finding.repairs
	finding.fix == concat(" ", [
		"add resources: {limits: {memory: 1Gi}} to container \"api\", or more:",
		"its request is 1Gi, which the default limit of 128Mi is below.",
		_ways_out,
	])
}

_bounded(range) := object.union(
	_input(_container, "256Mi", 268435456),
	{"cluster": {"memoryRanges": [object.union({"limitRange": "bounds"}, range)]}},
)

test_fail_default_outside_a_limit_range_is_withheld if {
	every range in [
		{"type": "Container", "maxBytes": 268435455},
		{"type": "Pod", "maxBytes": 1073741824},
		{"type": "Pod", "maxLimitRequestRatio": 2},
	] {
		some finding in rule.report with input as _bounded(range)
		not finding.repairs
		finding.fix == concat(" ", [
			"add resources: {limits: {memory: 256Mi}} to container \"api\", with its peak use plus a margin as the number.",
			"The default limit of 256Mi is not added: LimitRange \"bounds\" may refuse it.",
			_ways_out,
		])
	}
}

test_fail_number_is_one_that_a_limit_range_takes if {
	some finding in rule.report with input as _bounded({"type": "Container", "minBytes": 268435457})
	not finding.repairs
	startswith(finding.fix, "add resources: {limits: {memory: 257Mi}} to container")
}

test_fail_default_times_the_request_is_withheld if {
	range := {"type": "Container", "maxLimitRequestRatio": 2}
	bounded := object.union(_bounded(range), {"containers": [_request("64Mi", 67108864)]})
	some finding in rule.report with input as bounded
	not finding.repairs
}

test_fail_default_within_a_limit_range_is_a_repair if {
	every range in [
		{"type": "Container", "minBytes": 268435456, "maxBytes": 268435456, "maxLimitRequestRatio": 1},
		{"type": "Pod", "minBytes": 1073741824},
	] {
		some finding in rule.report with input as _bounded(range)
		finding.repairs
	}
}

# What is there already decides what is to be pasted.
test_fail_fix_fits_the_resources if {
	every written, start in {
		"resources": "add limits: {memory: 256Mi} to the resources of container",
		"limits": "add memory: 256Mi to the limits of container",
	} {
		container := json.patch(_container, [{"op": "add", "path": "/memory/written", "value": written}])
		some finding in rule.report with input as _input(container, "", 0)
		startswith(finding.fix, start)
	}
}

test_pass_limit_present if {
	container := json.patch(_container, [{"op": "replace", "path": "/memory/limit/state", "value": "present"}])
	count(rule.report) == 0 with input as _input(container, "", 0)
}

test_pass_ephemeral if {
	container := json.patch(_container, [{"op": "replace", "path": "/kind", "value": "ephemeral"}])
	count(rule.report) == 0 with input as _input(container, "", 0)
}
