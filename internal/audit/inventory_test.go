package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/internal/workload"
)

// deploymentJSON and podJSON are as an API server lists them.
const deploymentJSON = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","uid":"d1"},
"spec":{"replicas":1,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"web","image":"web:1"}]}}}}`

func podJSON(name, image, owner string) []byte {
	return fmt.Appendf(nil, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":%q,"namespace":"shop","labels":{"app":"web"},
"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-1","uid":%q,"controller":true}]},"spec":{"containers":[{"name":"web","image":%q}]}}`, name, owner, image)
}

func kindOf(t *testing.T, name string) workload.Kind {
	t.Helper()
	for _, k := range (workload.Table{}).Kinds() {
		if k.Kind == name {
			return k
		}
	}
	t.Fatal(name)
	return workload.Kind{}
}

// listed are the objects of an Inventory in lines.
func listed(t *testing.T, i *Inventory) []string {
	t.Helper()
	if err := i.Done(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = i.Close() })
	var all []string
	for b, err := range i.Batches(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range b.Objects {
			all = append(all, fmt.Sprintf("%s/%s %d", o.Subject.Kind.Kind, o.Subject.Name, o.Pods))
		}
	}
	return all
}

// TestInventoryIsBounded: of a workload whose pods are all different only some are judged, and all are counted.
func TestInventoryIsBounded(t *testing.T) {
	i := NewInventory(Cluster{}, InventoryOptions{})
	if err := i.AddWorkloads(t.Context(), kindOf(t, "Deployment"), [][]byte{[]byte(deploymentJSON)}); err != nil {
		t.Fatal(err)
	}
	replicaSet := strings.NewReplacer(`"Deployment"`, `"ReplicaSet"`, `"name":"web","namespace"`, `"name":"web-1","namespace"`, `"uid":"d1"`,
		`"uid":"r1","ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web","uid":"d1","controller":true}]`).Replace(deploymentJSON)
	if err := i.AddWorkloads(t.Context(), kindOf(t, "ReplicaSet"), [][]byte{[]byte(replicaSet)}); err != nil {
		t.Fatal(err)
	}
	var pods [][]byte
	for n := range 100 {
		pods = append(pods, podJSON(fmt.Sprintf("web-%d", n), fmt.Sprintf("other:%d", n%50), "r1"))
	}
	if err := i.AddPods(t.Context(), pods); err != nil {
		t.Fatal(err)
	}
	got := listed(t, i)
	want := []string{"Deployment/web 100"}
	for n := range maxVariants {
		want = append(want, fmt.Sprintf("Pod/web-%d 2", n))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
}

// TestInventoryKnowsWhatItHasRead: a kind that could not be read is unknown to reviews, and all others are known.
func TestInventoryKnowsWhatItHasRead(t *testing.T) {
	fill := func(without ...string) *cluster.Store {
		i := NewInventory(Cluster{}, InventoryOptions{})
		for _, kind := range without {
			i.Unread(kind, "Forbidden")
		}
		if err := i.Done(); err != nil {
			t.Fatal(err)
		}
		return i.Cluster()
	}
	told := func(s *cluster.Store) []string {
		return []string{
			s.Services.In("shop").Unknown, s.LimitRanges.In("shop").Unknown, s.Namespace("shop").Reason, s.PodsOf(nil, "shop", map[string]string{"a": "b"}).Unknown,
		}
	}
	if diff := cmp.Diff([]string{"", "", "", ""}, told(fill())); diff != "" {
		t.Errorf("all is read (-want +got):\n%s", diff)
	}
	const why = "they cannot be read: Forbidden"
	want := []string{why, why, why, "objects of the kind Job cannot be read: Forbidden"}
	if diff := cmp.Diff(want, told(fill("Service", "LimitRange", "Namespace", "Job"))); diff != "" {
		t.Errorf("little is read (-want +got):\n%s", diff)
	}
	if got := fill().Namespace("shop").State; got != fact.Absent {
		t.Errorf("a namespace that is not there: %v", got)
	}
}

// TestObjectsWithoutAPlace are named in what is said of them.
func TestObjectsWithoutAPlace(t *testing.T) {
	i := NewInventory(Cluster{}, InventoryOptions{})
	pod := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop","annotations":{"ignore.forestall.dev/image-tag-mutable":""}},
"spec":{"containers":[{"name":"web","image":"web"}]}}`
	broken := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"odd","namespace":"shop"},"spec":{"containers":[{"name":1}]}}`
	if err := i.AddPods(t.Context(), [][]byte{[]byte(pod), []byte(broken)}); err != nil {
		t.Fatal(err)
	}
	service := `{"apiVersion":"v1","kind":"Service","metadata":{"name":"web","namespace":"shop"},"spec":{"selector":{"app":"web"}}}`
	if err := i.AddContext(schema.GroupVersionKind{Version: "v1", Kind: "Service"}, [][]byte{[]byte(service)}); err != nil {
		t.Fatal(err)
	}
	if err := i.Done(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = i.Close() }()
	r, err := builtin.Reviewer(t.Context(), review.Settings{IgnoreAnnotations: true}, i.Cluster())
	if err != nil {
		t.Fatal(err)
	}
	var all Result
	if _, err := (Run{Reviewer: r, Source: i, Sink: &all}).Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, w := range all.Warnings {
		said = append(said, w.Source.String()+"|"+w.Message)
	}
	for _, e := range all.Errors {
		said = append(said, e.Error())
	}
	want := []string{
		"|Pod/shop/web: ", "Pod/shop/odd: ",
	}
	if len(said) != len(want) || !strings.HasPrefix(said[0], want[0]) || !strings.HasPrefix(said[1], want[1]) {
		t.Errorf("said %q, want what begins with %q", said, want)
	}
	if diff := cmp.Diff([]string{"Pod: one of them cannot be decoded"}, all.Cluster.Unread); diff != "" {
		t.Errorf("unread (-want +got):\n%s", diff)
	}
}
