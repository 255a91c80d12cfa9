package workload

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Container returns the container of that name, or nil. Names are unique in a
// pod across the four kinds (pkg/apis/core/validation/validation.go); in an
// object that breaks this, it is the first in the order of Containers.
func (v *View) Container(name string) *Container {
	for i := range v.Containers {
		if v.Containers[i].Name == name {
			return &v.Containers[i]
		}
	}
	return nil
}

// At returns the container that a path of the submitted object leads into, and the rest of the
// path; nil for a path that leads elsewhere. It takes the same time however many containers there
// are.
func (v *View) At(path string) (c *Container, rest string) {
	below, ok := strings.CutPrefix(path, v.SpecPath+".")
	field, below, ok2 := strings.Cut(below, "[")
	number, rest, ok3 := strings.Cut(below, "]")
	i, err := strconv.Atoi(number)
	if !ok || !ok2 || !ok3 || err != nil || i < 0 || rest != "" && rest[0] != '.' {
		return nil, ""
	}
	switch regular := len(v.PodSpec.InitContainers); field {
	case "initContainers":
	case "containers":
		i += regular
	case "ephemeralContainers":
		i += regular + len(v.PodSpec.Containers)
	default:
		return nil, ""
	}
	if prefix := path[:len(path)-len(rest)]; i < len(v.Containers) && v.Containers[i].Path == prefix {
		return &v.Containers[i], rest
	}
	return nil, ""
}

// containers makes one list of the three in a pod spec.
func containers(spec *corev1.PodSpec, specPath string) []Container {
	list := make([]Container, 0, len(spec.InitContainers)+len(spec.Containers)+len(spec.EphemeralContainers))
	push := func(kind ContainerKind, field string, i int, c corev1.Container) {
		list = append(list, Container{
			Kind:          kind,
			Path:          specPath + "." + field + "[" + strconv.Itoa(i) + "]",
			RestartPolicy: restartPolicy(kind, c.RestartPolicy, spec.RestartPolicy),
			Container:     c,
		})
	}
	for i, c := range spec.InitContainers {
		push(initKind(c), "initContainers", i, c)
	}
	for i, c := range spec.Containers {
		push(Regular, "containers", i, c)
	}
	for i, c := range spec.EphemeralContainers {
		push(Ephemeral, "ephemeralContainers", i, corev1.Container(c.EphemeralContainerCommon))
	}
	return list
}

// initKind tells a sidecar from other init containers (KEP-753).
func initKind(c corev1.Container) ContainerKind {
	if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
		return Sidecar
	}
	return Init
}

// restartPolicy returns the policy in force for a container. Ephemeral containers
// are never restarted and cannot say otherwise. Other containers may have a
// policy of their own (KEP-5307), which is what makes a sidecar. Without one, the
// pod's holds, but an init container that succeeded is done whatever the pod's
// policy, so that Always means OnFailure to it
// (pkg/kubelet/kuberuntime/kuberuntime_container.go,
// computeInitContainerActions; pkg/api/v1/pod/util.go, ContainerShouldRestart).
func restartPolicy(kind ContainerKind, own *corev1.ContainerRestartPolicy, pod corev1.RestartPolicy) corev1.RestartPolicy {
	switch {
	case kind == Ephemeral:
		return corev1.RestartPolicyNever
	case own != nil && *own != "":
		return corev1.RestartPolicy(*own)
	case kind == Init && pod != corev1.RestartPolicyNever:
		return corev1.RestartPolicyOnFailure
	default:
		return pod
	}
}
