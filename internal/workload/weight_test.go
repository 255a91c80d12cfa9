package workload

import (
	"errors"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// listOf is JSON of a size, in which the list between two texts has as many items as fit. In
// an item, %d is its number.
func listOf(size int, before, item, after string) []byte {
	var b strings.Builder
	b.WriteString(before)
	for i := 0; b.Len() < size-len(after)-len(item)-8; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strings.ReplaceAll(item, "%d", strconv.Itoa(i)))
	}
	return []byte(b.String() + after)
}

// TestWeight: what an API server reads, 3 MiB, takes no more than MaxWeight and what a collector leaves
// behind, or is too large; what is as large and takes little is decoded.
func TestWeight(t *testing.T) {
	const (
		pod       = `{"apiVersion":"v1","kind":"Pod",`
		container = pod + `"spec":{"containers":[{"name":"c",`
		rollout   = `{"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout",`
	)
	table, err := NewTable(Known()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, before, item, after string
		size                      int // 0 for 3 MiB
		want                      error
	}{
		{name: "containers", before: pod + `"spec":{"containers":[`, item: `{"name":"c%d"}`, after: `]}}`, want: ErrTooLarge},
		{name: "empty containers", before: pod + `"spec":{"containers":[`, item: `{}`, after: `]}}`, want: ErrTooLarge},
		{name: "few bytes of them", before: pod + `"spec":{"containers":[`, item: `{}`, after: `]}}`, size: 60 << 10, want: ErrTooLarge},
		{name: "containers that are null", before: pod + `"spec":{"initContainers":[`, item: `null`, after: `]}}`, want: ErrTooLarge},
		{name: "ephemeral containers", before: pod + `"spec":{"ephemeralContainers":[`, item: `{}`, after: `]}}`, want: ErrTooLarge},
		{name: "containers of a Deployment", before: `{"apiVersion":"apps/v1","kind":"Deployment","spec":{"template":{"spec":{"containers":[`, item: `{}`, after: `]}}}}`, want: ErrTooLarge},
		{name: "containers of a custom kind", before: rollout + `"spec":{"template":{"spec":{"containers":[`, item: `{}`, after: `]}}}}`, want: ErrTooLarge},
		{name: "replicas of a custom kind", before: rollout + `"spec":{"replicas":[`, item: `{}`, after: `]}}`, want: ErrTooLarge},
		{name: "a name that is quoted otherwise", before: pod + `"spec":{"cont\u0061iners":[`, item: `{}`, after: `]}}`, want: ErrTooLarge},
		{name: "capital letters, and an error", before: pod + `"spec":{"hostNetwork":1,"Containers":[`, item: `{}`, after: `]}}`, want: ErrTooLarge},
		{name: "a second list", before: pod + `"spec":{"containers":[],"containers":[`, item: `{}`, after: `]}}`, want: ErrTooLarge},
		{name: "a list that does not end", before: pod + `"spec":{"containers":[`, item: `{}`, want: ErrTooLarge},
		{name: "volumes", before: pod + `"spec":{"volumes":[`, item: `{}`, after: `]}}`, want: ErrTooLarge},
		{name: "sources of a volume", before: pod + `"spec":{"volumes":[{"projected":{"sources":[`, item: `{"secret":{}}`, after: `]}}]}}`},
		{name: "ports", before: container + `"ports":[`, item: `{}`, after: `]}]}}`, want: ErrTooLarge},
		{name: "variables", before: container + `"env":[`, item: `{}`, after: `]}]}}`, want: ErrTooLarge},
		{name: "owners", before: pod + `"metadata":{"ownerReferences":[`, item: `{}`, after: `]}}`, want: ErrTooLarge},
		{name: "managed fields", before: pod + `"metadata":{"managedFields":[`, item: `{}`, after: `]}}`, want: ErrTooLarge},
		{name: "what a managed field holds", before: pod + `"metadata":{"managedFields":[{"fieldsV1":{`, item: `"f:%d":{}`, after: `}}]}}`},
		{name: "arguments", before: container + `"args":[`, item: `"--a=%d"`, after: `]}]}}`},
		{name: "long variables", before: container + `"env":[`, item: `{"name":"A%d","value":"` + strings.Repeat("x", 100) + `"}`, after: `]}]}}`},
		{name: "labels", before: pod + `"metadata":{"labels":{`, item: `"a%d":"8080"`, after: `}}}`},
		{name: "a status", before: pod + `"status":{"containerStatuses":[`, item: `{}`, after: `]}}`},
		{name: "an unknown list", before: container + `"new":[`, item: `{}`, after: `]}]}}`},
		{name: "containers elsewhere", before: container + `"containers":[`, item: `{}`, after: `]}]}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			size := test.size
			if size == 0 {
				size = 3 << 20
			}
			raw := listOf(size, test.before, test.item, test.after)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := table.FromObject(raw)
			runtime.ReadMemStats(&after)
			if !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v", err, test.want)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 2*MaxWeight {
				t.Errorf("it took %d MiB", took>>20)
			}
		})
	}
}

// TestMostWeight: what is not weighed any more precisely is light in fact.
func TestMostWeight(t *testing.T) {
	for _, object := range []string{
		`{"apiVersion":"v1","kind":"Pod","spec":{"containers":[` + strings.Repeat(`{},`, lightObjects-2) + `{}]}}`,
		`{"apiVersion":"v1","kind":"Pod","spec":{"containers":[` + strings.Repeat(`null,`, lightObjects-3) + `null]}}`,
	} {
		raw := []byte(object)
		v, err := (Table{}).FromObject(raw)
		if err != nil || containerWeight*len(v.Containers) > MaxWeight || MostWeight(raw) < int64(containerWeight*len(v.Containers)) {
			t.Errorf("%v, and %d bytes for %d containers", err, MostWeight(raw), len(v.Containers))
		}
	}
}
