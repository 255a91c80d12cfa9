package evidence

// events are what events say. Sources: k8s.io/kubernetes pkg/kubelet/events/event.go; for FailedScheduling the
// constants ErrReason of pkg/scheduler/framework/plugins; for FailedCreate pkg/controller/controller_utils.go with
// the messages of quota (k8s.io/apiserver pkg/admission/plugin/resourcequota/controller.go), of Pod Security
// (k8s.io/pod-security-admission admission/admission.go) and of webhooks (k8s.io/apiserver
// pkg/admission/plugin/webhook/errors/statuserror.go).
func events() []known {
	const mounts = "A volume cannot be mounted, so no container of the pod starts. The message names the volume; kubectl describe pod has the latest."
	all := []known{
		{reason: "BackOff", message: "pulling image", family: "image", weight: follow, text: "The kubelet waits before it tries to pull the image again."},
		{reason: "BackOff", family: "crash", weight: follow, text: "The kubelet waits before it starts the container again."},
		{reason: "Unhealthy", message: "Startup probe", family: "startup probe", weight: effect, text: "The startup probe does not pass, so the container is killed when its failureThreshold is used up. See that the port and path are the program's, and that its start fits into the time allowed."},
		{reason: "Unhealthy", message: "Liveness probe", family: "liveness probe", weight: effect, text: "The liveness probe fails, and the kubelet restarts the container. See that the port and path are the program's; a program that is only slow needs a startup probe or a longer timeout."},
		{reason: "Unhealthy", message: "Readiness probe", family: "readiness probe", weight: effect, text: "The readiness probe fails, so the pod gets no traffic. See that the port and path are the program's, and what the program itself says: kubectl logs."},
		{reason: "Unhealthy", family: "probe", weight: effect, text: "A probe fails. The message says which, and why."},
		{reason: "Killing", family: "liveness probe", weight: follow, text: "The kubelet restarts the container, because a probe failed too often. See the events Unhealthy."},
		{reason: "Failed", message: "pull image", family: "image", weight: cause, text: "The image cannot be pulled. The message has the registry's answer; see the name, the tag and imagePullSecrets."},
		{reason: "Failed", message: "ImagePull", family: "image", weight: follow, text: "The image cannot be pulled."},
		{reason: "Failed", message: "ErrImage", family: "image", weight: follow, text: "The image cannot be pulled."},
		{reason: "Failed", message: "InvalidImageName", family: "image", weight: follow, text: "The image reference cannot be read."},
		{reason: "Failed", message: "runAsNonRoot", family: "config", weight: cause, text: "runAsNonRoot is set, and the image runs as root. Set runAsUser to a number other than 0."},
		{reason: "Failed", message: "configmap", family: "config", weight: cause, text: "A ConfigMap that the container needs, or a key of it, is not there. The message names it."},
		{reason: "Failed", message: "secret", family: "config", weight: cause, text: "A Secret that the container needs, or a key of it, is not there. The message names it."},
		{reason: "Failed", message: "find key", family: "config", weight: cause, text: "A key of a ConfigMap or Secret is not there. The message names it."},
		{reason: "Failed", family: "start", weight: cause, text: "The container could not be made or started. The message has the runtime's reason."},
		{reason: "InspectFailed", family: "image", weight: cause, text: "The image reference cannot be read, or the image on the node is broken. The message has the reason."},
		{reason: "ErrImageNeverPull", family: "image", weight: cause, text: "imagePullPolicy is Never, and the node does not have the image. Load it there, or let the kubelet pull it."},
		{reason: "FailedPostStartHook", family: "hook", weight: cause, text: "The postStart hook failed, so the kubelet stops the container and starts it again. Run the hook's command in the image by hand."},
		{reason: "FailedPreStopHook", family: "preStop hook", weight: follow, text: "The preStop hook failed; the container is stopped all the same. See its command and the message."},
		{reason: "FailedMount", message: "not found", family: "volume", weight: cause, text: "A ConfigMap, Secret or claim of a volume is not there. Create it in this namespace, or set optional: true; the pod then starts by itself."},
		{reason: "FailedMount", message: "no space left on device", family: "volume", weight: cause, text: "A volume in memory is as large as the pod's memory limit, and that is too small for what belongs into it. Look for a limit such as 128m in place of 128Mi."},
		{reason: "FailedMount", message: "timed out", family: "volume", weight: cause, text: "The volume does not become ready on the node: its driver, the storage or the attachment is stuck. See the driver's pod on that node, and kubectl get volumeattachments."},
		{reason: "FailedMount", family: "volume", weight: cause, text: mounts},
		{reason: "FailedMapVolume", family: "volume", weight: cause, text: mounts},
		{reason: "FailedAttachVolume", message: "Multi-Attach", family: "volume", weight: cause, text: "The volume is still attached to another node, where a pod that used it has not gone. Look for that pod, or for a node that is NotReady: kubectl get volumeattachments."},
		{reason: "FailedAttachVolume", family: "volume", weight: cause, text: "The storage does not attach the volume to the node. The message has the driver's reason; see its controller's log."},
		{reason: "FailedCreatePodSandBox", message: "OOM", family: "sandbox", weight: cause, text: "The memory limit of the pod is too small for the runtime to start anything in it. Raise resources.limits.memory; look for a wrong suffix."},
		{reason: "FailedCreatePodSandBox", message: "cgroup", family: "sandbox", weight: cause, text: "The node cannot make the pod's cgroup: a limit that cannot work, or kubelet and runtime use different cgroup drivers. If other pods start there, look at the limits of this one."},
		{reason: "FailedCreatePodSandBox", message: "network", family: "sandbox", weight: cause, text: "The network plugin gave the pod no network: no free address, or its agent on that node is down. See the agent's pod there (kubectl get pods -n kube-system -o wide)."},
		{reason: "FailedCreatePodSandBox", message: "pause", family: "sandbox", weight: cause, text: "The runtime cannot get its sandbox image. See the registry in its configuration (sandbox_image) from that node."},
		{reason: "FailedCreatePodSandBox", family: "sandbox", weight: cause, text: "The runtime cannot make the pod's sandbox, so nothing starts. If other pods start on that node, it is this pod's limits or runtimeClass; else look at the runtime and the network plugin there."},
		{reason: "NetworkNotReady", family: "sandbox", weight: cause, text: "The network plugin of the node is not ready. See its pod there, and kubectl describe node."},
		{reason: "FailedSync", family: "sync", weight: follow, text: "The kubelet could not bring the pod up. The message has the reason."},
		{reason: "FailedKillPod", family: "kill", weight: cause, text: "The kubelet cannot stop the pod's containers. See the runtime on that node; a process may hang in the kernel (storage that is gone)."},
		{reason: "ExceededGracePeriod", family: "kill", weight: follow, text: "The containers did not stop within their grace period."},
		{reason: "Evicted", family: "evicted", weight: cause, text: "The kubelet removed the pod to save its node. The message names what ran out; see requests and limits, and what else runs there."},
		{reason: "Preempted", family: "scheduling", weight: cause, text: "The pod made room for one of a higher priority, and waits for another place. See priorityClassName of both."},
		{reason: "NodeNotReady", family: "node", weight: cause, text: "The node of the pod does not report. See kubectl describe node, Conditions and Events."},
		{reason: "DeadlineExceeded", family: "deadline", weight: cause, text: "The Job ran longer than activeDeadlineSeconds, and its pods were stopped. See what its pods were doing, or allow more."},
		{reason: "BackoffLimitExceeded", family: "crash", weight: follow, text: "The pods of the Job failed more often than backoffLimit allows. Why they failed is in the pods."},
		{reason: "FailedBinding", family: "scheduling", weight: cause, text: "No volume fits the claim, and no storage class makes one. See kubectl describe pvc."},
		{reason: "ProvisioningFailed", family: "scheduling", weight: cause, text: "The storage class cannot make the volume. See kubectl describe pvc, and its provisioner's log."},
		{reason: "FailedCreatePodContainer", family: "sandbox", weight: cause, text: "The node cannot make the pod's cgroups. See kubectl describe node, and the kubelet's log."},
	}
	return append(append(all, unschedulable("FailedScheduling")...), refused()...)
}

// unschedulable are the reasons of the scheduler: those of an event, and of the condition PodScheduled.
func unschedulable(reason string) []known {
	const bound = "The volume of the pod is bound to a node or zone where it has no room. See kubectl describe pv, Node Affinity."
	row := func(message, text string) known {
		return known{reason: reason, message: message, family: "scheduling", weight: cause, text: text}
	}
	return []known{
		row("unbound immediate PersistentVolumeClaims", "A claim of the pod has no volume. See kubectl get pvc: its storage class may be missing, or its provisioner is down."),
		row("persistentvolumeclaim", "A claim of the pod is not there. Create it in this namespace, or mend the name in volumes."),
		row("node affinity/selector", "No node has the labels that nodeSelector or the node affinity asks for. Compare with kubectl get nodes --show-labels."),
		row("untolerated taint", "The nodes that are left have taints that the pod does not tolerate. See kubectl describe nodes, Taints; not-ready and unreachable are nodes in trouble."),
		row("Insufficient memory", "No node has as much memory left as the pod requests. Compare its requests with kubectl describe nodes, Allocated resources."),
		row("Insufficient cpu", "No node has as much CPU left as the pod requests. Compare its requests with kubectl describe nodes, Allocated resources."),
		row("Too many pods", "The nodes run as many pods as they may. Add nodes, or raise maxPods of the kubelet."),
		row("pod anti-affinity", "Every node already runs a pod that this one must not stand beside. There have to be more nodes than replicas, or the anti-affinity has to be preferred only."),
		row("topology spread", "topologySpreadConstraints leave no node. Look at maxSkew, and at domains without room."),
		row("free ports", "The hostPort of the pod is taken on every node that is left. Each node runs one such pod."),
		row("PersistentVolume's node affinity", bound),
		row("available volume zone", bound),
		row("persistent volumes to bind", "No volume that is free fits a claim of the pod. See kubectl get pv and kubectl describe pvc: size, access mode, storage class."),
		row("max volume count", "The nodes that are left have as many volumes as they may. Spread the pods, or add nodes."),
		row("were unschedulable", "Nodes are cordoned. See kubectl get nodes for SchedulingDisabled, and kubectl uncordon."),
		row("", "No node takes the pod. The message counts the nodes by their reasons."),
	}
}

// refused are why pods cannot be created at all.
func refused() []known {
	row := func(message, text string) known {
		return known{reason: "FailedCreate", message: message, family: "refused", weight: cause, text: text}
	}
	return []known{
		row("exceeded quota", "The ResourceQuota of the namespace is used up. See kubectl describe quota; a roll-out needs room for one pod more."),
		row("failed quota", "The ResourceQuota wants requests or limits that the pod does not have. Set them, or a LimitRange with defaults."),
		row("violates PodSecurity", "The namespace's Pod Security level refuses the pod. The message names the fields; see the label pod-security.kubernetes.io/enforce."),
		row("admission webhook", "An admission webhook refuses the pod. The message names it, and its reason."),
		row("failed calling webhook", "An admission webhook does not answer, and its failurePolicy is Fail. See the Service and pods of that webhook."),
		row("serviceaccount", "The service account of the pod is not there. Create it in this namespace, or mend serviceAccountName."),
		row("is invalid", "The API server refuses the pods of this template. The message names the field."),
		row("", "The controller cannot create pods. The message has the API server's reason."),
	}
}

// conditions are conditions of pods and workloads. Sources: k8s.io/kubernetes pkg/kubelet/status/generate.go,
// pkg/controller/deployment/util/deployment_util.go; k8s.io/api batch/v1 JobReason.
func conditions() []known {
	all := []known{
		{reason: "ContainersNotReady", family: "unready", weight: follow, text: "The container runs and is not ready, so the pod gets no traffic. See its readiness probe, and kubectl logs."},
		{reason: "ReadinessGatesNotReady", family: "gate", weight: effect, text: "The containers are ready, and a readiness gate of the pod is not: the controller that sets it has not done so. See readinessGates and conditions in kubectl get pod -o yaml."},
		{reason: "ProgressDeadlineExceeded", family: "rollout", weight: follow, text: "No new pod became ready within progressDeadlineSeconds. Why is in the pods of the newest ReplicaSet."},
		{reason: "MinimumReplicasUnavailable", family: "rollout", weight: follow, text: "Fewer pods than asked for are available. Why is in its pods, or in the events of its ReplicaSet."},
		{reason: "BackoffLimitExceeded", family: "crash", weight: follow, text: "The pods of the Job failed more often than backoffLimit allows. Why they failed is in the pods: kubectl logs job/NAME."},
		{reason: "DeadlineExceeded", family: "deadline", weight: cause, text: "The Job ran longer than activeDeadlineSeconds, and its pods were stopped. See what its pods were doing, or allow more."},
		{reason: "PodFailurePolicy", family: "crash", weight: follow, text: "A rule of the Job's podFailurePolicy ended it at a failure. The message names the rule and the pod."},
		{reason: "FailedIndexes", family: "crash", weight: follow, text: "Some indexes of the Job failed. status.failedIndexes lists them."},
		{reason: "MaxFailedIndexesExceeded", family: "crash", weight: follow, text: "More indexes of the Job failed than maxFailedIndexes allows. status.failedIndexes lists them."},
		{reason: "ReplicaSetCreateError", family: "refused", weight: cause, text: "The Deployment cannot make its ReplicaSet. The message has the API server's reason."},
	}
	return append(append(all, unschedulable("Unschedulable")...), refused()...)
}

// phases are pods that have ended, or should be gone. Sources: k8s.io/kubernetes pkg/kubelet/eviction/helpers.go,
// pkg/kubelet/nodeshutdown, pkg/kubelet/lifecycle/predicate.go, pkg/kubelet/active_deadline.go,
// pkg/util/node/node.go (NodeLost).
func phases() []known {
	return []known{
		{reason: "Evicted", message: "EmptyDir", family: "evicted", weight: cause, text: "An emptyDir grew beyond its sizeLimit. Raise it, or write less."},
		{reason: "Evicted", message: "resource: memory", family: "evicted", weight: cause, text: "Its node ran out of memory, and the kubelet removed the pod. Pods that take more than they request go first: set requests.memory to what it takes."},
		{reason: "Evicted", message: "ephemeral", family: "evicted", weight: cause, text: "The pod wrote more to its disk than it may (logs and image layers count), or its node ran out of it. Set ephemeral-storage, or write to a volume."},
		{reason: "Evicted", family: "evicted", weight: cause, text: "The kubelet removed the pod to save its node. The message names what ran out."},
		{reason: "NodeLost", family: "node", weight: cause, text: "The node of the pod went away. See kubectl get nodes."},
		{reason: "Terminated", family: "node", weight: cause, text: "The node was shut down with the pod on it. Its controller makes another one."},
		{reason: "NodeShutdown", family: "node", weight: cause, text: "The node is being shut down, and takes no pods. Its controller makes another one."},
		{reason: "DeadlineExceeded", family: "deadline", weight: cause, text: "The pod ran longer than its activeDeadlineSeconds. See what it was doing, or allow more."},
		{reason: "UnexpectedAdmissionError", family: "admission", weight: cause, text: "The kubelet could not give the pod what it asks for, such as a device. See the message, and the device plugin on that node."},
		{reason: "OutOfcpu", family: "admission", weight: cause, text: "The node had no CPU left when the pod came. Its controller makes another one; two schedulers, or static pods, fill the node."},
		{reason: "OutOfmemory", family: "admission", weight: cause, text: "The node had no memory left when the pod came. Its controller makes another one; two schedulers, or static pods, fill the node."},
		{reason: "OutOfpods", family: "admission", weight: cause, text: "The node ran as many pods as it may when the pod came. Its controller makes another one."},
		{reason: "NodeAffinity", family: "admission", weight: cause, text: "The labels of the node changed, and the pod may not run there any more. Its controller makes another one."},
		{reason: "PodOSNotSupported", family: "admission", weight: cause, text: "The node runs another operating system than spec.os.name says. Select nodes with the label kubernetes.io/os."},
		{reason: "PodOSSelectorNodeLabelDoesNotMatch", family: "admission", weight: cause, text: "The label kubernetes.io/os of the node is not what the pod selects. See kubectl get node --show-labels."},
		{reason: "Preempting", family: "admission", weight: cause, text: "The kubelet removed the pod for one that the node cannot do without. See requests of the pods there."},
		{reason: "Terminating", family: "terminating", weight: effect, text: "The pod should be gone: a finalizer holds it, or its node does not answer. See metadata.finalizers, and kubectl get node."},
		{reason: "Succeeded", family: "ended by a probe", weight: effect, text: "A liveness probe ended the program, it ended well, and restartPolicy does not start it again. Use restartPolicy Always for what has to stay."},
		{reason: "Failed", family: "crash", weight: follow, text: "A container of the pod ended with an error, and nothing starts it again. See kubectl describe pod, State."},
	}
}
