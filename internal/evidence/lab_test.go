package evidence_test

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/evidence"
	"github.com/forestall/forestall/internal/finding"
)

var update = flag.Bool("update", false, "write the golden files")

// told is what comes out for one object.
type told struct {
	Object   finding.Object    `json:"object"`
	Pods     int               `json:"pods"`
	Symptoms []finding.Symptom `json:"symptoms"`
	Troubles []finding.Trouble `json:"troubles"`
}

// TestLab reads what a real cluster reported, and tells what is wrong there without knowing any prediction.
func TestLab(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "lab.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	asked := time.Date(2026, 11, 22, 10, 0, 44, 0, time.UTC)
	c := evidence.New(evidence.Options{Now: asked})
	owners := feed(t, c, string(text))

	var all []told
	for _, name := range slices.Sorted(maps.Keys(owners)) {
		o := owners[name]
		s := c.Symptoms(o)
		of := told{Object: o, Pods: c.Pods(o), Symptoms: s, Troubles: none().Match(o, nil, s)}
		for i := range of.Troubles {
			of.Troubles[i].Evidence = nil // the symptoms stand above
		}
		all = append(all, of)
	}
	golden(t, "lab.golden.yaml", map[string]any{"objects": all, "nodes": c.Nodes()})
	if n := c.Dropped(); n > 0 {
		t.Errorf("%d events were dropped", n)
	}
}

// none predicts nothing.
func none() evidence.Rules { return func(string) []finding.Confirmation { return nil } }

// feed gives the documents to the Collector, and returns the objects that they are about by their names.
func feed(t *testing.T, c *evidence.Collector, text string) map[string]finding.Object {
	t.Helper()
	owners := map[string]finding.Object{}
	own := func(apiVersion, kind string, m metav1.ObjectMeta) finding.Object {
		for _, o := range m.OwnerReferences {
			apiVersion, kind, m.Name = o.APIVersion, o.Kind, o.Name
		}
		if kind == "ReplicaSet" {
			kind, m.Name = "Deployment", m.Name[:strings.LastIndex(m.Name, "-")]
		}
		o := finding.Object{APIVersion: apiVersion, Kind: kind, Namespace: m.Namespace, Name: m.Name}
		owners[kind+"/"+m.Namespace+"/"+m.Name] = o
		return o
	}
	for doc := range strings.SplitSeq(text, "\n---\n") {
		var is metav1.TypeMeta
		decode(t, doc, &is)
		switch is.Kind {
		case "Event":
			c.Event(decode(t, doc, new(corev1.Event)))
		case "Node":
			c.Node(decode(t, doc, new(corev1.Node)))
		case "EndpointSlice":
			c.EndpointSlice(decode(t, doc, new(discoveryv1.EndpointSlice)))
		case "Service":
			s := decode(t, doc, new(corev1.Service))
			own(is.APIVersion, is.Kind, s.ObjectMeta)
			c.Service(s)
		case "Pod":
			p := decode(t, doc, new(corev1.Pod))
			c.Pod(p, own(is.APIVersion, is.Kind, p.ObjectMeta))
		default:
			var m metav1.PartialObjectMetadata
			decode(t, doc, &m)
			raw, err := yaml.YAMLToJSON([]byte(doc))
			if err != nil {
				t.Fatal(err)
			}
			c.Workload(own(is.APIVersion, is.Kind, m.ObjectMeta), raw)
		}
	}
	return owners
}

func decode[T any](t *testing.T, doc string, into *T) *T {
	t.Helper()
	if err := yaml.Unmarshal([]byte(doc), into); err != nil {
		t.Fatalf("%v in:\n%s", err, doc)
	}
	return into
}

func golden(t *testing.T, name string, v any) {
	t.Helper()
	got, err := yaml.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what comes out now; -update writes it:\n%s", file, got)
	}
}
