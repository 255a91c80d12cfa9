package facts_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/fact"
)

const threeContainers = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","labels":{"app":"three"}},"spec":{
	"volumes":[{"name":"v","emptyDir":{"medium":"Memory","sizeLimit":"1Gi"}}],
	"initContainers":[{"name":"first","command":["sh","-c","a;b;c"]}],
	"containers":[
		{"name":"web","command":["sleep","9"],"readinessProbe":{"tcpSocket":{"port":8080}},"volumeMounts":[{"name":"v","mountPath":"/v"}],"resources":{"limits":{"memory":"1Mi"}}},
		{"name":"last","args":["--port=8080"],"env":[{"name":"A","value":"8080"}]}]}}`

// With any budget, what is told is what is told without one, or it is unknown with the reason.
// A container is never missing, for others may speak of it.
func TestWithFewSteps(t *testing.T) {
	v := view(t, threeContainers)
	w := world(t, true, "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {selector: {app: three}, ports: [{port: 80}]}}")
	unlimited := budget.New(t.Context(), budget.Unlimited)
	whole := facts.Of(unlimited, v, w, known(t))
	if whole.Unfinished {
		t.Fatal("an unlimited budget is spent")
	}
	for steps := int64(1); steps < unlimited.Spent(); steps++ {
		got := facts.Of(budget.New(t.Context(), steps), v, w, known(t))
		if !got.Unfinished {
			t.Fatalf("%d steps of %d suffice", steps, unlimited.Spent())
		}
		if len(got.Containers) != 0 && len(got.Containers) != len(whole.Containers) {
			t.Fatalf("%d steps: %d containers", steps, len(got.Containers))
		}
		for i := range got.Containers {
			for _, wrong := range invented("", reflect.ValueOf(got.Containers[i]), reflect.ValueOf(whole.Containers[i])) {
				t.Errorf("%d steps: %s of %s", steps, wrong, got.Containers[i].Name)
			}
		}
	}
	if got := facts.Of(budget.New(t.Context(), unlimited.Spent()), v, w, known(t)); got.Unfinished || cmp.Diff(whole, got) != "" {
		t.Error("as many steps as were spent do not suffice")
	}
}

// invented lists the observations that are known, and are not those that are made with enough steps.
func invented(name string, got, want reflect.Value) []string {
	if got.Kind() != reflect.Struct {
		return nil
	}
	if o, ok := got.Interface().(fact.Observation); ok {
		if o != want.Interface() && (o.State != fact.Unknown || !strings.Contains(o.Reason, "too large")) {
			return []string{name + " is " + string(o.State) + " " + o.Reason}
		}
		return nil
	}
	var all []string
	for i := range got.NumField() {
		all = append(all, invented(name+"."+got.Type().Field(i).Name, got.Field(i), want.Field(i))...)
	}
	return all
}

// A name that no container can have is not repeated in what is said of all others, and nothing is said
// of its container.
func TestNameThatIsTooLong(t *testing.T) {
	object := strings.Replace(threeContainers, `"name":"last"`, `"name":"`+strings.Repeat("é", 1000)+`"`, 1)
	f := factsOf(view(t, object), alone(), known(t))
	last := f.Containers[2]
	if f.Unfinished || len(last.Name) > 253 || last.Command.Argv.State != fact.Unknown || f.Containers[1].Command.Argv.State != fact.Present {
		t.Errorf("unfinished %v, a name of %d bytes, argv %+v", f.Unfinished, len(last.Name), last.Command.Argv)
	}
}
