package workload

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

// knownTable holds all kinds that are known. That it can be made is a test of them.
func knownTable(t testing.TB) Table {
	t.Helper()
	table, err := NewTable(Known()...)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestViewOfEveryKnownKind: a custom kind has the View of a Deployment, but for what it is called.
func TestViewOfEveryKnownKind(t *testing.T) {
	table := knownTable(t)
	for _, k := range Known() {
		t.Run(k.APIVersion()+"."+k.Kind, func(t *testing.T) {
			got, err := table.FromObject(wrap(t, k, readTemplate(t)))
			if err != nil {
				t.Fatal(err)
			}
			want := wantView(k)
			want.Like, want.Custom, want.Fills = k.Like, true, k.Fills
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("View (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCustomObject(t *testing.T) {
	fleet := Kind{
		Group: "example.com", Version: "v1", Kind: "Fleet", Resource: "fleets", Like: "Deployment",
		TemplatePath: "spec.pods.template", ReplicasPath: "spec.size",
	}
	batch := fleet
	batch.Kind, batch.Like = "Batch", "Job"
	table, err := NewTable(fleet, batch)
	if err != nil {
		t.Fatal(err)
	}
	type seen struct {
		Replicas      *int32
		Deadline      *int64
		RestartPolicy corev1.RestartPolicy
		Path          string
	}
	const path = "spec.pods.template.spec.containers[0]"
	for name, test := range map[string]struct {
		object string
		want   seen
		err    string
	}{
		"of its own shape": {
			`{"apiVersion":"example.com/v1","kind":"Fleet","metadata":{"name":"x"},"spec":{"size":3,"template":7,"pods":{"other":[1],"template":{"spec":{"containers":[{"name":"a"}]}}}}}`,
			seen{Replicas: new(int32(3)), RestartPolicy: "Always", Path: path},
			"",
		},
		"a number of another type": {
			`{"apiVersion":"example.com/v1","kind":"Fleet","spec":{"size":"30%","pods":{"template":{"spec":{"containers":[{"name":"a"}]}}}}}`,
			seen{RestartPolicy: "Always", Path: path},
			"",
		},
		"names twice, which the slow decoder reads": {
			`{"apiVersion":"example.com/v1","kind":"Fleet","x":1,"x":2,"spec":{"size":2,"pods":{"template":{"spec":{"containers":[{"name":"a"}]}}}}}`,
			seen{Replicas: new(int32(2)), RestartPolicy: "Always", Path: path},
			"",
		},
		"what ends, without a restart policy": {
			`{"apiVersion":"example.com/v1","kind":"Batch","spec":{"pods":{"activeDeadlineSeconds":60,"template":{"spec":{"containers":[{"name":"a"}]}}}}}`,
			seen{Deadline: new(int64(60)), RestartPolicy: "OnFailure", Path: path},
			"",
		},
		"no template":           {object: `{"apiVersion":"example.com/v1","kind":"Fleet","spec":{"pods":{}}}`, err: "no pod template at spec.pods.template"},
		"nothing on the way":    {object: `{"apiVersion":"example.com/v1","kind":"Fleet","spec":null}`, err: "no pod template at spec.pods.template"},
		"a wrong type above":    {object: `{"apiVersion":"example.com/v1","kind":"Fleet","spec":{"pods":"many"}}`, err: "spec.pods: want an object, found \"many\""},
		"a wrong type within":   {object: `{"apiVersion":"example.com/v1","kind":"Fleet","spec":{"pods":{"template":{"spec":{"containers":{}}}}}}`, err: "spec.pods.template.spec.containers: want a list, found an object"},
		"a wrong quantity":      {object: `{"apiVersion":"example.com/v1","kind":"Fleet","spec":{"pods":{"template":{"spec":{"containers":[{"resources":{"limits":{"memory":"x"}}}]}}}}}`, err: `spec.pods.template.spec.containers[0].resources.limits.memory: "x" is not a quantity`},
		"kind that comes twice": {object: `{"apiVersion":"example.com/v1","kind":"Fleet","kind":"Batch","spec":{}}`, err: "stands twice"},
		"another version":       {object: `{"apiVersion":"example.com/v2","kind":"Fleet"}`, err: "not a kind with a pod template"},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := table.FromObject([]byte(test.object))
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("%v, want an error with %q", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := seen{v.Controller.Replicas, v.Controller.ActiveDeadlineSeconds, v.PodSpec.RestartPolicy, v.Containers[0].Path}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestNoTemplateOfItsOwn: a Rollout may borrow the template of a Deployment, which is judged itself.
func TestNoTemplateOfItsOwn(t *testing.T) {
	v, err := knownTable(t).FromObject([]byte(
		`{"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout","metadata":{"name":"x"},"spec":{"workloadRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"x"}}}`))
	if v != nil || !errors.Is(err, ErrNotJudged) {
		t.Errorf("%v, %v", v, err)
	}
}

// TestContainerNames are those that Knative gives.
func TestContainerNames(t *testing.T) {
	for containers, want := range map[string][]string{
		`{}`:                   {"user-container"},
		`{"name":"web"}`:       {"web"},
		`{},{"name":"web"},{}`: {"user-container-0", "web", "user-container-2"},
	} {
		v, err := knownTable(t).FromObject([]byte(
			`{"apiVersion":"serving.knative.dev/v1","kind":"Service","metadata":{"name":"x"},"spec":{"template":{"spec":{"containers":[` + containers + `]}}}}`))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range v.Containers {
			got = append(got, c.Name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", containers, diff)
		}
	}
}

func TestNewTableRefuses(t *testing.T) {
	good := Kind{
		Group: "example.com", Version: "v1", Kind: "Fleet", Resource: "fleets", Like: "Deployment", TemplatePath: "spec.template",
	}
	with := func(change func(*Kind)) Kind {
		k := good
		change(&k)
		return k
	}
	for want, k := range map[string]Kind{
		`[1].kind: Deployment of apps/v1 is built in`:                                           with(func(k *Kind) { k.Group, k.Kind = "apps", "Deployment" }),
		`[1].kind: Job of batch/v2 is built in`:                                                 with(func(k *Kind) { k.Group, k.Kind, k.Version = "batch", "Job", "v2" }),
		`[1].kind: Fleet of example.com/v1 is there twice`:                                      good,
		`[1].group: "example" is not the group of a custom kind`:                                with(func(k *Kind) { k.Group = "example" }),
		`[1].group: "Example.com" is not`:                                                       with(func(k *Kind) { k.Group = "Example.com" }),
		`[1].version: "" is not a version such as v1alpha1`:                                     with(func(k *Kind) { k.Version = "" }),
		`[1].kind: "Fl/eet" is not the name of a kind`:                                          with(func(k *Kind) { k.Kind = "Fl/eet" }),
		`[1].resource: "Fleets" is not the plural`:                                              with(func(k *Kind) { k.Resource = "Fleets" }),
		`[1].like: "Pod" is not one of Deployment, StatefulSet`:                                 with(func(k *Kind) { k.Like = "Pod" }),
		`[1].templatePath: it is missing`:                                                       with(func(k *Kind) { k.TemplatePath = "" }),
		`[1].templatePath: "spec.jobs[*].template" leads through a list`:                        with(func(k *Kind) { k.TemplatePath = "spec.jobs[*].template" }),
		`[1].templatePath: "spec..template" is not a path`:                                      with(func(k *Kind) { k.TemplatePath = "spec..template" }),
		`[1].templatePath: "spec.a,omitempty" is not a path`:                                    with(func(k *Kind) { k.TemplatePath = "spec.a,omitempty" }),
		`[1].templatePath: "metadata.template" leads into metadata`:                             with(func(k *Kind) { k.TemplatePath = "metadata.template" }),
		`[1].replicasPath: spec.template.size and the template at spec.template stand within`:   with(func(k *Kind) { k.ReplicasPath = "spec.template.size" }),
		`[1].replicasPath: spec and the template at spec.template stand within each other`:      with(func(k *Kind) { k.ReplicasPath = "spec" }),
		`[1].replicasPath: "/spec/replicas" is not a path of field names such as spec.template`: with(func(k *Kind) { k.ReplicasPath = "/spec/replicas" }),
	} {
		if _, err := NewTable(good, k); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
