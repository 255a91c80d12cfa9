package workload

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadMeta reads of objects that are too large what says who they belong to.
func TestReadMeta(t *testing.T) {
	large := `"spec":{"containers":[` + strings.Repeat(`{},`, 5000) + `{}]}`
	for _, tt := range []struct {
		name, in, owner, called string
		mirrors, fails          bool
	}{
		{name: "a Pod", in: `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","annotations":{"x":"y"},"ownerReferences":null},` + large + `}`, called: "a"},
		{name: "without metadata", in: `{"apiVersion":"v1","kind":"Pod",` + large + `}`},
		{name: "metadata behind all else", in: `{"apiVersion":"apps/v1","kind":"Deployment",` + large + `,"metadata":{"generateName":"a-"}}`, called: "a-*"},
		{
			name: "the second owner controls", owner: "b", called: "a",
			in: `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"a"},` +
				`{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"b","uid":"1","controller":true}]},` + large + `}`,
		},
		{
			name: "a mirror pod", called: "a", mirrors: true,
			in: `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","annotations":{"kubernetes.io/config.mirror":"1"}},` + large + `}`,
		},
		{
			name: "a Deployment mirrors nothing", called: "a",
			in: `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a","annotations":{"kubernetes.io/config.mirror":"1"}},` + large + `}`,
		},
		{name: "owners that are none", in: `{"apiVersion":"v1","kind":"Pod","metadata":{"ownerReferences":{}},` + large + `}`, fails: true},
		{name: "an owner that is none", in: `{"apiVersion":"v1","kind":"Pod","metadata":{"ownerReferences":[1]},` + large + `}`, fails: true},
		{name: "cut off", in: `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"`, fails: true},
		{name: "no object", in: `[]`, fails: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, err := ReadMeta([]byte(tt.in))
			if (err != nil) != tt.fails {
				t.Fatal(err)
			}
			if err != nil {
				return
			}
			owner := ""
			if ref := v.BuiltInOwner(); ref != nil {
				owner = ref.Name
			}
			if diff := cmp.Diff([]any{tt.owner, tt.called, tt.mirrors}, []any{owner, v.DisplayName(), v.Mirrors()}); diff != "" {
				t.Errorf("owner, name, mirror pod (-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzReadMeta: whatever the object is, little of it is kept.
func FuzzReadMeta(f *testing.F) {
	f.Add([]byte(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","ownerReferences":[{"kind":"Job","controller":true}]}}`))
	f.Add([]byte(`{"apiVersion":"v1","kind":"Pod","metadata":{"annotations":{"kubernetes.io/config.mirror":""}}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		v, err := ReadMeta(raw)
		if err == nil && (len(v.Meta.OwnerReferences) > 1 || len(v.Meta.Annotations) > 1 || v.Mirrors() && !v.IsPod()) {
			t.Errorf("%+v", v.Meta)
		}
	})
}
