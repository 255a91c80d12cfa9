package facts_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/fact"
)

const gatedPod = `
apiVersion: v1
kind: Pod
metadata: {name: shop, labels: {app: shop}}
spec:
  containers:
    - {name: web, image: "web:1", ports: [{containerPort: 8080, name: http}], readinessProbe: {tcpSocket: {port: http}}}
    - {name: agent, image: "agent:1", ports: [{containerPort: 9000}], readinessProbe: {tcpSocket: {port: 9000}}}
    - {name: logs, image: "logs:1"}
`

// service returns a Service of the pod with these ports, in the flow style of YAML.
func service(name, ports string) string {
	return "{apiVersion: v1, kind: Service, metadata: {name: " + name + "}, spec: {selector: {app: shop}, ports: [" + ports + "]}}"
}

func TestGate(t *testing.T) {
	at := func(i int) string { return fmt.Sprintf("spec.containers[%d].readinessProbe", i) }
	silent := func(i int) facts.Gate { return facts.Gate{Observation: fact.AbsentAt(at(i))} }
	unknown := func(i int, reason string) facts.Gate {
		return facts.Gate{Observation: fact.UnknownAt(at(i), reason)}
	}
	gate := facts.Gate{Observation: fact.PresentAt(at(1)), Services: []string{"a", "b"}, To: "web"}
	const others = "the Services that select the pod are not all known: there may be others beside those in the files"
	const more = "the ports of Service a are not all known"
	var many strings.Builder
	for i := range 64 {
		fmt.Fprintf(&many, "{port: 1, targetPort: %d}, ", i+1)
	}
	many.WriteString("{port: 1, targetPort: 9000}")
	for _, tt := range []struct {
		name       string
		incomplete bool
		services   []string
		want       []facts.Gate
	}{
		{name: "no Service", want: []facts.Gate{silent(0), silent(1), silent(2)}},
		{name: "no Service is known", incomplete: true, want: []facts.Gate{unknown(0, others), unknown(1, others), silent(2)}},
		{
			name: "by name and by number", services: []string{
				service("b", "{port: 80, targetPort: 8080}"), service("a", "{port: 80, targetPort: http}, {port: 1, targetPort: 1}"),
			},
			want: []facts.Gate{silent(0), gate, silent(2)},
		},
		{
			name: "whatever else there may be", incomplete: true,
			services: []string{service("a", "{port: 8080}"), service("b", "{port: 80, targetPort: http}")},
			want:     []facts.Gate{silent(0), gate, silent(2)},
		},
		{
			name: "many", services: manyServices(9),
			want: []facts.Gate{silent(0), {Observation: fact.PresentAt(at(1)), Services: []string{"s0", "s1", "s2", "s3", "s4", "s5"}, MoreServices: 3, To: "web"}, silent(2)},
		},
		{
			name: "both are served", services: []string{service("a", "{port: 80, targetPort: http}, {port: 9000}")},
			want: []facts.Gate{silent(0), silent(1), silent(2)},
		},
		{
			name: "nobody declares the target", services: []string{service("a", "{port: 1}")},
			want: []facts.Gate{silent(0), silent(1), silent(2)},
		},
		{
			name: "more ports than are kept", services: []string{service("a", many.String())},
			want: []facts.Gate{unknown(0, more), unknown(1, more), silent(2)},
		},
		{
			name: "ports that cannot be read", services: []string{service("a", "x"), service("b", "{port: 8080}")},
			want: []facts.Gate{silent(0), unknown(1, more), silent(2)},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []facts.Gate
			for _, c := range facts.Of(new(budget.Budget), view(t, gatedPod), world(t, !tt.incomplete, tt.services...), facts.Knowledge{}).Containers {
				got = append(got, c.Gate)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// manyServices send to the first container.
func manyServices(n int) []string {
	var all []string
	for i := range n {
		all = append(all, service(fmt.Sprint("s", i), "{port: 8080}"))
	}
	return all
}

// TestGateOfManyPorts: the work follows the number of ports, not its product with that of
// the containers and of what they declare.
func TestGateOfManyPorts(t *testing.T) {
	var services []string
	for i := range 400 {
		var ports []string
		for p := range 250 {
			ports = append(ports, fmt.Sprintf("{port: %d}", 1+(i*250+p)%60000))
		}
		services = append(services, service(fmt.Sprint("s", i), strings.Join(ports, ",")))
	}
	w := world(t, true, services...)
	pod := gatedPod
	for i := range 300 {
		pod += fmt.Sprintf("    - {name: c%d, image: x, ports: [{containerPort: %d}], readinessProbe: {tcpSocket: {port: 1}}}\n", i, 60001+i)
	}
	v := view(t, pod)
	if got := testing.AllocsPerRun(1, func() { facts.Of(new(budget.Budget), v, w, facts.Knowledge{}) }); got > 50_000 {
		t.Errorf("100,000 ports and 300 containers take %.0f allocations", got)
	}
}

// A container that forwards to another one needs it, and names its port.
func TestGateOfWhatIsNeeded(t *testing.T) {
	for _, tt := range []struct {
		name, says string
		want       fact.State
	}{
		{"an argument", "args: ['--server=127.0.0.1#9000']", fact.Absent},
		{"a variable", "env: [{name: UPSTREAM, value: 'localhost:9000'}]", fact.Absent},
		{"another port", "args: ['--server=127.0.0.1#9001']", fact.Present},
	} {
		t.Run(tt.name, func(t *testing.T) {
			pod := strings.Replace(gatedPod, `image: "web:1"`, `image: "web:1", `+tt.says, 1)
			f := facts.Of(new(budget.Budget), view(t, pod), world(t, true, service("a", "{port: 8080}")), facts.Knowledge{})
			if got := f.Containers[1].Gate.State; got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
