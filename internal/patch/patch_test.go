package patch_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/patch"
)

const limitPath = "spec.containers[0].resources.limits.memory"

func TestBuild(t *testing.T) {
	add := func(path string, value any) finding.Repair {
		return finding.Repair{Op: "add", Path: path, Value: value}
	}
	for _, tt := range []struct {
		name, object string
		repairs      []finding.Repair
		want         []finding.Operation
		patched      string
		wantErr      string
	}{
		{
			name:    "the parents are there",
			object:  `{"spec":{"containers":[{"resources":{"limits":{"cpu":"1"}}}]}}`,
			repairs: []finding.Repair{add(limitPath, "1Gi")},
			want:    []finding.Operation{{Op: "add", Path: "/spec/containers/0/resources/limits/memory", Value: "1Gi"}},
			patched: `{"spec":{"containers":[{"resources":{"limits":{"cpu":"1","memory":"1Gi"}}}]}}`,
		},
		{
			name:    "all parents are missing",
			object:  `{"spec":{"containers":[{"name":"a","newField":true}]}}`,
			repairs: []finding.Repair{add(limitPath, "1Gi")},
			want:    []finding.Operation{{Op: "add", Path: "/spec/containers/0/resources", Value: map[string]any{"limits": map[string]any{"memory": "1Gi"}}}},
			patched: `{"spec":{"containers":[{"name":"a","newField":true,"resources":{"limits":{"memory":"1Gi"}}}]}}`,
		},
		{
			name:    "a parent is null",
			object:  `{"spec":{"containers":[{"resources":{"limits":null}}]}}`,
			repairs: []finding.Repair{add(limitPath, "1Gi")},
			want:    []finding.Operation{{Op: "add", Path: "/spec/containers/0/resources/limits", Value: map[string]any{"memory": "1Gi"}}},
			patched: `{"spec":{"containers":[{"resources":{"limits":{"memory":"1Gi"}}}]}}`,
		},
		{
			name:   "a later repair uses the parent of an earlier one",
			object: `{"spec":{"containers":[{}]}}`,
			repairs: []finding.Repair{
				add(limitPath, "1Gi"),
				add("spec.containers[0].resources.limits.cpu", "1"),
			},
			want: []finding.Operation{
				{Op: "add", Path: "/spec/containers/0/resources", Value: map[string]any{"limits": map[string]any{"memory": "1Gi"}}},
				{Op: "add", Path: "/spec/containers/0/resources/limits/cpu", Value: "1"},
			},
			patched: `{"spec":{"containers":[{"resources":{"limits":{"cpu":"1","memory":"1Gi"}}}]}}`,
		},
		{
			name:    "a key with dots and slashes",
			object:  `{"metadata":{"annotations":{}}}`,
			repairs: []finding.Repair{add("metadata.annotations[example.com/a~b]", "x")},
			want:    []finding.Operation{{Op: "add", Path: "/metadata/annotations/example.com~1a~0b", Value: "x"}},
			patched: `{"metadata":{"annotations":{"example.com/a~b":"x"}}}`,
		},
		{
			name:    "replace",
			object:  `{"spec":{"containers":[{"resources":{"limits":{"memory":"128m"}}}]}}`,
			repairs: []finding.Repair{{Op: "replace", Path: limitPath, Value: "128Mi"}},
			want:    []finding.Operation{{Op: "replace", Path: "/spec/containers/0/resources/limits/memory", Value: "128Mi"}},
			patched: `{"spec":{"containers":[{"resources":{"limits":{"memory":"128Mi"}}}]}}`,
		},
		{
			name:    "add does not overwrite",
			object:  `{"spec":{"containers":[{"resources":{"limits":{"memory":"1"}}}]}}`,
			repairs: []finding.Repair{add(limitPath, "1Gi")},
			wantErr: "repairing " + limitPath + ": there is a value already",
		},
		{
			name:    "replace needs a value",
			object:  `{"spec":{"containers":[{}]}}`,
			repairs: []finding.Repair{{Op: "replace", Path: limitPath, Value: "1"}},
			wantErr: "repairing " + limitPath + ": /spec/containers/0/resources is not there to be replaced",
		},
		{
			name:    "no such container",
			object:  `{"spec":{"containers":[]}}`,
			repairs: []finding.Repair{add(limitPath, "1Gi")},
			wantErr: "repairing " + limitPath + ": /spec/containers/0 does not exist",
		},
		{
			name:    "remove",
			object:  `{"spec":{"containers":[{"name":"a","args":["x"]}]}}`,
			repairs: []finding.Repair{{Op: "remove", Path: "spec.containers[0].args"}},
			want:    []finding.Operation{{Op: "remove", Path: "/spec/containers/0/args"}},
			patched: `{"spec":{"containers":[{"name":"a"}]}}`,
		},
		{
			name:    "remove needs a value",
			object:  `{"spec":{"containers":[{}]}}`,
			repairs: []finding.Repair{{Op: "remove", Path: "spec.containers[0].args"}},
			wantErr: "repairing spec.containers[0].args: /spec/containers/0/args is not there to be removed",
		},
		{
			name:   "set replaces what is there and adds what is not",
			object: `{"spec":{"containers":[{"name":"a"}]}}`,
			repairs: []finding.Repair{
				{Op: "set", Path: "spec.containers[0].name", Value: "b"},
				{Op: "set", Path: "spec.containers[0].livenessProbe.timeoutSeconds", Value: json.Number("5")},
			},
			want: []finding.Operation{
				{Op: "replace", Path: "/spec/containers/0/name", Value: "b"},
				{Op: "add", Path: "/spec/containers/0/livenessProbe", Value: map[string]any{"timeoutSeconds": json.Number("5")}},
			},
			patched: `{"spec":{"containers":[{"name":"b","livenessProbe":{"timeoutSeconds":5}}]}}`,
		},
		{
			name:   "update replaces what is there and leaves out what is not",
			object: `{"spec":{"containers":[{"name":"a"}]}}`,
			repairs: []finding.Repair{
				{Op: "update", Path: "spec.containers[0].image", Value: "x"},
				{Op: "update", Path: "spec.containers[0].name", Value: "b"},
			},
			want:    []finding.Operation{{Op: "replace", Path: "/spec/containers/0/name", Value: "b"}},
			patched: `{"spec":{"containers":[{"name":"b"}]}}`,
		},
		{
			name:    "an operation that there is not",
			object:  `{"spec":{}}`,
			repairs: []finding.Repair{{Op: "move", Path: "spec"}},
			wantErr: `repairing spec: unknown operation "move"`,
		},
		{
			name:    "a path that is not one",
			object:  `{}`,
			repairs: []finding.Repair{add("spec.containers[0", 1)},
			wantErr: `repairing spec.containers[0: field path "spec.containers[0": a bracket is empty or not closed`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := patch.Build([]byte(tt.object), tt.repairs)
			if tt.wantErr != "" {
				if err == nil || err.Error() != tt.wantErr {
					t.Fatalf("got error %v, want %s", err, tt.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("operations (-want +got):\n%s", diff)
			}
			patched, err := patch.Apply([]byte(tt.object), got)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(decode(t, tt.patched), decode(t, string(patched))); diff != "" {
				t.Errorf("patched object (-want +got):\n%s", diff)
			}
		})
	}
}

func decode(t *testing.T, s string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(s), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func FuzzSteps(f *testing.F) {
	for _, seed := range []string{"", "spec", limitPath, "metadata.annotations[a.b/c]", "a..b", "[", "[]", "a[", "a[1]b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		steps, err := patch.Steps(path)
		if err == nil && len(steps) == 0 {
			t.Errorf("Steps(%q) has neither steps nor an error", path)
		}
		for _, s := range steps {
			if s == "" {
				t.Errorf("Steps(%q) = %q has an empty step", path, steps)
			}
		}
	})
}
