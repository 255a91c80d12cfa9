package review_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/policies"
)

// TestGatesWithinBudget: an object of 78 KB with 3,000 ports and a readiness probe, beside four Services of 20,000 ports
// each, kept a processor busy for seconds. However many containers decide over Services, the findings grow with
// these containers, and not with their product with the Services.
func TestGatesWithinBudget(t *testing.T) {
	rules, err := builtin.RulesOf(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	ports := podOf(`{"name":"a","readinessProbe":{"httpGet":{"port":"x"}},"ports":[` + listed(3000, numbered(`{"containerPort":%d}`)) + `]},{"name":"b"}`)
	var four []string
	for i := range 4 {
		four = append(four, serviceOf(i, listed(20_000, numbered(`{"name":"p%d","port":1%d}`)), `"app":"a"`))
	}
	for _, tt := range []struct {
		name, object string
		services     []string
		share        float64
		gates        int
	}{
		{"3000 ports beside 80,000", ports, four, 0.1, 0},
		{"100 gates and 1000 Services", podOf(listed(100, numbered(gate))), servicesOfPorts(1000), 1, 99},
		{"100 gates and more Services than are looked at", podOf(listed(100, numbered(gate))), servicesOfPorts(2000), 1, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			source := cluster.OfFiles(true)
			for _, object := range tt.services {
				if err := source.Add("v1", "Service", []byte(object)); err != nil {
					t.Fatal(err)
				}
			}
			r, err := rules.Reviewer(withLimit(), source)
			if err != nil {
				t.Fatal(err)
			}
			d, err := r.Review(t.Context(), subject(t, review.Create, tt.object, ""))
			if err != nil || d.Unfinished != "" || float64(d.Steps) > tt.share*budget.Default {
				t.Errorf("%d of %d steps, unfinished %q, %v", d.Steps, budget.Default, d.Unfinished, err)
			}
			gates := 0
			for _, f := range d.Findings {
				if f.Rule != "sidecar-readiness-gates-service" {
					continue
				}
				if gates++; len(f.Reason+f.What+f.Why+f.Fix) > 2000 {
					t.Errorf("%s: %d bytes of text: %.300s", f.Container, len(f.Reason+f.What+f.Why+f.Fix), f.Reason)
				}
			}
			if gates != tt.gates {
				t.Errorf("%d findings of gates, want %d", gates, tt.gates)
			}
		})
	}
}

// What people write takes a tenth of the budget at most, and objects that once kept a processor busy for
// many seconds come to an end within it, or are told to be too large.
func TestDefaultBudget(t *testing.T) {
	rules, err := builtin.RulesOf(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	script := strings.Repeat(`if [ -f /etc/conf.d/x ]; then cp /etc/conf.d/x /run/x; fi\n`, 4096/60)
	honest := podOf(listed(50, numbered(`{"name":"c%d","image":"web:%d","command":["sh","-c","`+script+`exec /app/server --port 8%d"],`+
		`"ports":[{"containerPort":8%d,"name":"p%d"}],"readinessProbe":{"httpGet":{"port":"p%d"}},"livenessProbe":{"tcpSocket":{"port":8%d}}}`)))
	functions := "f0() { a; };"
	for i := range 7 {
		functions += fmt.Sprintf("f%d() { %s };", i+1, strings.Repeat(fmt.Sprintf("f%d; ", i), 5))
	}
	for _, tt := range []struct {
		name, object string
		share        float64
		unfinished   bool
	}{
		{"50 containers with scripts", honest, 0.1, false},
		{"250 containers without a limit", podWithFaulty(250, 100), 0.1, false},
		{"3000 ports", podOf(`{"name":"a","readinessProbe":{"httpGet":{"port":"x"}},"ports":[` + listed(3000, numbered(`{"containerPort":%d}`)) + `]}`), 0.1, false},
		{"2000 hasty probes", podOf(listed(2000, numbered(`{"name":"c%d","livenessProbe":{"tcpSocket":{"port":80},"periodSeconds":1}}`))), 1, false},
		{"functions that call functions", podOf(listed(2000, numbered(`{"name":"c%d","command":["sh","-c","`+functions+`f7"]}`))), 1, true},
		{"150000 containers", podOf(listed(150_000, numbered(`{"name":"c%d"}`))), 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := rules.Reviewer(withLimit(), nil)
			if err != nil {
				t.Fatal(err)
			}
			d, err := r.Review(t.Context(), subject(t, review.Create, tt.object, ""))
			if err != nil || (d.Unfinished != "") != tt.unfinished || float64(d.Steps) > tt.share*budget.Default+1000 {
				t.Errorf("%d of %d steps, unfinished %q, %v", d.Steps, budget.Default, d.Unfinished, err)
			}
		})
	}
}

// TestAttacks holds what becomes of the objects that once took seconds to minutes of a processor, so that they were
// admitted without a review: they are judged whole within their steps, or told to be too large before they are decoded.
func TestAttacks(t *testing.T) {
	rules, err := builtin.RulesOf(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	scripts := func(script string) string {
		text := strings.Repeat(script, 28<<10/len(script))
		return strings.Replace(podOf(`{"name":"a"}`), `"containers"`, `"initContainers":[`+
			listed(40, numbered(`{"name":"i%d","command":["sh","-c","`+text+`"]}`))+`],"containers"`, 1)
	}
	const hasty = `{"name":"c%d","image":"a:1","livenessProbe":{"httpGet":{"path":"/healthz","port":8080},"periodSeconds":1,"failureThreshold":1}}`
	for _, tt := range []struct {
		name, object string
		// kilobytes are those of the object, about.
		kilobytes int
		// decoded says that something is known of the object: too many containers are not even decoded.
		decoded, unfinished bool
	}{
		{"40 init containers with 28 KB of shells each", scripts(`sh -c 'sleep 1; a'; `), 1150, true, false},
		{"40 init containers with 28 KB of substitutions each", scripts(`a=$(b $(c)); `), 1150, true, false},
		{"40 init containers with 28 KB of statements each", scripts(`a; `), 1150, true, false},
		{"40 init containers with 28 KB of conditions each", scripts(`if [ -f a ]; then b; fi; `), 1150, true, false},
		{"2,000 containers with hasty liveness probes", podOf(listed(2000, numbered(hasty))), 260, true, false},
		{"3,000 containers with hasty liveness probes", podOf(listed(3000, numbered(hasty))), 400, false, true},
		{"6,500 containers with hasty liveness probes", podOf(listed(6500, numbered(hasty))), 850, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if size := len(tt.object) / 1000; size < tt.kilobytes*9/10 || size > tt.kilobytes*11/10 {
				t.Errorf("%d kB", size)
			}
			r, err := rules.Reviewer(withLimit(), nil)
			if err != nil {
				t.Fatal(err)
			}
			d, err := r.Review(t.Context(), subject(t, review.Create, tt.object, ""))
			if err != nil || (d.Unfinished != "") != tt.unfinished || (d.Steps > 0) != tt.decoded || d.Steps > budget.Default {
				t.Errorf("%d of %d steps, unfinished %q, %v", d.Steps, budget.Default, d.Unfinished, err)
			}
			t.Logf("%d bytes, %d steps, %d findings, unfinished %q", len(tt.object), d.Steps, len(d.Findings), d.Unfinished)
		})
	}
}
