# METADATA
# title: LimitRanges
# description: |
#   What the LimitRanges of the namespace make of a memory limit that is added
#   (k8s.io/kubernetes plugin/pkg/admission/limitranger/admission.go, PodValidateLimitFunc).
# schemas:
#   - input: schema.input
package forestall.lib.limitranges

# METADATA
# description: The least memory in bytes that each container of the namespace has to ask for; 0 where none is set.
# scope: document
least := max({0} | {r.minBytes |
	some r in input.cluster.memoryRanges
	r.type == "Container"
})

# METADATA
# description: |
#   The names of the LimitRanges by which a pod may be refused when the container gets a limit of so many bytes. What
#   bounds whole pods may always: the others of the pod count, too, and other webhooks may add some.
# scope: document
may_refuse(container, bytes) := {r.limitRange |
	some r in input.cluster.memoryRanges
	_outside(r, container, bytes)
}

_outside(r, _, _) if {
	r.type == "Pod"
	_bounds_limits(r)
}

_outside(r, _, bytes) if {
	r.type == "Container"
	bytes < r.minBytes
}

_outside(r, _, bytes) if {
	r.type == "Container"
	bytes > r.maxBytes
}

# Without a request, the limit becomes the request.
_outside(r, container, bytes) if {
	r.type == "Container"
	container.memory.request.state == "present"
	bytes > container.memory.request.bytes * r.maxLimitRequestRatio
}

_bounds_limits(r) if r.maxBytes

_bounds_limits(r) if r.maxLimitRequestRatio
