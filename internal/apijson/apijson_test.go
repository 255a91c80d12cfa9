package apijson

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	fast "github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	exact "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// types are what objects are decoded into.
func types() []any {
	return []any{
		&corev1.Pod{}, &corev1.PodTemplate{}, &corev1.ReplicationController{}, &appsv1.ReplicaSet{}, &appsv1.Deployment{},
		&appsv1.StatefulSet{}, &appsv1.DaemonSet{}, &batchv1.Job{}, &batchv1.CronJob{}, &admissionv1.AdmissionReview{},
	}
}

// odd is what decoders differ about.
func odd() []string {
	return []string{
		``, ` `, `null`, `{}`, `[]`, `{`, `{}x`, "\ufeff{}", `{"spec":null}`, `{"spec":[]}`, `{"spec":{"containers":{}}}`,
		`{"spec":{"containers":[null,{"name":"a"}],"nodeSelector":{"a":null}}}`,
		`{"Spec":{"Containers":[{}]},"spec":{"hostNetwork":true}}`,
		`{"spec":{"containers":[{"name":"a","image":"b"}],"containers":[{"image":"c"}]}}`,
		`{"spec":{"hostNetwork":true},"spec":{"hostPID":true}}`,
		`{"metadata":{"labels":{"a":"b","a":"c"}}}`,
		`{"metadata":{"name":"\ud800"}}`, "{\"metadata\":{\"name\":\"\xff\"}}", `{"metadata":{"name":1}}`,
		`{"metadata":{"creationTimestamp":null,"deletionTimestamp":"2026-01-02T03:04:05Z","deletionGracePeriodSeconds":1.0}}`,
		`{"metadata":{"generation":1e2}}`, `{"metadata":{"generation":9223372036854775808}}`,
		`{"metadata":{"managedFields":[{"fieldsV1":{"f:a":{}}}]}}`,
		`{"spec":{"replicas":"1"}}`, `{"spec":{"replicas":2147483648}}`, `{"spec":{"replicas":-0}}`,
		`{"spec":{"strategy":{"rollingUpdate":{"maxSurge":"25%","maxUnavailable":1}}}}`,
		`{"spec":{"containers":[{"resources":{"limits":{"memory":1,"cpu":"1e3","x":null}}}]}}`,
		`{"spec":{"containers":[{"resources":{"limits":{"memory":"1Q1"}}}]}}`,
		`{"spec":{"containers":[{"livenessProbe":{"httpGet":{"port":"http"},"tcpSocket":null}}]}}`,
		`{"request":{"uid":"a","object":{"a":1.50,"b":[ ]},"options":null,"userInfo":{"extra":{"a":["b"]}},"dryRun":true}}`,
		`{"request":{"uid":"a","object":null,"kind":3}}`,
	}
}

// TestSame holds values and errors against those of the API server's decoder.
func TestSame(t *testing.T) {
	for _, text := range odd() {
		same(t, []byte(text))
	}
}

// TestManifestsAreFast: real manifests never need the slow decoder.
func TestManifestsAreFast(t *testing.T) {
	paths, err := filepath.Glob("../../examples/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := yaml.YAMLToJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		same(t, raw)
		var head struct{ Kind string }
		if err := yaml.Unmarshal(raw, &head); err != nil {
			t.Fatal(err)
		}
		for _, into := range types() {
			if reflect.TypeOf(into).Elem().Name() != head.Kind {
				continue
			}
			if err := fast.Unmarshal(raw, into); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}

func FuzzSame(f *testing.F) {
	for _, text := range odd() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) { same(t, raw) })
}

// same decodes into all types and holds values and errors against the API server's decoder.
func same(t *testing.T, raw []byte) {
	t.Helper()
	for _, got := range types() {
		want := reflect.New(reflect.TypeOf(got).Elem()).Interface()
		wantErr := exact.UnmarshalCaseSensitivePreserveInts(raw, want)
		err := Unmarshal(raw, got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%T of %q (-want +got):\n%s", got, raw, diff)
		}
		if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
			t.Errorf("%T of %q: %v, want %v", got, raw, err, wantErr)
		}
	}
}

// BenchmarkUnmarshal holds the two decoders beside each other on one Deployment.
func BenchmarkUnmarshal(b *testing.B) {
	text, err := os.ReadFile("../../examples/three-problems.yaml")
	if err != nil {
		b.Fatal(err)
	}
	raw, err := yaml.YAMLToJSON(text)
	if err != nil {
		b.Fatal(err)
	}
	for name, decode := range map[string]func([]byte, any) error{
		"apijson": Unmarshal, "sigs": exact.UnmarshalCaseSensitivePreserveInts,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := decode(raw, &appsv1.Deployment{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
