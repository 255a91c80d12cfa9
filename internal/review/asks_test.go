package review_test

import (
	"fmt"
	"testing"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/review"
)

const healthyPod = `
apiVersion: v1
kind: Pod
metadata: {name: shop, labels: {app: shop}}
spec:
  containers:
    - name: web
      image: registry.example.com/shop/web:1.4.2
      ports: [{containerPort: 8080}]
      readinessProbe: {httpGet: {path: /ready, port: 8080}}
      resources: {requests: {memory: 64Mi}, limits: {memory: 64Mi}}
`

// TestHealthyPodsAskLittle: what exists beside a pod costs it nothing where neither its facts
// nor a rule asks for it, whether its findings are known from before or not.
func TestHealthyPodsAskLittle(t *testing.T) {
	crowded, empty := cluster.OfFiles(true), cluster.OfFiles(true)
	for i := range 1000 {
		crowded.Services.Put(&cluster.Service{
			Namespace: "default", Name: fmt.Sprint("s", i), Selector: map[string]string{"app": "shop"}, Targets: make([]cluster.Target, 64),
		})
	}
	crowded.LimitRanges.Put(&cluster.LimitRange{Namespace: "default", Name: "most", Ranges: make([]cluster.MemoryRange, 100)})
	s := subject(t, review.Create, healthyPod, "")
	for name, cached := range map[string]bool{"looked at": false, "known": true} {
		allocations := func(store *cluster.Store) float64 {
			r, err := builtin.Reviewer(t.Context(), review.Settings{}, store)
			if err != nil {
				t.Fatal(err)
			}
			if cached {
				r = caching(t, store, review.NewCache())(review.Settings{})
			}
			return testing.AllocsPerRun(20, func() {
				if got := judge(t, r, s); len(got.Findings) > 0 {
					t.Fatal(got)
				}
			})
		}
		if alone, beside := allocations(empty), allocations(crowded); beside > alone+10 {
			t.Errorf("%s: %.0f allocations, and %.0f beside 1000 Services", name, alone, beside)
		}
	}
}
