package evidence

// ends are the ends of containers. Exit codes above 128 are signals; those of shells are in POSIX.1-2024, Shell Command
// Language, 2.8.2. StartError and exit code 128 are containerd's (internal/cri/server/container_start.go),
// ContainerCannotRun is that of dockershim and CRI-O; ContainerStatusUnknown is the kubelet's
// (pkg/kubelet/container/runtime.go).
func ends() []known {
	const (
		noProgram = "The runtime could not start the command: the message names what is missing. Compare command, args and workingDir with what is in the image."
		ownError  = "The program ended by itself with an error. Its last lines say why: kubectl logs POD -c CONTAINER --previous."
	)
	return []known{
		{reason: "OOMKilled", family: "memory", weight: cause, text: "The kernel killed a process of the container, because its memory limit was reached. Compare resources.limits.memory with what it takes: kubectl top pod --containers."},
		{reason: "StartError", message: "permission denied", family: "start", weight: cause, text: "The program is there and may not be executed: it lacks the execute permission, or is a directory. Look at the file in the image, and at the mounts over it."},
		{reason: "StartError", message: "exec format error", family: "start", weight: cause, text: "The program is built for another processor, or a script lacks its first line (#!). Compare the architecture of the image with that of the node."},
		{reason: "StartError", family: "start", weight: cause, text: noProgram},
		{reason: "ContainerCannotRun", family: "start", weight: cause, text: noProgram},
		{reason: "ContainerStatusUnknown", family: "node", weight: cause, text: "The kubelet has lost the container, mostly because its node was restarted or the pod was evicted. See kubectl describe node, Events."},
		{reason: "Completed", family: "ends", weight: effect, text: "The program did its work and ended, and restartPolicy starts it again. Run a server in the foreground, or run what ends as a Job."},
		{exit: 1, code: true, family: "crash", weight: effect, text: ownError},
		{exit: 2, code: true, family: "crash", weight: effect, text: "The program did not understand its arguments, or is in Go and panicked. See kubectl logs POD -c CONTAINER --previous."},
		{exit: 126, code: true, family: "crash", weight: effect, text: "A shell found the program and could not execute it: no execute permission, or built for another processor. Look at the file in the image."},
		{exit: 127, code: true, family: "crash", weight: effect, text: "A shell did not find the program or the script. Compare the command with what is in the image: kubectl logs --previous names the file."},
		{exit: 134, code: true, family: "crash", weight: effect, text: "The program aborted itself (SIGABRT): an assertion or the allocator failed. See kubectl logs POD -c CONTAINER --previous."},
		{exit: 137, code: true, family: "killed", weight: effect, text: "Killed with SIGKILL, and not for its own memory limit: the grace period was over after a probe or a stop, or its node ran out of memory. See the events of the pod and of its node."},
		{exit: 139, code: true, family: "crash", weight: effect, text: "The program touched memory that is not its own (SIGSEGV): a bug, or a library that does not fit the image. Try the image's version before this one."},
		{exit: 143, code: true, family: "killed", weight: effect, text: "The program was asked to stop (SIGTERM) and did: mostly a liveness or startup probe failed. See the events Unhealthy and Killing."},
		{reason: "Error", family: "crash", weight: effect, text: ownError},
	}
}

// waits are why containers wait. Sources: k8s.io/kubernetes pkg/kubelet/images/types.go,
// pkg/kubelet/kuberuntime/kuberuntime_container.go, pkg/kubelet/container/sync_result.go; k8s.io/cri-api pkg/errors.
func waits() []known {
	const pull = "The image cannot be pulled: a name or tag that is not there, a registry that is not reached, or no right to it. The event Failed has the registry's answer; see imagePullSecrets."
	return []known{
		{reason: "ImagePullBackOff", family: "image", weight: cause, text: pull},
		{reason: "ErrImagePull", message: "unauthorized", family: "image", weight: cause, text: "The registry wants credentials, or refuses those of imagePullSecrets. See that the secret is in this namespace, of type kubernetes.io/dockerconfigjson, and for this registry."},
		{reason: "ErrImagePull", family: "image", weight: cause, text: pull},
		{reason: "InvalidImageName", family: "image", weight: cause, text: "The image reference cannot be read, so nothing is pulled. Look for upper case, spaces, a scheme or a placeholder that nothing filled in."},
		{reason: "ErrImageNeverPull", family: "image", weight: cause, text: "imagePullPolicy is Never, and the node does not have the image. Load it there, or let the kubelet pull it."},
		{reason: "ImageInspectError", family: "image", weight: cause, text: "The runtime cannot read the image that it has. Remove it from the node (crictl rmi), so that it is pulled again."},
		{reason: "RegistryUnavailable", family: "image", weight: cause, text: "The registry does not answer. See whether other nodes reach it, and its proxy or mirror."},
		{reason: "SignatureValidationFailed", family: "image", weight: cause, text: "The runtime refuses the image, because its signature does not fit the policy of the node. Sign it, or change that policy."},
		{reason: "CreateContainerConfigError", message: "runAsNonRoot", family: "config", weight: cause, text: "runAsNonRoot is set, and the image runs as root or names its user by name. Set runAsUser to a number other than 0."},
		{reason: "CreateContainerConfigError", message: "not found", family: "config", weight: cause, text: "A ConfigMap or Secret of env or envFrom is not there. Create it in this namespace, or set optional: true; the container then starts by itself."},
		{reason: "CreateContainerConfigError", family: "config", weight: cause, text: "A variable of the container cannot be filled in: a ConfigMap, a Secret or a key of one is missing. The message names it."},
		{reason: "CreateContainerError", family: "create", weight: cause, text: "The runtime could not make the container: no command in the image, a mount that does not work, a name that is taken. The message has the reason; mostly it repeats until the pod changes."},
		{reason: "RunContainerError", family: "start", weight: cause, text: "The runtime could not start the command: the message names what is missing. Compare command, args and workingDir with what is in the image."},
		{reason: "PostStartHookError", family: "hook", weight: cause, text: "The postStart hook failed, so the kubelet stops the container and starts it again. See the event FailedPostStartHook; run the command with kubectl exec in a copy without the hook."},
		{reason: "PreStartHookError", family: "hook", weight: cause, text: "The kubelet could not prepare the container before its start. The message has the reason; see the events of the node."},
		{reason: "PreCreateHookError", family: "hook", weight: cause, text: "The kubelet could not prepare the container before it was made. The message has the reason; see the events of the node."},
		{reason: "CrashLoopBackOff", family: "crash", weight: follow, text: "The container ends soon after each start, and the kubelet waits longer each time. How it ended is in Last State: kubectl describe pod; its last words: kubectl logs --previous."},
		{reason: "ContainerCreating", family: "creating", weight: effect, text: "The container has not been created for long: volumes, the image or a hook are not done. See the events of the pod: kubectl describe pod."},
	}
}
