package workload

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// defaultPodLevelResources completes resources that a Pod declares for all its
// containers together (KEP-2837): limits for huge pages, then requests
// (defaultHugePagePodLimits, defaultPodRequests). A Pod that declares none keeps
// none.
func defaultPodLevelResources(spec *corev1.PodSpec) {
	if spec.Resources == nil || len(spec.Resources.Limits)+len(spec.Resources.Requests) == 0 {
		return
	}
	defaultHugePageLimits(spec)
	if len(spec.Resources.Limits) > 0 {
		defaultPodRequests(spec)
	}
}

// defaultHugePageLimits takes the limit of a huge page size from the containers
// where the pod has neither limit nor request for it.
func defaultHugePageLimits(spec *corev1.PodSpec) {
	pod := spec.Resources
	for name, sum := range aggregate(spec, limitsOf) {
		if _, requested := pod.Requests[name]; isHugePages(name) && !requested {
			pod.Limits = withDefault(pod.Limits, name, sum)
		}
	}
}

// defaultPodRequests takes requests from the containers, and where they have
// none from the limits of the pod. A container's huge pages do not count here.
func defaultPodRequests(spec *corev1.PodSpec) {
	pod := spec.Resources
	for name, sum := range aggregate(spec, requestsOf) {
		if isSharedByPod(name) && !isHugePages(name) {
			pod.Requests = withDefault(pod.Requests, name, sum)
		}
	}
	for name, limit := range pod.Limits {
		if isSharedByPod(name) {
			pod.Requests = withDefault(pod.Requests, name, limit.DeepCopy())
		}
	}
}

// aggregate adds up what the containers of a pod need at the most at one time:
// all the regular ones with the sidecars, or one init container with the sidecars
// that started before it (k8s.io/component-helpers/resource/helpers.go,
// AggregateContainerRequests and AggregateContainerLimits). Unlike there, an init
// container is only looked at for the resources that it names: of the others it
// leaves less in use than the pod that runs.
func aggregate(spec *corev1.PodSpec, of func(corev1.ResourceRequirements) corev1.ResourceList) corev1.ResourceList {
	running, starting, sidecars := corev1.ResourceList{}, corev1.ResourceList{}, corev1.ResourceList{}
	for _, c := range spec.Containers {
		add(running, of(c.Resources))
	}
	for _, c := range spec.InitContainers {
		need := of(c.Resources)
		if initKind(c) == Sidecar {
			add(running, need)
			add(sidecars, need)
			continue
		}
		for name, quantity := range need {
			together := quantity.DeepCopy()
			if value, ok := sidecars[name]; ok {
				together.Add(value)
			}
			raise(starting, name, together)
		}
	}
	for name, quantity := range starting {
		raise(running, name, quantity)
	}
	return running
}

func limitsOf(r corev1.ResourceRequirements) corev1.ResourceList   { return r.Limits }
func requestsOf(r corev1.ResourceRequirements) corev1.ResourceList { return r.Requests }

func add(sum, list corev1.ResourceList) {
	for name, quantity := range list {
		if value, ok := sum[name]; ok {
			value.Add(quantity)
			sum[name] = value
			continue
		}
		sum[name] = quantity.DeepCopy()
	}
}

func raise(most corev1.ResourceList, name corev1.ResourceName, quantity resource.Quantity) {
	if value, ok := most[name]; !ok || quantity.Cmp(value) > 0 {
		most[name] = quantity
	}
}

func withDefault(list corev1.ResourceList, name corev1.ResourceName, value resource.Quantity) corev1.ResourceList {
	if _, ok := list[name]; ok {
		return list
	}
	if list == nil {
		list = corev1.ResourceList{}
	}
	list[name] = value
	return list
}

// isSharedByPod reports whether a resource can be declared for a whole pod
// (k8s.io/component-helpers/resource/helpers.go, IsSupportedPodLevelResource).
func isSharedByPod(name corev1.ResourceName) bool {
	return name == corev1.ResourceCPU || name == corev1.ResourceMemory || isHugePages(name)
}

func isHugePages(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}
