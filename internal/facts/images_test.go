package facts_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/workload"
)

func TestImagesThatAreReplaced(t *testing.T) {
	const at = "spec.containers[0].image"
	for object, want := range map[string]fact.Observation{
		`{apiVersion: v1, kind: Pod, spec: {containers: [{name: a, image: auto}]}}`:   fact.UnknownAt(at, "a service mesh replaces it"),
		`{apiVersion: v1, kind: Pod, spec: {containers: [{name: a, image: auto:1}]}}`: fact.AbsentAt(at),
	} {
		got := factsOf(view(t, object), alone(), facts.Knowledge{}).Containers[0].Image
		if diff := cmp.Diff(want, got.Invalid.Observation); diff != "" {
			t.Errorf("%s: invalid (-want +got):\n%s", object, diff)
		}
		if diff := cmp.Diff(want, got.Mutable); diff != "" {
			t.Errorf("%s: mutable (-want +got):\n%s", object, diff)
		}
	}
}

// TestImagesThatKustomizationsReplace: of what stands in the place of an image nothing is known, neither its name nor what
// it needs.
func TestImagesThatKustomizationsReplace(t *testing.T) {
	const at = "spec.containers[0].image"
	v := view(t, `{apiVersion: v1, kind: Pod, spec: {containers: [{name: a, image: "apache/kafka:latest", resources: {limits: {memory: 512Mi}}}]}}`)
	for _, tt := range []struct {
		replaced string
		mutable  fact.Observation
		need     fact.State
	}{
		{"kafka", fact.PresentAt(at), fact.Present},
		{"apache/kafka", fact.UnknownAt(at, "a kustomization replaces it"), fact.Absent},
	} {
		t.Run(tt.replaced, func(t *testing.T) {
			store := cluster.OfFiles(true)
			store.ReplaceImage(tt.replaced)
			got := factsOf(v, cluster.World{Store: store}, known(t)).Containers[0]
			if diff := cmp.Diff(tt.mutable, got.Image.Mutable); diff != "" {
				t.Errorf("mutable (-want +got):\n%s", diff)
			}
			if got.Image.Text != "apache/kafka:latest" || got.Memory.Need.State != tt.need {
				t.Errorf("image %q, what it needs is %s, want %s", got.Image.Text, got.Memory.Need.State, tt.need)
			}
		})
	}
}

// triggered is a workload with an init container i and containers a and b, of which no image can be read.
func triggered(t testing.TB, kind, triggers string) *workload.View {
	t.Helper()
	template := `{"spec":{"initContainers":[{"name":"i","image":"I"}],"containers":[{"name":"a","image":"A"},{"name":"b","image":"B"}]}}`
	group := "apps/v1"
	if kind == "CronJob" {
		group, template = "batch/v1", `{"spec":{"template":`+template+`}}`
		template = `"jobTemplate":` + template
	} else {
		template = `"template":` + template
	}
	text, err := json.Marshal(triggers)
	if err != nil {
		t.Fatal(err)
	}
	v, err := workload.Table{}.FromObject([]byte(`{"apiVersion":"` + group + `","kind":"` + kind + `","metadata":{"name":"x","annotations":{"` +
		workload.TriggersAnnotation + `":` + string(text) + `}},"spec":{` + template + `}}`))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// replacedIn returns the names of the containers of whose image nothing is said.
func replacedIn(f facts.Facts) string {
	var names []string
	for _, c := range f.Containers {
		if c.Image.Invalid.State == fact.Unknown {
			names = append(names, c.Name)
		}
	}
	return strings.Join(names, " ")
}

// TestTriggers: an annotation silences what is said of the images that it names, and of no other.
func TestTriggers(t *testing.T) {
	entry := func(field, more string) string {
		text, err := json.Marshal(field)
		if err != nil {
			t.Fatal(err)
		}
		return `{"from":{"kind":"ImageStreamTag","name":"x:1"},"fieldPath":` + string(text) + more + `}`
	}
	const pod = "spec.template.spec."
	for _, tt := range []struct{ name, kind, triggers, want string }{
		{"no entry", "Deployment", `[]`, ""},
		{"nothing", "Deployment", ``, ""},
		{"null", "Deployment", `null`, ""},
		{"no array", "Deployment", entry(pod+"containers[0].image", ""), ""},
		{"no entries", "Deployment", `[{},{"fieldPath":"x"},null]`, ""},
		{"cut off", "Deployment", `[` + entry(pod+"containers[0].image", ""), ""},
		{"from nowhere", "Deployment", `[{"from":{},"fieldPath":"` + pod + `containers[0].image"}]`, ""},
		{"by number", "Deployment", `[` + entry(pod+"containers[1].image", "") + `]`, "b"},
		{"by name", "StatefulSet", `[` + entry(pod+`containers[?(@.name=="a")].image`, "") + `]`, "a"},
		{"an init container by number", "DaemonSet", `[` + entry(pod+"initContainers[0].image", "") + `]`, "i"},
		{"an init container by name", "Deployment", `[` + entry(pod+`initContainers[?(@.name=="i")].image`, "") + `]`, "i"},
		{"of a CronJob", "CronJob", `[` + entry(`spec.jobTemplate.spec.template.spec.containers[?(@.name=="b")].image`, "") + `]`, "b"},
		{"two of them", "Deployment", `[` + entry(pod+"containers[0].image", `,"paused":false`) + `,` + entry(pod+"initContainers[0].image", "") + `]`, "i a"},
		{"of nobody", "Deployment", `[` + entry(pod+"containers[9].image", "") + `,` + entry(pod+`containers[?(@.name=="z")].image`, "") + `]`, ""},
		{"paused", "Deployment", `[` + entry(pod+"containers[0].image", `,"paused":true`) + `,` + entry(pod+"containers[1].image", `,"paused":"true"`) + `]`, ""},
		{"a path that is not known", "Deployment", `[` + entry("spec.template.spec.containers[*].image", "") + `]`, "i a b"},
		{"another form of name", "Deployment", `[` + entry(pod+`containers[?(@.name=='a')].image`, "") + `]`, "i a b"},
		{"elsewhere", "Deployment", `[` + entry("$.spec", "") + `]`, "i a b"},
		{"too long", "Deployment", `[` + entry(pod+"containers[0].image", "") + strings.Repeat(" ", 256<<10) + `]`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := replacedIn(factsOf(triggered(t, tt.kind, tt.triggers), alone(), facts.Knowledge{})); got != tt.want {
				t.Errorf("nothing is said of %q, want %q", got, tt.want)
			}
		})
	}
}

// FuzzTriggers: whatever the annotation is, it is read, and one without an entry silences nothing.
func FuzzTriggers(f *testing.F) {
	f.Add(`[]`)
	f.Add(`[{"from":{"kind":"ImageStreamTag","name":"x:1"},"fieldPath":"spec.template.spec.containers[?(@.name==\"a\")].image","paused":"true"}]`)
	f.Add(`[{"from":{"kind":"ImageStreamTag","name":"x:1"},"fieldPath":"spec.template.spec.initContainers[0].image"}]`)
	f.Fuzz(func(t *testing.T, text string) {
		v := triggered(t, "Deployment", text)
		v.Meta.Annotations[workload.TriggersAnnotation] = text
		got := replacedIn(factsOf(v, alone(), facts.Knowledge{}))
		var list []any
		if err := json.Unmarshal([]byte(text), &list); got != "" && (err != nil || len(list) == 0) {
			t.Errorf("%q silences what is said of %s", text, got)
		}
	})
}
