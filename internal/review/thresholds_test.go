package review_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/review"
)

// Rules follow their parameters as far as they are set: nothing in Go knows better.
func TestThresholds(t *testing.T) {
	const head = "apiVersion: v1\nkind: Pod\nmetadata: {name: shop}\nspec: {containers: [{name: web, image: 'web:1', "
	const limits = "resources: {limits: {memory: 128Mi}, "
	for _, tt := range []struct {
		name, container, rule, params string
		want                          []string // the rules that speak, of these
	}{
		{"CPU by default", limits + "requests: {cpu: '40'}}", "", "", nil},
		{"CPU that no node has", limits + "requests: {cpu: '40'}}", "cpu-quantity-implausible", "cores: 32", []string{"cpu-quantity-implausible"}},
		{"CPU below that", limits + "requests: {cpu: '31'}}", "cpu-quantity-implausible", "cores: 32", nil},
		{"CPU that few nodes have", limits + "requests: {cpu: '40'}}", "cpu-quantity-suspicious", "cores: 40", []string{"cpu-quantity-suspicious"}},
		{"CPU that is not quite that", limits + "requests: {cpu: 39999m}}", "cpu-quantity-suspicious", "cores: 40", nil},
		{"memory by default", "resources: {limits: {memory: 50Mi}}", "", "", nil},
		{"memory under the floor", "resources: {limits: {memory: 50Mi}}", "memory-limit-below-floor", "floor: 64Mi", []string{"memory-limit-below-floor"}},
		{"memory under no floor", "resources: {limits: {memory: 1Mi}}", "memory-limit-below-floor", "floor: ''", nil},
		{"many thousandths by default", "resources: {limits: {memory: 524288500m}}", "", "", []string{"memory-limit-below-floor"}},
		{"many thousandths", "resources: {limits: {memory: 524288500m}}", "memory-quantity-milli", "largest: 1Mi", []string{"memory-quantity-milli"}},
		{"liveness by default", limits + "}, livenessProbe: {tcpSocket: {port: 80}}", "", "", nil},
		{"liveness", limits + "}, livenessProbe: {tcpSocket: {port: 80}}", "liveness-kills-slow-start", "seconds: 30", []string{"liveness-kills-slow-start"}},
		{"liveness that waits a second longer", limits + "}, livenessProbe: {tcpSocket: {port: 80}}", "liveness-kills-slow-start", "seconds: 29", nil},
		{"a heap by default", limits + "}, command: [java, -Xmx40m, -jar, a.jar]", "", "", nil},
		{"a heap of a third", limits + "}, command: [java, -Xmx40m, -jar, a.jar]", "memory-headroom-thin", "fullPercent: 30", []string{"memory-headroom-thin"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := "apiVersion: forestall.dev/v1alpha1\nkind: Configuration\n"
			if tt.rule != "" {
				text += "rules: {" + tt.rule + ": {params: {" + tt.params + "}}}\n"
			}
			c, err := config.Parse("forestall.yaml", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			d, err := reviewer(t, c.Settings()).Review(t.Context(), subject(t, review.Create, head+tt.container+"}]}\n", ""))
			if err != nil {
				t.Fatal(err)
			}
			judged := []string{
				"cpu-quantity-implausible", "cpu-quantity-suspicious", "liveness-kills-slow-start", "memory-headroom-thin",
				"memory-limit-below-floor", "memory-quantity-milli",
			}
			var got []string
			for _, f := range d.Findings {
				if slices.Contains(judged, f.Rule) {
					got = append(got, f.Rule)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
