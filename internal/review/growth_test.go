package review_test

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/policies"
)

// maxExponent is how much faster than their size the cost of objects may grow. A sort is 1.1,
// a loop in a loop is 2.
const maxExponent = 1.2

// shape is objects of one form in all sizes.
type shape struct {
	name   string
	sizes  []int
	object func(n int) string
	// services are objects of the cluster.
	services func(n int) []string
	// repaired says that the repairs are proved, too.
	repaired bool
}

// Fields cost little, containers much: each is judged by many rules.
func fields() []int     { return []int{10, 100, 1000, 10_000} }
func containers() []int { return []int{2, 20, 200, 2000} }

func shapes() []shape {
	each := func(item string) func(int) string {
		return func(n int) string { return podOf(listed(n, numbered(item))) }
	}
	within := func(before, item, after string) func(int) string {
		return func(n int) string { return podOf(before + listed(n, numbered(item)) + after) }
	}
	spec := func(list, item, rest string) func(int) string {
		return func(n int) string {
			return `{"apiVersion":"v1","kind":"Pod","metadata":{"labels":{"app":"a"}},"spec":{"` + list + `":[` + listed(n, numbered(item)) + `],` + rest + `}}`
		}
	}
	script := func(piece string) func(int) string {
		return func(n int) string {
			return podOf(`{"name":"c","command":["sh","-c","` + strings.Repeat(piece, n) + `"]}`)
		}
	}
	const probes = `"readinessProbe":{"tcpSocket":{"port":1%d}},"livenessProbe":{"httpGet":{"port":2%d},"periodSeconds":1}`
	return []shape{
		{name: "containers that say nothing", sizes: containers(), object: each(`{"name":"c%d"}`)},
		{name: "containers without a limit, repaired", sizes: containers(), object: each(`{"name":"c%d"}`), repaired: true},
		{name: "containers that end", sizes: containers(), object: each(`{"name":"c%d","image":"Web","command":["sleep %d"],"args":["a"],"resources":{"limits":{"memory":"9","cpu":"900"}}}`)},
		{name: "containers with probes", sizes: containers(), object: each(`{"name":"c%d","image":"web","command":["sleep","infinity"],` + probes + `}`)},
		{name: "containers with ports of others", sizes: containers(), object: each(`{"name":"c%d","ports":[{"name":"p%d","containerPort":%d}],"readinessProbe":{"httpGet":{"port":"q"}},"startupProbe":{"httpGet":{"port":"p1"}}}`)},
		{name: "containers with values from elsewhere", sizes: containers(), object: each(`{"name":"c%d","env":[{"name":"PORT","valueFrom":{"secretKeyRef":{"name":"s","key":"k"}}}],` + probes + `}`)},
		{name: "containers with volumes", sizes: containers(), object: func(n int) string {
			volumes := listed(n, numbered(`{"name":"v%d","emptyDir":{"medium":"Memory","sizeLimit":"1Gi"}}`))
			return spec("containers", `{"name":"c%d","volumeMounts":[{"name":"v%d","mountPath":"/a"}],"resources":{"limits":{"memory":"1%dMi"}}}`, `"volumes":[`+volumes+`]`)(n)
		}},
		{name: "init containers that never end", sizes: containers(), object: spec("initContainers", `{"name":"c%d","command":["sleep","infinity"]}`, `"containers":[{"name":"a"}]`)},
		{name: "sidecars", sizes: containers(), object: spec("initContainers", `{"name":"c%d","restartPolicy":"Always","startupProbe":{"httpGet":{"port":"q"}}}`, `"containers":[{"name":"a"}]`)},
		{name: "containers and Services", sizes: containers(), object: each(`{"name":"c%d","command":["sleep","infinity"],` + probes + `}`), services: services},
		{name: "gates and the ports of Services", sizes: containers(), services: servicesOfPorts, object: each(gate)},
		{name: "Services", sizes: fields(), object: func(int) string { return podOf(`{"name":"c","readinessProbe":{"httpGet":{"port":"q"}}}`) }, services: services},
		{name: "ports of a Service", sizes: fields(), services: servicePorts, object: func(int) string {
			return podOf(`{"name":"a","readinessProbe":{"tcpSocket":{"port":1}}},{"name":"b","ports":[{"containerPort":80}]}`)
		}},
		{name: "ports", sizes: fields(), object: within(`{"name":"c","readinessProbe":{"httpGet":{"port":"q"}},"ports":[`, `{"name":"p%d","containerPort":%d}`, `]}`)},
		{name: "variables", sizes: fields(), object: within(`{"name":"c","command":["java"],"env":[`, `{"name":"V%d","value":"$(V1) 8080 -Xmx1g"}`, `]}`)},
		{name: "variables from elsewhere", sizes: fields(), object: within(`{"name":"c","livenessProbe":{"tcpSocket":{"port":1}},"env":[`, `{"name":"PORT%d","valueFrom":{"secretKeyRef":{"name":"s","key":"k"}}}`, `]}`)},
		{name: "mounts", sizes: fields(), object: within(`{"name":"c","command":["nginx"],"volumeMounts":[`, `{"name":"v","mountPath":"/a%d"}`, `]}`)},
		{name: "volumes in memory", sizes: fields(), object: spec("volumes", `{"name":"v%d","emptyDir":{"medium":"Memory","sizeLimit":"1Gi"}}`, `"containers":[{"name":"c","resources":{"limits":{"memory":"1Mi"}},"volumeMounts":[{"name":"v1","mountPath":"/a"}]}]`)},
		{name: "words", sizes: []int{4, 40, 400, 4000}, object: within(`{"name":"c","command":["stress",`, `"--port=%d","--vm"`, `]}`)},
		{name: "words of a command", sizes: fields(), object: within(`{"name":"c","command":["sleep `, `1 -a $V%d`, `"]}`)},
		{name: "variables of a shell", sizes: fields(), object: within(`{"name":"c","command":["curl","`, ` $V%d`, `"]}`)},
		{name: "statements", sizes: fields(), object: script("a;")},
		{name: "words of a script", sizes: fields(), object: script("a ")},
		{name: "sleeps of a script", sizes: []int{3, 30, 300, 3000}, object: script("sleep 1;")},
		{name: "triggers of images", sizes: []int{10, 100, 1000}, object: func(n int) string {
			triggers := listed(n, numbered(`{\"from\":{\"kind\":\"ImageStreamTag\",\"name\":\"a\"},\"fieldPath\":\"spec.containers[%d].image\"}`))
			return strings.Replace(podOf(listed(n, numbered(`{"name":"c%d","image":"A"}`))), `"metadata":{`, `"metadata":{"annotations":{"image.openshift.io/triggers":"[`+triggers+`]"},`, 1)
		}},
		{name: "a long word", sizes: []int{1000, 10_000, 100_000, 1_000_000}, object: within(`{"name":"c","args":["`, `a`, `"]}`)},
		{name: "a probe's command", sizes: []int{10, 100, 1000}, object: within(`{"name":"c","ports":[{"containerPort":1}],"livenessProbe":{"exec":{"command":["sh","-c","`, `localhost:1%d `, `"]}}}`)},
	}
}

// numbered writes the number of an item in the place of %d.
func numbered(item string) func(int) string {
	return func(i int) string { return strings.ReplaceAll(item, "%d", fmt.Sprint(i)) }
}

// services are n Services that send to the pod.
func services(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(`{"apiVersion":"v1","kind":"Service","metadata":{"name":"s%d"},"spec":{"selector":{"app":"a"},"ports":[{"port":80}]}}`, i)
	}
	return all
}

// servicePorts is one Service with n ports.
func servicePorts(n int) []string {
	return []string{`{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"selector":{"app":"a"},"ports":[` +
		listed(n, numbered(`{"name":"p%d","port":%d,"targetPort":%d}`)) + `]}}`}
}

// gate is a container with a readiness probe, to which no Service sends: but for the first, c0.
const gate = `{"name":"c%d","ports":[{"containerPort":5%d,"name":"p%d"}],"readinessProbe":{"tcpSocket":{"port":5%d}}}`

// servicesOfPorts are n Services of many ports, among them one of the container c0.
func servicesOfPorts(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = serviceOf(i, `{"name":"q","port":1,"targetPort":"p0"},`+listed(50, numbered(`{"name":"p%d","port":2%d}`)))
	}
	return all
}

func serviceOf(i int, ports string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Service","metadata":{"name":"s%d"},"spec":{"selector":{"app":"a"},"ports":[%s]}}`, i, ports)
}

// cost is what a review takes. Time is no part of it: it depends on who else works.
type cost struct{ steps, allocations, bytes float64 }

// TestGrowth holds that an object of ten times the size costs ten times as much, whatever there is
// ten times of, through facts, rules and repairs. The largest sizes are left out under -short and
// with the race detector.
func TestGrowth(t *testing.T) {
	rules, err := builtin.RulesOf(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range shapes() {
		t.Run(s.name, func(t *testing.T) {
			sizes := s.sizes
			if raced || testing.Short() {
				sizes = sizes[:len(sizes)-1]
			}
			var costs []cost
			for _, n := range sizes {
				costs = append(costs, s.cost(t, rules, n))
			}
			last := len(sizes) - 1
			factor := math.Log(float64(sizes[last]) / float64(sizes[last-1]))
			for what, of := range map[string]func(cost) float64{
				"steps":       func(c cost) float64 { return c.steps },
				"allocations": func(c cost) float64 { return c.allocations },
				"bytes":       func(c cost) float64 { return c.bytes },
			} {
				if exponent := math.Log(of(costs[last])/of(costs[last-1])) / factor; exponent > maxExponent {
					t.Errorf("%s grow with an exponent of %.2f; sizes %v: %.0f", what, exponent, sizes, costs)
				}
			}
		})
	}
}

// reviewer knows the objects of the cluster. It has a reason to look at the shape, and no bound on steps.
func (s shape) reviewer(t *testing.T, rules *builtin.Rules, n int) *review.Reviewer {
	t.Helper()
	source := cluster.OfFiles(true)
	if s.services != nil {
		for _, object := range s.services(n) {
			if err := source.Add("v1", "Service", []byte(object)); err != nil {
				t.Fatal(err)
			}
		}
	}
	r, err := rules.Reviewer(withLimit(), source)
	if err != nil {
		t.Fatal(err)
	}
	return r.WithSteps(budget.Unlimited)
}

func (s shape) cost(t *testing.T, rules *builtin.Rules, n int) cost {
	t.Helper()
	r := s.reviewer(t, rules, n)
	of := subject(t, review.Create, s.object(n), "")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d, err := r.Review(t.Context(), of)
	if err != nil || d.Unfinished != "" || len(d.Errors) > 0 {
		t.Fatal(err, d.Unfinished, d.Errors)
	}
	if s.repaired {
		if repaired, err := r.Repair(t.Context(), of, d); err != nil || repaired.Proofs != 1 {
			t.Fatalf("%d proofs, %v", repaired.Proofs, err)
		}
	}
	runtime.ReadMemStats(&after)
	return cost{float64(d.Steps), float64(after.Mallocs - before.Mallocs), float64(after.TotalAlloc - before.TotalAlloc)}
}

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
		four = append(four, serviceOf(i, listed(20_000, numbered(`{"name":"p%d","port":1%d}`))))
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
