package apijson

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	exact "sigs.k8s.io/json"

	"github.com/forestall/forestall/internal/quantity"
)

func TestCheck(t *testing.T) {
	const text = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","labls":{},"labels":{"a.b/c":1},"creationTimestamp":null},
		"spec":{"replicas":"2","replica":1,"template":{"spec":{"containers":[
			{"name":"a","Image":"a","comand":["x"],"resources":{"limit":{"memory":{}},"limits":{"memory":"1Gx","cpu":1}},"livenessProbe":{"httpGet":{"port":true}}},
			null,
			{"env":"a","ports":[{"containerPort":80.5}]}]}}}}`
	var got []string
	for _, p := range Check([]byte(text), reflect.TypeFor[appsv1.Deployment]()) {
		if p.Unknown {
			got = append(got, fmt.Sprintf("%s: unknown in %s %s, %d around", p.Path, p.In[0].Path, p.In[0].Type.Name(), len(p.In)))
			continue
		}
		got = append(got, fmt.Sprintf("%s (%s): want %s, found %s %s", p.Path, p.Named, Type(p.Want), Kind(p.Found), p.Found))
	}
	want := []string{
		"metadata.labls: unknown in metadata ObjectMeta, 2 around",
		"metadata.labels[a.b/c] (metadata.labels): want a string, found a number 1",
		`spec.replicas (spec.replicas): want an integer, found a string "2"`,
		"spec.replica: unknown in spec DeploymentSpec, 2 around",
		"spec.template.spec.containers[0].Image: unknown in spec.template.spec.containers[0] Container, 5 around",
		"spec.template.spec.containers[0].comand: unknown in spec.template.spec.containers[0] Container, 5 around",
		"spec.template.spec.containers[0].resources.limit: unknown in spec.template.spec.containers[0].resources ResourceRequirements, 6 around",
		`spec.template.spec.containers[0].resources.limits.memory (spec.template.spec.containers[0].resources.limits): want a quantity, found a string "1Gx"`,
		"spec.template.spec.containers[0].livenessProbe.httpGet.port (spec.template.spec.containers[0].livenessProbe.httpGet.port): want an integer or a string, found true or false true",
		`spec.template.spec.containers[2].env (spec.template.spec.containers[2].env): want a list, found a string "a"`,
		"spec.template.spec.containers[2].ports[0].containerPort (spec.template.spec.containers[2].ports[0].containerPort): want an integer, found a number 80.5",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// TestCheckIsBounded: neither many problems nor long names are told in full.
func TestCheckIsBounded(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	var fields []string
	for i := range 1000 {
		fields = append(fields, fmt.Sprintf(`"%s%d":"%s"`, long[:1000], i, long[:1000]))
	}
	found := Check([]byte(`{"spec":{`+strings.Join(fields, ",")+`}}`), reflect.TypeFor[corev1.Pod]())
	if len(found) != maxProblems || len(found[0].Path) > 2*maxName || len(found[0].Name) > maxName {
		t.Errorf("%d problems, the first with %d bytes", len(found), len(found[0].Path))
	}
}

// FuzzCheck holds what is found against the API server's decoder.
func FuzzCheck(f *testing.F) {
	for _, text := range odd() {
		f.Add([]byte(text))
	}
	for _, text := range []string{
		`{"metadata":{"labls":1},"spec":{"x":[{"y":1}],"containers":[{"comand":1,"resources":{"limit":{}}}]},"X":1,"":2}`,
		`{"spec":{"containers":[{"ports":[{"containerPort":"80","containerport":1}]},null,[],{"a.b":1,"a[0]":2}]}}`,
		`{"spec":{"volumes":[{"emptydir":{},"name":"a","secret":[]}],"tolerations":{}}}`,
		`{"status":{"conditions":[{"lastTransitionTime":"x","foo":1}],"startTime":""}}`,
		`{"spec":{"template":{"spec":{"env":[]}},"jobTemplate":{"spec":{"templat":{}}}}}`,
		`{"Request":1,"request":{"object":{"a":{"b":1}},"userInfo":{"extra":{"a":"b"}},"resource":""}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, into := range types() {
			checkSame(t, raw, reflect.TypeOf(into).Elem())
		}
	})
}

func checkSame(t *testing.T, raw []byte, of reflect.Type) {
	t.Helper()
	var any any
	if quantity.Huge(raw) || exact.UnmarshalCaseSensitivePreserveInts(raw, &any) != nil {
		return
	}
	if _, isObject := any.(map[string]interface{}); !isObject {
		return
	}
	var unknown []string
	wrong := false
	found := Check(raw, of)
	for _, p := range found {
		if p.Unknown {
			unknown = append(unknown, p.Path)
		}
		if len(p.Name) > maxName-utf8.UTFMax {
			return // it was cut off
		}
		wrong = wrong || !p.Unknown
	}
	strict, err := exact.UnmarshalStrict(raw, reflect.New(of).Interface(), exact.DisallowUnknownFields)
	if len(found) == maxProblems || len(strict) >= maxProblems {
		return
	}
	if (err != nil) != wrong {
		t.Errorf("%v of %q: %v, found %+v", of, raw, err, found)
	}
	if err != nil {
		return // it stops at the first
	}
	var want []string
	for _, e := range strict {
		var field exact.FieldError
		if errors.As(e, &field) {
			want = append(want, field.FieldPath())
		}
	}
	if a, b := plainPaths(unknown), plainPaths(want); !slices.Equal(a, b) {
		t.Errorf("%v of %q: unknown %q, want %q", of, raw, a, b)
	}
}

// plainPaths leaves out what the two write in different ways.
func plainPaths(paths []string) []string {
	var all []string
	for _, p := range paths {
		all = append(all, strings.NewReplacer("[", "", "]", "", ".", "").Replace(p))
	}
	slices.Sort(all)
	return slices.Compact(all)
}
