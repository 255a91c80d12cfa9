package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/fact"
)

func TestGate(t *testing.T) {
	v := view(t, `
apiVersion: v1
kind: Pod
metadata: {name: shop}
spec:
  containers:
    - {name: web, image: "web:1", ports: [{containerPort: 8080, name: http}], readinessProbe: {tcpSocket: {port: http}}}
    - {name: agent, image: "agent:1", ports: [{containerPort: 9000}], readinessProbe: {tcpSocket: {port: 9000}}}
    - {name: logs, image: "logs:1"}
`)
	silent := func(i string) facts.Gate {
		return facts.Gate{Observation: fact.AbsentAt("spec.containers[" + i + "].readinessProbe")}
	}
	gate := facts.Gate{Observation: fact.PresentAt("spec.containers[1].readinessProbe"), Services: []string{"a", "b"}, To: "web"}
	for _, tt := range []struct {
		name  string
		ports []cluster.ServicePort
		want  []facts.Gate
	}{
		{"no Service", nil, []facts.Gate{silent("0"), silent("1"), silent("2")}},
		{
			"by name and by number",
			[]cluster.ServicePort{{Service: "a", TargetPort: "http"}, {Service: "a", TargetPort: "1"}, {Service: "b", TargetPort: "8080"}},
			[]facts.Gate{silent("0"), gate, silent("2")},
		},
		{
			"both are served",
			[]cluster.ServicePort{{Service: "a", TargetPort: "http"}, {Service: "a", TargetPort: "9000"}},
			[]facts.Gate{silent("0"), silent("1"), silent("2")},
		},
		{"nobody declares the target", []cluster.ServicePort{{Service: "a", TargetPort: "1"}}, []facts.Gate{silent("0"), silent("1"), silent("2")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []facts.Gate
			for _, c := range facts.Of(new(budget.Budget), v, cluster.Context{ServicePorts: tt.ports}, facts.Knowledge{}).Containers {
				got = append(got, c.Gate)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
