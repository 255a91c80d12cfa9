package workload

import (
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// TestChanged: each field of a View is either part of what counts as changed, or named here with
// the reason why it is not. A field that is added has to find its place.
func TestChanged(t *testing.T) {
	same := map[string]string{
		"APIVersion":   "an update cannot change it",
		"Kind":         "an update cannot change it",
		"TemplatePath": "the kind decides it",
		"SpecPath":     "the kind decides it",
		"Containers":   "made of PodSpec",
		"Like":         "the kind decides it",
		"Custom":       "the kind decides it",
		"Fills":        "the kind decides it",
		"Unserved":     "an update cannot change it",
		"Written":      "the same amounts as in PodSpec",
	}
	changes := map[string]func(*View){
		"Meta":       func(v *View) { v.Meta.Annotations = map[string]string{TriggersAnnotation: "[]"} },
		"PodMeta":    func(v *View) { v.PodMeta.Annotations = map[string]string{"port": "8080"} },
		"PodSpec":    func(v *View) { v.PodSpec.Containers = []corev1.Container{{Name: "web"}} },
		"Controller": func(v *View) { v.Controller.Paused = true },
	}
	for i := range reflect.TypeFor[View]().NumField() {
		name := reflect.TypeFor[View]().Field(i).Name
		change, counts := changes[name]
		if _, named := same[name]; counts == named {
			t.Errorf("the field %s counts as changed: %t, and is left out: %t", name, counts, named)
			continue
		}
		old, v := &View{}, &View{}
		if counts {
			change(v)
		}
		if got := v.Changed(old); got != counts {
			t.Errorf("%s: Changed is %t", name, got)
		}
	}
}

// TestNotChanged: what brings no finding.
func TestNotChanged(t *testing.T) {
	for name, change := range map[string]func(*View){
		"labels of the object":      func(v *View) { v.Meta.Labels = map[string]string{"a": "b"} },
		"annotations of the object": func(v *View) { v.Meta.Annotations = map[string]string{"deployment.kubernetes.io/revision": "2"} },
		"finalizers":                func(v *View) { v.Meta.Finalizers = []string{"x"} },
		"the number of replicas":    func(v *View) { v.Controller.Replicas = new(int32) },
	} {
		old, v := &View{TemplatePath: templateInSpec}, &View{TemplatePath: templateInSpec}
		change(v)
		if v.Changed(old) {
			t.Errorf("%s counts as changed", name)
		}
	}
	for name, change := range map[string]func(*View){
		"labels of the template":       func(v *View) { v.PodMeta.Labels = map[string]string{"app": "web"} },
		"a deadline":                   func(v *View) { v.Controller.ProgressDeadlineSeconds = new(int32) },
		"a Pod that a controller took": func(v *View) { v.TemplatePath = ""; v.Meta.OwnerReferences = owner("apps/v1", "ReplicaSet", true) },
	} {
		old, v := &View{}, &View{}
		change(v)
		if !v.Changed(old) {
			t.Errorf("%s does not count as changed", name)
		}
	}
}
