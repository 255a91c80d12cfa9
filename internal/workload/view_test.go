package workload

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// TestViewOfEveryKind wraps one template in each judged kind and compares the
// whole View.
func TestViewOfEveryKind(t *testing.T) {
	for _, k := range (Table{}).Kinds() {
		t.Run(k.Kind, func(t *testing.T) {
			got, err := Table{}.FromObject(wrap(t, k, readTemplate(t)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(wantView(k), got); diff != "" {
				t.Errorf("View (-want +got):\n%s", diff)
			}
		})
	}
}

func readTemplate(t *testing.T) map[string]any {
	t.Helper()
	text, err := os.ReadFile("testdata/template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var template map[string]any
	if err := yaml.Unmarshal(text, &template); err != nil {
		t.Fatal(err)
	}
	return template
}

// wrap builds an object of the kind around a pod template.
func wrap(t *testing.T, k Kind, template map[string]any) []byte {
	t.Helper()
	object := template
	if k.TemplatePath != "" {
		steps := strings.Split(k.TemplatePath, ".")
		for i := len(steps) - 1; i >= 0; i-- {
			object = map[string]any{steps[i]: object}
		}
		object["metadata"] = map[string]any{}
	}
	object["apiVersion"], object["kind"] = k.APIVersion(), k.Kind
	meta := object["metadata"].(map[string]any)
	meta["name"], meta["namespace"] = "web", "shop"
	raw, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func wantView(k Kind) *View {
	name := metav1.ObjectMeta{Name: "web", Namespace: "shop"}
	template := metav1.ObjectMeta{
		Labels:      map[string]string{"app": "web"},
		Annotations: map[string]string{"example.com/team": "shop"},
	}
	v := &View{
		APIVersion: k.APIVersion(), Kind: k.Kind, Like: k.Kind,
		Meta: name, PodMeta: template,
		TemplatePath: k.TemplatePath, SpecPath: k.SpecPath,
		PodSpec: wantSpec(),
	}
	if k.Kind == "Pod" {
		template.Name, template.Namespace = name.Name, name.Namespace
		v.Meta, v.PodMeta = template, template
		v.PodSpec.EnableServiceLinks = new(true)
		v.PodSpec.Containers[0].Resources.Requests = v.PodSpec.Containers[0].Resources.Limits
	}
	v.Containers = wantContainers(v.PodSpec, k.SpecPath)
	return v
}

func wantSpec() corev1.PodSpec {
	web := filled("web", "web@sha256:"+strings.Repeat("0", 64), corev1.PullIfNotPresent)
	web.Ports = []corev1.ContainerPort{{ContainerPort: 8080, Protocol: corev1.ProtocolTCP}}
	web.Resources.Limits = corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1Gi")}
	worker := withPolicy(filled("worker", "worker:latest", corev1.PullAlways), corev1.ContainerRestartPolicyOnFailure)
	worker.RestartPolicyRules = []corev1.ContainerRestartRule{{
		Action:    corev1.ContainerRestartRuleActionRestart,
		ExitCodes: &corev1.ContainerRestartRuleOnExitCodes{Operator: "In", Values: []int32{42}},
	}}
	return corev1.PodSpec{
		RestartPolicy:                 corev1.RestartPolicyNever,
		DNSPolicy:                     corev1.DNSClusterFirst,
		SchedulerName:                 "default-scheduler",
		SecurityContext:               &corev1.PodSecurityContext{},
		TerminationGracePeriodSeconds: new(int64(30)),
		InitContainers: []corev1.Container{
			filled("migrate", "registry.example.com:5000/migrate:1.4.2", corev1.PullIfNotPresent),
			withPolicy(filled("retry", "retry:1", corev1.PullIfNotPresent), corev1.ContainerRestartPolicyOnFailure),
			withPolicy(filled("proxy", "proxy", corev1.PullAlways), corev1.ContainerRestartPolicyAlways),
		},
		Containers: []corev1.Container{web, worker},
		EphemeralContainers: []corev1.EphemeralContainer{{
			EphemeralContainerCommon: corev1.EphemeralContainerCommon(filled("debug", "busybox:1.37", corev1.PullIfNotPresent)),
			TargetContainerName:      "web",
		}},
	}
}

// filled is a container with the defaults that every container has.
func filled(name, image string, pull corev1.PullPolicy) corev1.Container {
	return corev1.Container{
		Name: name, Image: image, ImagePullPolicy: pull,
		TerminationMessagePath:   "/dev/termination-log",
		TerminationMessagePolicy: corev1.TerminationMessageReadFile,
	}
}

func withPolicy(c corev1.Container, policy corev1.ContainerRestartPolicy) corev1.Container {
	c.RestartPolicy = &policy
	return c
}

func wantContainers(spec corev1.PodSpec, path string) []Container {
	return []Container{
		{Init, path + ".initContainers[0]", corev1.RestartPolicyNever, spec.InitContainers[0]},
		{Init, path + ".initContainers[1]", corev1.RestartPolicyOnFailure, spec.InitContainers[1]},
		{Sidecar, path + ".initContainers[2]", corev1.RestartPolicyAlways, spec.InitContainers[2]},
		{Regular, path + ".containers[0]", corev1.RestartPolicyNever, spec.Containers[0]},
		{Regular, path + ".containers[1]", corev1.RestartPolicyOnFailure, spec.Containers[1]},
		{
			Ephemeral, path + ".ephemeralContainers[0]", corev1.RestartPolicyNever,
			corev1.Container(spec.EphemeralContainers[0].EphemeralContainerCommon),
		},
	}
}
