package workload

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestRestartPolicy(t *testing.T) {
	const (
		none      = corev1.ContainerRestartPolicy("")
		always    = corev1.RestartPolicyAlways
		onFailure = corev1.RestartPolicyOnFailure
		never     = corev1.RestartPolicyNever
	)
	for _, test := range []struct {
		kind ContainerKind
		own  corev1.ContainerRestartPolicy
		pod  corev1.RestartPolicy
		want corev1.RestartPolicy
	}{
		{Regular, none, always, always},
		{Regular, none, never, never},
		{Regular, corev1.ContainerRestartPolicyNever, always, never},
		{Init, none, always, onFailure},
		{Init, none, onFailure, onFailure},
		{Init, none, never, never},
		{Init, corev1.ContainerRestartPolicyNever, always, never},
		{Sidecar, corev1.ContainerRestartPolicyAlways, never, always},
		{Ephemeral, none, always, never},
		{Ephemeral, corev1.ContainerRestartPolicyAlways, always, never},
	} {
		if got := restartPolicy(test.kind, &test.own, test.pod); got != test.want {
			t.Errorf("%s container, own %q, pod %q: %q, want %q", test.kind, test.own, test.pod, got, test.want)
		}
	}
	if got := restartPolicy(Regular, nil, always); got != always {
		t.Errorf("regular container without a policy: %q", got)
	}
}

func TestContainerByName(t *testing.T) {
	v := &View{Containers: []Container{
		{Kind: Init, Container: corev1.Container{Name: "a"}},
		{Kind: Regular, Container: corev1.Container{Name: "b"}},
	}}
	if got := v.Container("b"); got != &v.Containers[1] {
		t.Errorf("Container(b) = %v", got)
	}
	if got := v.Container("c"); got != nil {
		t.Errorf("Container(c) = %v", got)
	}
}

func TestContainerAtAPath(t *testing.T) {
	spec := corev1.PodSpec{
		InitContainers:      []corev1.Container{{Name: "a"}},
		Containers:          []corev1.Container{{Name: "b"}, {Name: "c"}},
		EphemeralContainers: []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: "d"}}},
	}
	v := &View{SpecPath: "spec.template.spec", PodSpec: spec, Containers: containers(&spec, "spec.template.spec")}
	for path, want := range map[string][2]string{
		"spec.template.spec.initContainers[0]":              {"a", ""},
		"spec.template.spec.containers[0].args[1]":          {"b", ".args[1]"},
		"spec.template.spec.containers[1].command":          {"c", ".command"},
		"spec.template.spec.ephemeralContainers[0].image":   {"d", ".image"},
		"spec.template.spec.initContainers[1]":              {},
		"spec.template.spec.containers[2].args":             {},
		"spec.template.spec.containers[01].args":            {},
		"spec.template.spec.containers[-1].args":            {},
		"spec.template.spec.containers[0]args":              {},
		"spec.template.spec.containers[0":                   {},
		"spec.template.spec.volumes[0].emptyDir.sizeLimit":  {},
		"spec.containers[0].args":                           {},
		"spec.template.spec.ephemeralContainers[1].image":   {},
		"spec.template.spec.containers":                     {},
		"spec.template.spec.initContainers[99999999999999]": {},
	} {
		var got [2]string
		if c, rest := v.At(path); c != nil {
			got = [2]string{c.Name, rest}
		}
		if got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}
