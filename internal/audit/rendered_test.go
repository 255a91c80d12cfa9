package audit

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/render"
)

// TestRendered reads texts that were rendered, beside one that could not be: each thing is where its text says.
func TestRendered(t *testing.T) {
	placed := func(path string, line int) finding.Source {
		return finding.Source{File: fmt.Sprintf("%s at %d", path, line), Line: 100 + line}
	}
	set, err := Load(t.Context(), Options{Namespace: "elsewhere", Rendered: []render.Text{
		{Name: "a.yaml", Text: []byte("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n---\nkind: [\n"), Namespace: "release", Place: placed},
		{Name: "a.yaml", Text: []byte("apiVersion: v1\nkind: Pod\nmetadata:\n  name: b\n")},
		{Name: "empty.yaml"},
		render.Failed("broken.yaml", 7, errors.New("it is broken")),
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	}()
	objects, failed, err := set.All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range objects {
		got = append(got, fmt.Sprintf("%s/%s: %s, %s", o.Subject.Namespace, o.Subject.Name, o.Place(""), o.Place("metadata.name")))
	}
	for _, e := range failed {
		got = append(got, e.Error())
	}
	want := []string{
		"release/a:  at 1:101, metadata.name at 3:103",
		"elsewhere/b: a.yaml, a.yaml",
		" at 5:105: reading YAML: did not find expected node content",
		"broken.yaml:7: it is broken",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if c := set.Counts(); c.Files != 2 || c.Objects != 2 || c.Documents != 3 {
		t.Errorf("%+v", c)
	}
}
