package workload

import (
	corev1 "k8s.io/api/core/v1"
)

// The defaults in this package are those of pkg/apis/core/v1/defaults.go and
// zz_generated.defaults.go of Kubernetes 1.36, with its feature gates as they
// ship; each function cites the ones it stands for. test/defaults compares them
// with a real API server. They are idempotent: an object that an API server has
// stored stays as it is.
//
// Not done here, because a View must not depend on the cluster: what admission
// plugins add (service account, tolerations, priority, LimitRange), and the
// removal of fields of features that a cluster has switched off.

// setDefault gives a field its default if it is empty.
func setDefault[T comparable](field *T, value T) {
	var empty T
	if *field == empty {
		*field = value
	}
}

// pointDefault gives a pointer field its default if it is nil.
func pointDefault[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

// defaultPodSpec applies what the API server applies to every pod spec, in a Pod
// and in a template (SetDefaults_PodSpec and the generated walk).
func defaultPodSpec(spec *corev1.PodSpec) {
	setDefault(&spec.DNSPolicy, corev1.DNSClusterFirst)
	setDefault(&spec.RestartPolicy, corev1.RestartPolicyAlways)
	setDefault(&spec.SchedulerName, corev1.DefaultSchedulerName)
	pointDefault(&spec.SecurityContext, corev1.PodSecurityContext{})
	pointDefault(&spec.TerminationGracePeriodSeconds, int64(corev1.DefaultTerminationGracePeriodSeconds))
	aliasServiceAccount(spec)
	for i := range spec.Volumes {
		defaultVolume(&spec.Volumes[i])
	}
	for i := range spec.InitContainers {
		defaultContainer(&spec.InitContainers[i])
	}
	for i := range spec.Containers {
		defaultContainer(&spec.Containers[i])
	}
	for i := range spec.EphemeralContainers {
		defaultContainer((*corev1.Container)(&spec.EphemeralContainers[i].EphemeralContainerCommon))
	}
	roundUp(spec.Overhead)
	if spec.Resources != nil {
		roundUp(spec.Resources.Limits)
		roundUp(spec.Resources.Requests)
	}
}

// aliasServiceAccount keeps the two names of one field equal; the newer one wins
// (pkg/apis/core/v1/conversion.go, Convert_v1_PodSpec_To_core_PodSpec and back).
func aliasServiceAccount(spec *corev1.PodSpec) {
	setDefault(&spec.ServiceAccountName, spec.DeprecatedServiceAccount)
	spec.DeprecatedServiceAccount = spec.ServiceAccountName
}

// milliScale is the finest grain of a stored quantity: a thousandth.
const milliScale = -3

// roundUp rounds quantities up to thousandths (SetDefaults_ResourceList).
func roundUp(list corev1.ResourceList) {
	for name, quantity := range list {
		quantity.RoundUp(milliScale)
		list[name] = quantity
	}
}
