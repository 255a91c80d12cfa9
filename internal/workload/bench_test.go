package workload_test

import (
	"io"
	"testing"

	corev1 "k8s.io/api/core/v1"
	sigsjson "sigs.k8s.io/json"

	"github.com/forestall/forestall/internal/workload"
	"github.com/forestall/forestall/test/bench/shapes"
)

// BenchmarkFromObject compares the cost of a View with that of decoding alone, and that of
// what is written for a digest.
func BenchmarkFromObject(b *testing.B) {
	for name, shape := range map[string]shapes.Shape{
		"plain": {Kind: "Pod", Containers: 3}, "full": {Kind: "Pod", Containers: 3, Full: true},
	} {
		raw, err := shape.Raw(1)
		if err != nil {
			b.Fatal(err)
		}
		for what, do := range map[string]func() error{
			"FromObject": func() error { _, err := (workload.Table{}).FromObject(raw); return err },
			"content":    func() error { return workload.WriteContent(io.Discard, raw) },
			"decoding alone": func() error {
				return sigsjson.UnmarshalCaseSensitivePreserveInts(raw, new(corev1.Pod))
			},
		} {
			b.Run(name+"/"+what, func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(raw)))
				for b.Loop() {
					if err := do(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
