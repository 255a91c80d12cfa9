package workload

import (
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

// types are the types of the built-in kinds in the API, whole: the API server decodes objects into
// them, and what is read here is a part.
func types() map[string]reflect.Type {
	return map[string]reflect.Type{
		"Pod":                   reflect.TypeFor[corev1.Pod](),
		"PodTemplate":           reflect.TypeFor[corev1.PodTemplate](),
		"ReplicationController": reflect.TypeFor[corev1.ReplicationController](),
		"ReplicaSet":            reflect.TypeFor[appsv1.ReplicaSet](),
		"Deployment":            reflect.TypeFor[appsv1.Deployment](),
		"StatefulSet":           reflect.TypeFor[appsv1.StatefulSet](),
		"DaemonSet":             reflect.TypeFor[appsv1.DaemonSet](),
		"Job":                   reflect.TypeFor[batchv1.Job](),
		"CronJob":               reflect.TypeFor[batchv1.CronJob](),
	}
}

// Type returns the type of a kind in the API; false for a custom kind, which has none.
func (k Kind) Type() (reflect.Type, bool) {
	if k.custom() {
		return nil, false
	}
	t, ok := types()[k.Kind]
	return t, ok
}

// TypeOf returns the type of a built-in kind in the API by the two fields that begin every manifest.
func TypeOf(apiVersion, kind string) (reflect.Type, bool) {
	k, ok := (Table{}).named(apiVersion, kind)
	if !ok {
		return nil, false
	}
	return k.Type()
}
