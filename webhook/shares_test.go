package webhook

import (
	"encoding/json"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// TestPeekNamespace reads what the types of Kubernetes write, in their order, and gives up on what hides the namespace.
func TestPeekNamespace(t *testing.T) {
	raw, err := json.Marshal(admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"},
		Request: &admissionv1.AdmissionRequest{
			UID: "u", Kind: metav1.GroupVersionKind{Kind: "Pod"}, SubResource: "resize", RequestKind: &metav1.GroupVersionKind{Kind: "Pod"},
			Name: "web", Namespace: "shop", Operation: "CREATE",
			Object: runtime.RawExtension{Raw: []byte(`{"metadata":{"namespace":"evil"},"x":"` + strings.Repeat("x", 1<<20) + `"}`)},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, in, want string }{
		{"as the API server writes it", string(raw), "shop"},
		{"with escapes", `{"request":{"names\u0070ace":"sho\u0070"}}`, "shop"},
		{"of an object without one", `{"request":{"uid":"u","object":{"namespace":"evil"}}}`, ""},
		{"behind the object", `{"request":{"object":"` + strings.Repeat("x", maxPeek) + `","namespace":"shop"}}`, ""},
		{"too long", `{"request":{"namespace":"` + strings.Repeat("x", maxNamespace+1) + `"}}`, ""},
		{"no text", `{"request":{"namespace":{"a":1}}}`, ""},
		{"no request", `{"request":null}`, ""},
		{"no object", `[]`, ""},
		{"cut off", `{"request":{"namespace":"sho`, ""},
		{"nothing", ``, ""},
	} {
		if got := peekNamespace([]byte(tt.in)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// FuzzPeekNamespace: whatever is sent, it is read, and a namespace is a short text.
func FuzzPeekNamespace(f *testing.F) {
	f.Add([]byte(create))
	f.Add([]byte(`{"request":{"kind":{"a":[1,{}]},"namespace":"a\u0000b"}}`))
	f.Add([]byte(`{"request":{"namespace":"a","namespace":"b"}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if got := peekNamespace(raw); len(got) > maxNamespace {
			t.Errorf("%q", got)
		}
	})
}
