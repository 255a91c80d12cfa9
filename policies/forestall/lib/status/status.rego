# METADATA
# title: Statuses
# description: |
#   What kubectl get pods shows in the columns STATUS and READY (k8s.io/kubernetes
#   pkg/printers/internalversion/printers.go, printPod). STATUS is one word for the pod: the state of the first init
#   container that is not done, or else that of the first main container that waits or has ended.
# schemas:
#   - input: schema.input
package forestall.lib.status

# METADATA
# description: What is shown while a container waits or has failed for the reason.
# scope: document
of(container, reason) := sprintf("Init:%s", [reason]) if {
	_initializes(container)
} else := reason

_initializes(container) if container.kind in {"init", "sidecar"}

# METADATA
# description: The same for each status that a text names.
# scope: document
in_text(container, text) := regex.replace(text, _statuses, "Init:$1") if {
	_initializes(container)
} else := text

_statuses := `\b(OOMKilled|Error|CreateContainerError|RunContainerError)\b`

# METADATA
# description: |
#   What is shown when a container has ended with exit code 0 and is to be started again. Beside a main container
#   that is Ready that is NotReady. A sidecar hides nothing of the pod then.
# scope: document
completed(container) := "PodInitializing, then Running" if {
	container.kind == "sidecar"
} else := "NotReady" if {
	_running_beside(container) > 0
} else := "Completed"

# METADATA
# description: READY where this container is not and the others are.
# scope: document
ready_without(container) := sprintf("%d/%d", [_ready - count([1 | container.name in _running]), _counted])

# METADATA
# description: The same behind a comma; empty where it is the only one.
# scope: document
ready_beside(container) := sprintf(", READY %s", [ready_without(container)]) if {
	_counted > 1
} else := ""

_running_beside(container) := count(_main_running) - count([1 | container.name in _main_running])

# The main containers that are not known to end.
_main_running contains c.name if {
	some c in input.containers
	c.kind == "regular"
	not c.command.ends.state == "present"
}

# What counts in READY.
_running := _main_running | {c.name |
	some c in input.containers
	c.kind == "sidecar"
	not c.command.ends.state == "present"
}

_ready := count(_running)

_counted := count([1 | some c in input.containers; c.kind in {"regular", "sidecar"}])

# METADATA
# description: What is shown of a container that the runtime cannot start.
# scope: document
unstarted(container) := of(container, "StartError") if {
	container.restartPolicy == "Never"
} else := of(container, "RunContainerError")

# METADATA
# description: The same where the limit does not let it start, with why.
# scope: document
too_small_to_start(container) := sprintf("%s (%sexit code 128: unable to set memory limit, or OOM-killed)", [
	unstarted(container), _last_state(container),
])

_last_state(container) := "" if {
	container.restartPolicy == "Never"
} else := "StartError, "

# METADATA
# description: What is shown while a pod is set up and no container of it was created.
# scope: document
not_set_up := sprintf("Init:0/%d", [_waited_for]) if {
	_waited_for > 0
} else := "ContainerCreating"

_waited_for := count([1 | some c in input.containers; _initializes(c)])
