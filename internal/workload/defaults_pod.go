package workload

import (
	corev1 "k8s.io/api/core/v1"
)

// defaultPod applies what the API server applies to objects of kind Pod alone,
// not to templates, and before it looks at anything inside (SetDefaults_Pod).
func defaultPod(spec *corev1.PodSpec) {
	for i := range spec.Containers {
		requestLimits(&spec.Containers[i].Resources)
	}
	for i := range spec.InitContainers {
		requestLimits(&spec.InitContainers[i].Resources)
	}
	defaultPodLevelResources(spec)
	pointDefault(&spec.EnableServiceLinks, corev1.DefaultEnableServiceLinks)
	if spec.HostNetwork {
		exposeOnHost(spec.Containers)
		exposeOnHost(spec.InitContainers)
	}
	correctGracePeriod(spec)
}

// requestLimits makes a request of each limit that has none.
func requestLimits(resources *corev1.ResourceRequirements) {
	for name, limit := range resources.Limits {
		if _, ok := resources.Requests[name]; ok {
			continue
		}
		if resources.Requests == nil {
			resources.Requests = corev1.ResourceList{}
		}
		resources.Requests[name] = limit.DeepCopy()
	}
}

// exposeOnHost gives each container port the same port on the host, as is the
// case where a pod shares the network of its host (defaultHostNetworkPorts).
func exposeOnHost(containers []corev1.Container) {
	for i := range containers {
		for j := range containers[i].Ports {
			port := &containers[i].Ports[j]
			setDefault(&port.HostPort, port.ContainerPort)
		}
	}
}

// correctGracePeriod makes one second of a negative grace period
// (pkg/apis/core/v1/conversion.go, Convert_v1_Pod_To_core_Pod).
func correctGracePeriod(spec *corev1.PodSpec) {
	period := spec.TerminationGracePeriodSeconds
	if period != nil && *period < 0 {
		*period = 1
	}
}
