# METADATA
# title: PostStart hook that always fails
# description: >-
#   A container is Running only when its postStart hook has ended well. Where the hook fails the kubelet stops the
#   container and starts it again; where it does not end, the container stays ContainerCreating.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/containers/container-lifecycle-hooks/
#     description: Container lifecycle hooks
#   - ref: https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/lifecycle/handlers.go
#     description: Run, which waits for a command without a timeout and looks up the name of a port
# custom:
#   category: lifecycle
#   concern: post-start
#   certainty: certain
#   judges:
#     - {of: container, fact: postStart, state: present}
#   failure: FailedPostStartHook and CrashLoopBackOff, or ContainerCreating for ever
#   confirmedBy:
#     - {event: FailedPostStartHook}
#     - {waiting: PostStartHookError}
#     - {waiting: ContainerCreating}
#   remediation: Let the hook end with exit code 0; name a port that the container declares, or its number.
#   since: v0.1.0
package forestall.rules["post-start-always-fails"]

import data.forestall.lib.consequences
import data.forestall.lib.ports
import data.forestall.lib.result

report contains result.finding(rego.metadata.chain(), {
	"container": container.name,
	"path": container.postStart.path,
	"reason": _reason(container.postStart),
	"what": concat(" ", [s | some s in array.concat(_what(container), [_follows(container)]); s != ""]),
	"why": _why(container),
	"fix": _fix(container.postStart),
}) if {
	some container in input.containers
	container.postStart.state == "present"
	_matters(container)
}

# What may end may end well before its hook has failed.
_matters(container) if container.restartAlways.state == "present"

_matters(container) if container.postStart.refused

_reason(hook) := sprintf("the API server refuses it, postStart names port %q", [hook.port]) if {
	hook.refused
} else := sprintf("FailedPostStartHook, postStart names port %q, which is not declared", [hook.port]) if {
	hook.port
} else := sprintf("never Running, postStart does not end: %s", [hook.because]) if {
	hook.never
} else := sprintf("FailedPostStartHook, postStart always fails: %s", [hook.because])

_what(container) := [sprintf("kubectl apply ends with an error: %s: Invalid value: %q: %s.", [
	container.postStart.path, container.postStart.port, container.postStart.refused,
])] if {
	container.postStart.refused
} else := [
	"kubectl shows ContainerCreating (PodInitializing behind init containers), for ever, although its process runs;",
	"the containers after it do not start.",
] if {
	container.postStart.never
} else := [
	"kubectl describe shows FailedPostStartHook, and the kubelet stops the container:",
	consequences.restarted(container),
]

_follows(container) := consequences.never_ready(container.name) if {
	not container.postStart.refused
} else := ""

_why(container) := sprintf("postStart asks for port %q; container %q %s. A name is looked up there alone.", [
	container.postStart.port, container.name, ports.declared(container),
]) if {
	container.postStart.port
} else := sprintf("%s, and the kubelet waits for the hook without a limit.", [container.postStart.because]) if {
	container.postStart.never
} else := sprintf("the command of postStart ends with exit code %d each time: %s.", [
	container.postStart.exitCode, container.postStart.because,
])

_fix(hook) := "write the number of the port in the hook, or give the containerPort the name that it asks for." if {
	hook.port
} else := "run in the main command what is to go on, and let the hook do its work and end." if {
	hook.never
} else := "let the hook end with exit code 0, or remove it."
