package cpu_test

import (
	"math"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/forestall/forestall/internal/facts/cpu"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/quantity"
)

// FuzzObserve holds for any request and limit: there is one where it is more than zero, its whole
// cores are no more than it, its text is the same amount, and what was meant instead is less.
func FuzzObserve(f *testing.F) {
	for _, seed := range [][2]string{
		{"100", ""},
		{"", "250"},
		{"100Mi", "100Mi"},
		{"1k", "1"},
		{"99999m", "100"},
		{"0.1M", ""},
		{"100.5", ""},
		{"-100", "100"},
		{"9223372036854775807", "1E"},
		{"100n", "1e2"},
		{"100Ki", ""},
		{"99.0000000001", ""},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, request, limit string) {
		var r corev1.ResourceRequirements
		var ok bool
		if r.Requests, ok = listed(request); !ok {
			return
		}
		if r.Limits, ok = listed(limit); !ok {
			return
		}
		got := cpu.Observe(r, "c").Request
		q, requested := r.Requests[corev1.ResourceCPU]
		if !requested {
			q = r.Limits[corev1.ResourceCPU]
		}
		if some := q.Sign() > 0; got.Is(fact.Present) != some || some != (got.Text != "") || got.Cores < 0 {
			t.Fatalf("%q, %q: %+v", request, limit, got)
		}
		if got.Is(fact.Absent) {
			return
		}
		if q.CmpInt64(got.Cores) < 0 || got.Cores < math.MaxInt64 && q.CmpInt64(got.Cores+1) >= 0 {
			t.Errorf("%q, %q: %d whole cores", request, limit, got.Cores)
		}
		if same, err := resource.ParseQuantity(got.Text); err != nil || same.Cmp(q) != 0 {
			t.Errorf("%q, %q: the text is %q (%v)", request, limit, got.Text, err)
		}
		if got.Instead == "" {
			return
		}
		if meant, err := resource.ParseQuantity(got.Instead); err != nil || meant.Cmp(q) >= 0 {
			t.Errorf("%q, %q: %q instead (%v)", request, limit, got.Instead, err)
		}
	})
}

// listed reads a quantity as objects hold them: within bounds, and rounded up.
func listed(text string) (corev1.ResourceList, bool) {
	if text == "" {
		return nil, true
	}
	if quantity.Huge([]byte(text)) {
		return nil, false
	}
	q, err := resource.ParseQuantity(text)
	if err != nil {
		return nil, false
	}
	q.RoundUp(-3)
	return corev1.ResourceList{corev1.ResourceCPU: q}, true
}
