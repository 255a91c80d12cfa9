package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/facts/memory"
)

// TestDefaultLimit: a limit that a LimitRange may give is absent only where it is known that
// none gives it.
func TestDefaultLimit(t *testing.T) {
	const path = "spec.containers[0].resources.limits.memory"
	const given = "{apiVersion: v1, kind: LimitRange, metadata: {name: most}, spec: {limits: [{type: Container, default: {memory: 8Mi}}]}}"
	const without = "command: [java, -Xmx2g, -jar, app.jar]"
	unread := cluster.World{}
	limited := cluster.World{Limited: true}
	limitedOf := world(t, false, given)
	limitedOf.Limited = true
	missing := "the namespace may have a LimitRange that sets one: they have not been read yet"
	nowhere := "the namespace may have a LimitRange that sets one: there is no cluster to ask"
	present := memory.Quantity{Observation: fact.PresentAt(path), Bytes: 8 << 20, Text: "8Mi", From: memory.FromLimitRange}
	own := memory.Quantity{Observation: fact.PresentAt(path), Bytes: 64 << 20, Text: "64Mi", From: memory.FromContainer}
	for _, tt := range []struct {
		name      string
		world     cluster.World
		container string
		want      memory.Quantity
	}{
		{"files without a LimitRange", world(t, false), without, memory.Quantity{Observation: fact.AbsentAt(path)}},
		{"files with one", world(t, false, given), without, present},
		{"not read yet", unread, without, memory.Quantity{Observation: fact.UnknownAt(path, missing)}},
		{"no cluster", cluster.World{Store: cluster.NoCluster()}, without, memory.Quantity{Observation: fact.UnknownAt(path, nowhere)}},
		{"after the API server's own plugin", limited, without, memory.Quantity{Observation: fact.AbsentAt(path)}},
		{"added after the plugin", limitedOf, without, present},
		{"its own", unread, "resources: {limits: {memory: 64Mi}}", own},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := factsOf(view(t, podOf(tt.container)), tt.world, known(t)).Containers[0].Memory
			if diff := cmp.Diff(tt.want, got.Limit); diff != "" {
				t.Errorf("limit (-want +got):\n%s", diff)
			}
			if !got.Limit.Is(fact.Unknown) {
				return
			}
			for name, o := range map[string]fact.Observation{"unit": got.Unit.Observation, "need": got.Need.Observation, "near": got.Demand.Near} {
				if !o.Is(fact.Unknown) || o.Reason != got.Limit.Reason {
					t.Errorf("%s is %+v", name, o)
				}
			}
		})
	}
}
