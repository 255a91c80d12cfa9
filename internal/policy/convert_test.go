package policy

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/command"
	"github.com/forestall/forestall/internal/facts/fact"
)

// TestConverters because rules must see what `forestall facts` prints.
func TestConverters(t *testing.T) {
	type inner struct {
		A string `json:"a,omitempty"`
		B *int   `json:"b"`
	}
	type tags struct {
		inner
		Inner   inner `json:"inner,omitzero"`
		Plain   string
		Hidden  string            `json:"-"`
		secret  string            //nolint:unused // not part of the document
		List    []string          `json:"list"`
		Empty   []string          `json:"empty,omitempty"`
		Map     map[string]int    `json:"map"`
		Labels  map[string]string `json:"labels,omitempty"`
		Bytes   []byte            `json:"bytes"`
		Float   float64           `json:"float"`
		Any     any               `json:"any"`
		Number  int64             `json:"number"`
		Unicode string            `json:"unicode"`
	}
	three := 3
	for _, value := range []any{
		tags{},
		tags{
			inner: inner{A: "a", B: &three}, Inner: inner{B: &three}, Plain: "<&>", List: []string{"", "\u2028"}, Map: map[string]int{"x": -1},
			Labels: map[string]string{"bad\xff": "bad\xfe\xff"}, Bytes: []byte("bytes"), Float: 1e21,
			Any: map[string]any{"list": []any{1, "two", nil, true}}, Number: 1<<63 - 1, Unicode: "\xc3\x28\u00e9",
		},
	} {
		check(t, formOf(reflect.TypeOf(value)).convert, reflect.ValueOf(value), value)
	}
}

func TestDocument(t *testing.T) {
	code := 3
	in := &Input{
		Version: InputVersion,
		Request: Request{Operation: "CREATE", Kind: Kind{Version: "v1", Kind: "Pod"}, DryRun: true},
		Object:  json.RawMessage(`{"apiVersion":"v1","large":12345678901234567890}`),
		Pod: Pod{
			Metadata: metav1.ObjectMeta{Name: "web", CreationTimestamp: metav1.NewTime(time.Unix(0, 0)), Labels: map[string]string{"app": "web"}},
			Spec: corev1.PodSpec{Containers: []corev1.Container{{
				Name: "web", LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{
					HTTPGet: &corev1.HTTPGetAction{Port: intstr.FromString("http")},
				}},
				Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"memory": resource.MustParse("1Gi")}},
			}}},
		},
		Workload: facts.Workload{Kind: "Pod", Bare: true},
		Containers: []facts.Container{{Name: "web", Command: command.Facts{
			Ends: command.Ends{Observation: fact.PresentAt("spec"), ExitCode: &code},
		}}},
		Cluster: cluster.Context{Services: []string{"a"}, DefaultMemoryLimit: &cluster.LimitRangeDefault{Text: "1Gi"}},
		Params:  map[string]map[string]any{"rule": {"limit": map[string]any{"bytes": 1 << 40, "text": "1Ti"}}},
	}
	f := formOf(reflect.TypeFor[Input]())
	everything := &reads{all: true}
	check(t, func(b *budget.Budget, _ reflect.Value) (ast.Value, error) { return f.value(b, in, everything) }, reflect.Value{}, in)
	check(t, func(b *budget.Budget, _ reflect.Value) (ast.Value, error) {
		return f.value(b, &Input{Object: []byte("null")}, everything)
	}, reflect.Value{}, &Input{})

	for _, tt := range []struct {
		read []place
		want string
	}{
		{nil, `{}`},
		{[]place{{"version"}, {"workload", "bare"}}, `{"version": "v1", "workload": {"bare": true}}`},
		{[]place{{"containers", "*", "name"}}, `{"containers": [{"name": "web"}]}`},
		{[]place{{"containers", "*", "command", "ends", "exitCode"}}, `{"containers": [{"command": {"ends": {"exitCode": 3}}}]}`},
		{[]place{{"containers", "length"}}, ``}, // not one of its elements: as a whole
		{[]place{{"pod", "*", "containers"}}, ``},
		{[]place{{"params", "*", "limit"}, {"params", "rule"}}, ``},
		{[]place{{"pod", "metadata", "labels", "*"}}, `{"pod": {"metadata": {"labels": {"app": "web"}}}}`},
		{[]place{{"pod", "metadata", "labels", "tier"}}, `{"pod": {"metadata": {"labels": {}}}}`},
		{[]place{{"pod", "metadata", "annotations", "a"}}, `{"pod": {"metadata": {}}}`},
		{[]place{{"pod", "spec", "containers", "*", "resources", "limits", "memory"}}, `{"pod": {"spec": {"containers": [{"resources": {"limits": {"memory": "1Gi"}}}]}}}`},
		{[]place{{"cluster", "defaultMemoryLimit", "text"}, {"cluster", "services"}}, `{"cluster": {"defaultMemoryLimit": {"text": "1Gi"}, "services": ["a"]}}`},
		{[]place{{"params", "rule", "limit", "text"}}, `{"params": {"rule": {"limit": {"bytes": 1099511627776, "text": "1Ti"}}}}`},
		{[]place{{"params", "other", "limit"}}, `{"params": {}}`},
	} {
		read := &reads{}
		for _, p := range tt.read {
			read.at(p).whole()
		}
		got, err := f.value(new(budget.Budget), in, read)
		if err != nil {
			t.Fatal(err)
		}
		if tt.want == "" {
			name := tt.read[0][0]
			all, err := f.value(new(budget.Budget), in, everything)
			if err != nil {
				t.Fatal(err)
			}
			key := ast.StringTerm(name)
			if got.(ast.Object).Get(key).Value.Compare(all.(ast.Object).Get(key).Value) != 0 {
				t.Errorf("%q: got %v, want all of it", tt.read, got)
			}
			continue
		}
		if want := ast.MustParseTerm(tt.want).Value; got.Compare(want) != 0 {
			t.Errorf("%q:\ngot  %v\nwant %v", tt.read, got, want)
		}
	}
}

// check compares a conversion with that through JSON.
func check(t *testing.T, convert converter, v reflect.Value, value any) {
	t.Helper()
	got, err := convert(new(budget.Budget), v)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	want, err := ast.ValueFromReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if got.Compare(want) != 0 {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}
