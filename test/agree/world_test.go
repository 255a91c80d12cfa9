package agree_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/explain"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/internal/workload"
	"github.com/forestall/forestall/policies"
	"github.com/forestall/forestall/test/apiserver"
)

// world is what one file holds, in namespaces of its own, and what is said of it.
type world struct {
	collection, file string
	namespaces       []string
	objects          []unstructured.Unstructured
	// refused are the objects, by name, that the API server does not take, with its reason. A name that the file has
	// twice is among them.
	refused map[string]string
	// rewritten are the objects, by name, whose amounts of memory the API server stores in another form.
	rewritten map[string]bool
	// idle are the verdicts that are not in force, since the object runs nothing.
	idle map[verdict]bool
	// files, cluster and webhook are the verdicts of the three.
	files, cluster, webhook []verdict
}

// read takes in the objects of a file that are judged or that verdicts depend on.
func read(t *testing.T, file, name string) *world {
	t.Helper()
	set, err := audit.Load(t.Context(), audit.Options{Paths: []string{file}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = set.Close() }()
	objects, _, err := set.All(t.Context()) // what cannot be read is no object of any of the three
	if err != nil {
		t.Fatal(err)
	}
	w := &world{file: file, refused: map[string]string{}, rewritten: map[string]bool{}, idle: map[verdict]bool{}}
	in := map[string]bool{name: true}
	for _, o := range objects {
		var u unstructured.Unstructured
		if err := u.UnmarshalJSON(o.Subject.Object); err != nil || !concerns(&u) {
			continue
		}
		switch {
		case u.GetKind() == "Namespace":
			u.SetName(placed(name, u.GetName()))
			in[u.GetName()] = true
			continue // what it says of modes is not compared
		case u.GetName() == "": // a name that is made when it is created
			u.SetName(fmt.Sprintf("unnamed-%d", len(w.objects)))
			u.SetGenerateName("")
		}
		u.SetNamespace(placed(name, u.GetNamespace()))
		in[u.GetNamespace()] = true
		if slices.ContainsFunc(w.objects, func(other unstructured.Unstructured) bool { return nameOf(&other) == nameOf(&u) }) {
			w.refused[nameOf(&u)] = "the file has two of that name"
			continue
		}
		w.objects = append(w.objects, u)
	}
	w.namespaces = slices.Sorted(maps.Keys(in))
	return w
}

// placed is the namespace of a world that stands for one of a file.
func placed(world, namespace string) string {
	if namespace == "" || namespace == "default" {
		return world
	}
	return world + "-" + namespace
}

// concerns reports whether an object is judged, or says something that verdicts depend on.
func concerns(o *unstructured.Unstructured) bool {
	gvk := o.GroupVersionKind()
	if gvk.Group == "" && slices.Contains([]string{"Service", "LimitRange", "Namespace"}, gvk.Kind) {
		return true
	}
	return slices.ContainsFunc((workload.Table{}).Kinds(), func(k workload.Kind) bool { return k.GroupVersionKind() == gvk })
}

// settings make every rule deny, so that the API server gives each finding as a cause of its refusal.
func settings(t *testing.T) review.Settings {
	t.Helper()
	s := review.Settings{Levels: map[string]finding.Level{}, OwnedObjects: finding.Deny}
	for _, id := range ruleIDs(t) {
		s.Levels[id] = finding.Deny
	}
	return s
}

// denyAll writes the same as a configuration file.
func denyAll(t *testing.T) string {
	t.Helper()
	rules := map[string]any{}
	for _, id := range ruleIDs(t) {
		rules[id] = map[string]any{"level": "deny"}
	}
	text, err := yaml.Marshal(map[string]any{
		"apiVersion": "forestall.dev/v1alpha1", "kind": "Configuration", "ownedObjects": "deny", "rules": rules,
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func ruleIDs(t *testing.T) []string {
	t.Helper()
	rules, err := builtin.RulesOf(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	r, err := rules.Reviewer(review.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, rule := range r.Rules() {
		ids = append(ids, rule.ID)
	}
	return ids
}

// auditFiles audits the objects of the world as a file that holds all that runs in its namespaces.
func (w *world) auditFiles(t *testing.T, rules *builtin.Rules, s review.Settings) {
	t.Helper()
	var text bytes.Buffer
	for i := range w.objects {
		if w.refused[nameOf(&w.objects[i])] != "" {
			continue
		}
		if err := json.NewEncoder(&text).Encode(w.objects[i].Object); err != nil {
			t.Fatal(err)
		}
	}
	if text.Len() == 0 {
		return
	}
	set, err := audit.Load(t.Context(), audit.Options{Paths: []string{"-"}, Stdin: &text, Complete: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = set.Close() }()
	r, err := rules.Reviewer(s, set.Cluster())
	if err != nil {
		t.Fatal(err)
	}
	found, err := set.Review(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range found.Errors {
		t.Errorf("%s: %v", w.file, e)
	}
	w.files = verdictsOf(found.Findings)
	for i, f := range found.Findings {
		if f.Level != finding.Deny {
			w.idle[w.files[i]] = true
		}
	}
}

func verdictsOf(found []finding.Finding) []verdict {
	var all []verdict
	for _, f := range found {
		all = append(all, verdict{Object: objectName(f.Object), Rule: f.Rule, Path: f.Path, Reason: explain.Reason(f)})
	}
	return all
}

// askWebhook gives every object to the webhook, by creating it once more without effect.
func (w *world) askWebhook(ctx context.Context, cluster *apiserver.Cluster) error {
	for i := range w.objects {
		o := &w.objects[i]
		if w.refused[nameOf(o)] != "" || !asked(o) {
			continue
		}
		again := o.DeepCopy()
		unsettle(again)
		err := cluster.Client.Create(ctx, again, client.DryRunAll)
		var status apierrors.APIStatus
		switch {
		case err == nil, apierrors.IsAlreadyExists(err):
			continue
		case !errors.As(err, &status) || status.Status().Details == nil || !strings.Contains(status.Status().Message, "forestall.dev"):
			return fmt.Errorf("%s: asking about %s: %w", w.file, nameOf(o), err)
		}
		for _, c := range status.Status().Details.Causes {
			w.webhook = append(w.webhook, verdict{Object: nameOf(o), Rule: string(c.Type), Path: c.Field, Reason: c.Message})
		}
	}
	return nil
}

// asked reports whether the webhook is asked about objects of the kind.
func asked(o *unstructured.Unstructured) bool {
	return concerns(o) && o.GroupVersionKind().Group+o.GetKind() != "Service" && o.GetKind() != "LimitRange"
}

// in does something in all worlds, several at a time.
func in(t *testing.T, worlds []*world, do func(*world) error) {
	t.Helper()
	const atOnce = 8
	var all sync.WaitGroup
	next := make(chan *world)
	for range atOnce {
		all.Go(func() {
			for w := range next {
				if err := do(w); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for _, w := range worlds {
		next <- w
	}
	close(next)
	all.Wait()
}
