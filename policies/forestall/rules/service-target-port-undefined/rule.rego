# METADATA
# title: Service port that no container has
# description: >-
#   The target port of a Service is a name, and no container of the pods that it selects declares a port of that name.
#   It is told only where all that runs in the namespace is known.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/services-networking/service/#field-spec-ports
#     description: Names of target ports
#   - ref: https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/api/v1/pod/util.go
#     description: FindPort, which looks for the name among the containers of the pod
# custom:
#   category: service
#   concern: service-port
#   certainty: likely
#   judges:
#     - {of: service, fact: targets, state: absent}
#   failure: the endpoints lack the port, connections to it are refused
#   confirmedBy:
#     - {endpoints: noPorts}
#   remediation: Let the target port of the Service and the port of the container have one name.
#   since: v0.1.0
#   suggests: true
package forestall.rules["service-target-port-undefined"]

import data.forestall.lib.result

report contains result.finding(rego.metadata.chain(), object.union(_suggestion(port), {
	"path": port.target.path,
	"reason": sprintf("port %d reaches nobody, no container declares a port named %q", [port.port, port.targetPort]),
	"what": concat(" ", [
		sprintf("kubectl get endpointslices lists the pods without port %d, also when they are Ready:", [port.port]),
		"connections to it are refused. The pods themselves show nothing.",
	]),
	"why": sprintf("targetPort is the name %q (%s); %s.", [port.targetPort, port.protocol, _declared(port)]),
	"fix": _fix(port),
})) if {
	some port in input.service.ports
	port.target.state == "absent"
}

_declared(port) := sprintf("the pods of %s declare %s", [_pods, concat(", ", shown)]) if {
	shown := [_shown(d) | some d in port.declared]
	count(shown) > 0
} else := sprintf("the pods of %s declare no ports with a name", [_pods])

_pods := concat(", ", [sprintf("%s %q", [t.kind, t.name]) | some t in input.service.selects.templates])

_shown(d) := sprintf("%q (%s %d)", [d.name, d.protocol, d.number])

# Where the pods have one port of this protocol, that is the one.
_only(port) := same[0] if {
	same := [d | some d in port.declared; d.protocol == port.protocol]
	count(same) == 1
}

# A name is looked up together with the protocol.
_other_protocol(port) := [d.protocol | some d in port.declared; d.name == port.targetPort][0]

_fix(port) := sprintf("write protocol: %s for port %d of the Service: the container declares %q for it.", [
	protocol, port.port, port.targetPort,
]) if {
	protocol := _other_protocol(port)
} else := sprintf("write targetPort: %s, or name the port of the container %s.", [only.name, port.targetPort]) if {
	only := _only(port)
} else := concat("", [
	sprintf("add name: %s to the port of the container that it is for,", [port.targetPort]),
	" or write the number of that port as targetPort.",
])

# Of several ports, or of one for something else than what the pods serve, it is not clear which was meant.
_suggestion(port) := {"suggestions": [{"op": "set", "path": port.target.path, "value": only.name}]} if {
	not _other_protocol(port)
	count(input.service.ports) == 1
	only := _only(port)
	every word in ["tls", "https", "grpc", "rpc", "metric", "prom", "admin", "debug", "health", "webhook", "admission"] {
		contains(port.targetPort, word) == contains(only.name, word)
	}
} else := {}
