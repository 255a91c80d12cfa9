// Package agree_test holds the three that give verdicts against each other, finding for finding: the webhook behind a
// real API server, the audit of a running cluster, and the audit of files.
package agree_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/policies"
	"github.com/forestall/forestall/test/apiserver"
	"github.com/forestall/forestall/test/apiserver/apiservertest"
)

// collection is a set of manifests. Each file is a world of its own: it is all that runs in its namespaces.
type collection struct {
	name    string
	pattern string
	// beside says that it is not part of this repository.
	beside bool
	// without are the ends of names: of what a fix has made, and of configurations.
	without []string
}

func collections() []collection {
	root := filepath.Join("..", "..")
	shared := filepath.Join(root, "..", "shared")
	return []collection{
		{
			name: "rules", pattern: filepath.Join(root, "policies", "forestall", "rules", "*", "testdata", "*.yaml"),
			without: []string{".patched.yaml", ".suggested.yaml", "proof.yaml", "config.yaml"},
		},
		{name: "cases", pattern: filepath.Join(root, "test", "corpus", "testdata", "cases", "*", "manifest.yaml")},
		{name: "examples", pattern: filepath.Join(root, "examples", "*.yaml")},
		{name: "failures", pattern: filepath.Join(shared, "failures", "*", "manifest.yaml"), beside: true},
		{name: "verdicts", pattern: filepath.Join(shared, "verdicts", "*", "*.yaml"), beside: true},
		{name: "manifests", pattern: filepath.Join(shared, "manifests", "*.yaml"), beside: true},
	}
}

func (c collection) files(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob(c.pattern)
	if err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(file string) bool {
		return slices.ContainsFunc(c.without, func(end string) bool { return strings.HasSuffix(file, end) })
	})
	if len(all) == 0 && !c.beside {
		t.Fatalf("no manifests at %s", c.pattern)
	}
	return all
}

// verdict is a finding as far as all three tell it.
type verdict struct {
	Object, Rule, Path, Reason string
}

func compareVerdicts(a, b verdict) int {
	return cmp.Or(cmp.Compare(a.Object, b.Object), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Reason, b.Reason))
}

// TestAgree creates every manifest in namespaces of its own, audits them there and as files, and gives each object
// to the webhook.
func TestAgree(t *testing.T) {
	cluster := apiservertest.Start(t)
	var worlds []*world
	for _, c := range collections() {
		for _, file := range c.files(t) {
			w := read(t, file, fmt.Sprintf("w%d", len(worlds)))
			w.collection = c.name
			worlds = append(worlds, w)
		}
	}
	in(t, worlds, func(w *world) error { return w.create(t.Context(), cluster) })
	rules, err := builtin.RulesOf(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	all := settings(t)
	for _, w := range worlds {
		w.auditFiles(t, rules, all)
	}
	auditCluster(t, cluster, worlds, rules, all)
	if _, err := cluster.StartWebhook(t.Context(), apiserver.WebhookOptions{ConfigFile: denyAll(t)}); err != nil {
		t.Fatal(err)
	}
	in(t, worlds, func(w *world) error { return w.askWebhook(t.Context(), cluster) })
	report(t, worlds)
}

// create creates the namespaces and objects. What the API server refuses is left out of all comparisons.
func (w *world) create(ctx context.Context, cluster *apiserver.Cluster) error {
	for _, name := range w.namespaces {
		ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
		if err := cluster.Client.Create(ctx, ns); err != nil {
			return fmt.Errorf("%s: creating its namespace: %w", w.file, err)
		}
	}
	for i := range w.objects {
		o := &w.objects[i]
		stored := o.DeepCopy()
		unsettle(stored)
		if err := cluster.Client.Create(ctx, stored); err != nil {
			w.refused[nameOf(o)] = err.Error()
		} else if amounts(o) != amounts(stored) {
			w.rewritten[nameOf(o)] = true
		}
	}
	return nil
}

// unsettle takes out what only an API server writes, which a manifest that was read back from one may hold.
func unsettle(o *unstructured.Unstructured) {
	o.SetResourceVersion("")
	o.SetUID("")
}

// amounts returns the memory of all containers as it is written.
func amounts(o *unstructured.Unstructured) string {
	var all []string
	var walk func(key string, v any)
	walk = func(key string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				walk(k, v[k])
			}
		case []any:
			for _, item := range v {
				walk(key, item)
			}
		default:
			if key == "memory" {
				all = append(all, fmt.Sprint(v))
			}
		}
	}
	walk("", o.Object["spec"])
	return strings.Join(all, " ")
}

// nameOf names an object within its world.
func nameOf(o *unstructured.Unstructured) string {
	return o.GetKind() + "/" + o.GetNamespace() + "/" + o.GetName()
}

func objectName(o finding.Object) string { return o.Kind + "/" + o.Namespace + "/" + o.Name }
