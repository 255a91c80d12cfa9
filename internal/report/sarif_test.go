package report

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// sarifOf returns the report of a result, if the schema of the standard takes it.
func sarifOf(t *testing.T, r audit.Result, o Options) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/schemas/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(sarifSchema, schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile(sarifSchema)
	if err != nil {
		t.Fatal(err)
	}
	out := told(t, r, SARIF, o)
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(v); err != nil {
		t.Error(err)
	}
	return out
}

func TestSARIFFollowsItsSchema(t *testing.T) {
	for _, r := range []audit.Result{everything(), nothing(), {}} {
		sarifOf(t, r, someOptions())
		sarifOf(t, r, Options{})
	}
}

// TestFingerprints: lines, values, files, positions and versions of the API may change; two of one identity are told apart.
func TestFingerprints(t *testing.T) {
	prints := func(all ...finding.Finding) []string {
		var doc struct {
			Runs []struct {
				Results []struct {
					PartialFingerprints map[string]string `json:"partialFingerprints"`
				} `json:"results"`
			} `json:"runs"`
		}
		if err := json.Unmarshal(sarifOf(t, audit.Result{Findings: all}, Options{}), &doc); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range doc.Runs[0].Results {
			got = append(got, r.PartialFingerprints[sarifIdentity])
		}
		return got
	}
	one := everything().Findings[0]
	moved := one
	moved.Source, moved.Reason, moved.Level = finding.Source{File: "other.yaml", Line: 99}, "another value", finding.Warn
	moved.Path, moved.Object.APIVersion = "spec.template.spec.containers[4].command", "apps/v1beta1"
	if diff := cmp.Diff(prints(one), prints(moved)); diff != "" {
		t.Errorf("moved (-before +after):\n%s", diff)
	}
	if twice := prints(one, one); twice[0] == twice[1] || !slices.Equal(twice[:1], prints(one)) {
		t.Errorf("two alike: %q", twice)
	}
	for name, change := range map[string]func(*finding.Finding){
		"rule":      func(f *finding.Finding) { f.Rule = "other" },
		"group":     func(f *finding.Finding) { f.Object.APIVersion = "batch/v1" },
		"kind":      func(f *finding.Finding) { f.Object.Kind = "StatefulSet" },
		"namespace": func(f *finding.Finding) { f.Object.Namespace = "" },
		"name":      func(f *finding.Finding) { f.Object.Name = "api" },
		"container": func(f *finding.Finding) { f.Container = "" },
		"field":     func(f *finding.Finding) { f.Field = "spec" },
	} {
		other := one
		change(&other)
		if slices.Equal(prints(one), prints(other)) {
			t.Errorf("another %s has the same fingerprint", name)
		}
	}
}
