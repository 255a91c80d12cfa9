package review_test

import (
	"fmt"
	"runtime"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/review"
)

// crowd returns the Store of a cluster with so many Services that select the pod, each with so many
// different ports, and with a LimitRange.
func crowd(services, ports int) *cluster.Store {
	s := cluster.OfFiles(true)
	for i := range services {
		o := &corev1.Service{
			ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprintf("s%05d", i)},
			Spec:       corev1.ServiceSpec{Selector: map[string]string{"app": "a"}, Ports: make([]corev1.ServicePort, ports)},
		}
		for p := range o.Spec.Ports {
			o.Spec.Ports[p] = corev1.ServicePort{Name: fmt.Sprint("p", p), Port: int32(p + 1), TargetPort: intstr.FromString(fmt.Sprint("t", p))} //nolint:gosec // few
		}
		s.Services.Put(cluster.ServiceOf(o))
	}
	return s
}

// failing is what is reviewed beside a crowd: pods for whose findings the whole document is made.
func failing() map[string]string {
	return map[string]string{
		"one container": podOf(`{"name":"c","command":["sleep 1"],"readinessProbe":{"httpGet":{"port":"q"}}}`),
		"a gate":        podOf(`{"name":"a","ports":[{"name":"t1","containerPort":1}]},{"name":"b","readinessProbe":{"tcpSocket":{"port":9}}}`),
	}
}

// bytesOf is what a review allocates.
func bytesOf(t *testing.T, r *review.Reviewer, object string) uint64 {
	t.Helper()
	s := subject(t, review.Create, object, "")
	var before, after runtime.MemStats
	least := uint64(1 << 62)
	for range 3 { // the first one fills what is kept
		runtime.ReadMemStats(&before)
		d, err := r.Review(t.Context(), s)
		runtime.ReadMemStats(&after)
		if err != nil || len(d.Findings) == 0 || d.Unfinished != "" || len(d.Errors) > 0 {
			t.Fatal(err, d)
		}
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// TestServicesTakeNoMemory: 13 pods of 200 bytes beside 20 Services of 20,000 ports took a gigabyte,
// since each review copied all ports. What a review takes beside a crowd is bounded.
func TestServicesTakeNoMemory(t *testing.T) {
	for name, object := range failing() {
		alone, err := builtin.Reviewer(t.Context(), review.Settings{}, crowd(1, 1))
		if err != nil {
			t.Fatal(err)
		}
		base := bytesOf(t, alone, object)
		for _, tt := range []struct{ services, ports int }{{20, 20_000}, {10_000, 256}} {
			r, err := builtin.Reviewer(t.Context(), review.Settings{}, crowd(tt.services, tt.ports))
			if err != nil {
				t.Fatal(err)
			}
			got := bytesOf(t, r, object)
			t.Logf("%s: %d KiB beside one Service, %d KiB beside %d of %d ports", name, base>>10, got>>10, tt.services, tt.ports)
			if got > base+160<<10 {
				t.Errorf("%s takes %d bytes beside %d Services of %d ports, and %d beside one", name, got, tt.services, tt.ports, base)
			}
		}
	}
}
