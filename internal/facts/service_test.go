package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/fact"
)

// deploymentOf makes pods with labels and one container with ports, in YAML.
func deploymentOf(name, labels, ports string) string {
	return "{apiVersion: apps/v1, kind: Deployment, metadata: {name: " + name + "}, spec: {selector: {}, template: {metadata: {labels: " + labels +
		"}, spec: {containers: [{name: c, image: x, ports: " + ports + "}]}}}}"
}

func observedService(t *testing.T, complete bool, service string, others ...string) *facts.Service {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(service))
	if err != nil {
		t.Fatal(err)
	}
	o, known, err := facts.ReadOther(schema.GroupVersionKind{Version: "v1", Kind: "Service"}, raw)
	if err != nil || !known {
		t.Fatal(known, err)
	}
	return o.Observe(new(budget.Budget), world(t, complete, others...)).Service
}

func TestServiceSelects(t *testing.T) {
	const path = "spec.selector"
	web := deploymentOf("web", "{app: web}", "[]")
	labels := map[string]string{"app": "web"}
	const mayBe = "there may be others beside those in the files"
	for _, tt := range []struct {
		name, selector string
		complete       bool
		others         []string
		want           facts.Selects
	}{
		{"a Deployment", "{app: web}", false, []string{web}, facts.Selects{
			Observation: fact.PresentAt(path), Labels: labels, Templates: []facts.Template{{Kind: "Deployment", Name: "web", Labels: labels}},
		}},
		{"nothing, and others may be there", "{app: web}", false, nil, facts.Selects{Observation: fact.UnknownAt(path, mayBe), Labels: labels}},
		{"nothing", "{app: web}", true, nil, facts.Selects{Observation: fact.AbsentAt(path), Labels: labels}},
		{"a label too many", "{app: web, tier: x}", true, []string{deploymentOf("a", "{tier: other}", "[]"), web}, facts.Selects{
			Observation: fact.AbsentAt(path), Labels: map[string]string{"app": "web", "tier": "x"},
			Nearest: &facts.Template{Kind: "Deployment", Name: "web", Labels: labels},
		}},
		{"the name alone", "{app: wbe}", true, []string{web}, facts.Selects{
			Observation: fact.AbsentAt(path), Labels: map[string]string{"app": "wbe"},
			Nearest: &facts.Template{Kind: "Deployment", Name: "web", Labels: labels},
		}},
		{"without a selector", "{}", true, nil, facts.Selects{
			Observation: fact.UnknownAt(path, "no pods are asked for: somebody else writes the endpoints, or it is an ExternalName"), Labels: map[string]string{},
		}},
		{"what an operator may make", "{app: web}", true, []string{"{apiVersion: example.com/v1, kind: Robot, metadata: {name: r}}"}, facts.Selects{
			Observation: fact.UnknownAt(path, `Robot "r" of example.com may make pods`), Labels: labels,
		}},
		{"what only configures", "{app: web}", true, []string{"{apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor, metadata: {name: r}}"}, facts.Selects{
			Observation: fact.AbsentAt(path), Labels: labels,
		}},
		{"an operator whose namespace is written", "{app: web}", true, []string{"{apiVersion: example.com/v1, kind: Robot, metadata: {name: r, namespace: other}}"}, facts.Selects{
			Observation: fact.UnknownAt(path, `this object has no namespace, and Robot "r" has`), Labels: labels,
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !tt.complete && len(tt.others) > 0 {
				tt.complete = true // pods are remembered only where that helps
			}
			service := "{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: " + tt.selector + "}}"
			if diff := cmp.Diff(tt.want, observedService(t, tt.complete, service, tt.others...).Selects); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestServiceTargets(t *testing.T) {
	const path = "spec.ports[0].targetPort"
	sidecar := "{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {app: web}}, spec: {initContainers: [" +
		"{name: proxy, image: x, restartPolicy: Always, ports: [{name: http, containerPort: 1}]}], containers: [{name: c, image: x}]}}"
	initOnly := "{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {app: web}}, spec: {initContainers: [" +
		"{name: proxy, image: x, ports: [{name: http, containerPort: 1}]}], containers: [{name: c, image: x}]}}"
	wep := []facts.NamedPort{{Name: "wep", Number: 8080, Protocol: "TCP"}}
	for _, tt := range []struct {
		name, port string
		others     []string
		want       fact.Observation
		declared   []facts.NamedPort
	}{
		{"declared", "{port: 80, targetPort: http}", []string{deploymentOf("web", "{app: web}", "[{name: http, containerPort: 80}]")}, fact.PresentAt(path), nil},
		{"another name", "{port: 80, targetPort: http}", []string{deploymentOf("web", "{app: web}", "[{name: wep, containerPort: 8080}, {containerPort: 9}]")}, fact.AbsentAt(path), wep},
		{"another protocol", "{port: 80, targetPort: wep, protocol: UDP}", []string{deploymentOf("web", "{app: web}", "[{name: wep, containerPort: 8080}]")}, fact.AbsentAt(path), wep},
		{"one of two", "{port: 80, targetPort: http}", []string{deploymentOf("a", "{app: web}", "[]"), deploymentOf("b", "{app: web}", "[{name: http, containerPort: 80}]")}, fact.PresentAt(path), nil},
		{"a number", "{port: 80, targetPort: 81}", []string{deploymentOf("web", "{app: web}", "[]")}, fact.UnknownAt(path, "a number needs no declaration"), nil},
		{"of a sidecar", "{port: 80, targetPort: http}", []string{sidecar}, fact.PresentAt(path), nil},
		{"of an init container, which is gone by then", "{port: 80, targetPort: http}", []string{initOnly}, fact.AbsentAt(path), nil},
		{"of no pod", "{port: 80, targetPort: http}", nil, fact.UnknownAt(path, "no pods are known that the Service selects"), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			service := "{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}, ports: [" + tt.port + "]}}"
			got := observedService(t, true, service, tt.others...)
			if diff := cmp.Diff(tt.want, got.Ports[0].Target); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.declared, got.Ports[0].Declared); diff != "" {
				t.Errorf("declared (-want +got):\n%s", diff)
			}
		})
	}
}

// TestExternalName: such a Service has no endpoints of pods, whatever its selector asks for.
func TestExternalName(t *testing.T) {
	got := observedService(t, true, "{apiVersion: v1, kind: Service, metadata: {name: db}, spec: {type: ExternalName, externalName: db.example.com, selector: {app: db}}}")
	if want := fact.UnknownAt("spec.selector", "no pods are asked for: somebody else writes the endpoints, or it is an ExternalName"); got.Selects.Observation != want {
		t.Errorf("got %+v, want %+v", got.Selects.Observation, want)
	}
}

// TestServiceWithinBudget: ports that were not looked at are not known to be absent.
func TestServiceWithinBudget(t *testing.T) {
	raw, err := yaml.YAMLToJSON([]byte("{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}]}}"))
	if err != nil {
		t.Fatal(err)
	}
	o, _, err := facts.ReadOther(schema.GroupVersionKind{Version: "v1", Kind: "Service"}, raw)
	if err != nil {
		t.Fatal(err)
	}
	f := o.Observe(budget.New(t.Context(), 3), world(t, true, deploymentOf("web", "{app: web}", "[{name: wep, containerPort: 8080}]")))
	want := fact.UnknownAt("spec.ports[0].targetPort", "the object is too large to be judged whole")
	if diff := cmp.Diff(want, f.Service.Ports[0].Target); diff != "" || !f.Unfinished {
		t.Errorf("unfinished: %t (-want +got):\n%s", f.Unfinished, diff)
	}
}

func TestServiceThatCannotBeRead(t *testing.T) {
	kind := schema.GroupVersionKind{Version: "v1", Kind: "Service"}
	if _, known, err := facts.ReadOther(kind, []byte(`{"metadata":{"name":"web"},"spec":{"selector":"text"}}`)); !known || err == nil {
		t.Errorf("known: %t, %v", known, err)
	}
	if _, known, err := facts.ReadOther(schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, []byte(`{}`)); known || err != nil {
		t.Errorf("a ConfigMap: %t, %v", known, err)
	}
}
