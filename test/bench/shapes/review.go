package shapes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// Review is what the API server sends about the i-th object.
func (s Shape) Review(i int) ([]byte, error) {
	raw, err := s.Raw(i)
	if err != nil {
		return nil, err
	}
	kind := metav1.GroupVersionKind{Version: "v1", Kind: s.Kind}
	if s.Kind == "Deployment" {
		kind.Group = "apps"
	}
	request := &admissionv1.AdmissionRequest{
		UID: types.UID(fmt.Sprintf("uid-%d", i)), Kind: kind, Name: Name(i), Namespace: Namespace,
		Operation: admissionv1.Create, Object: runtime.RawExtension{Raw: raw},
	}
	if s.Full {
		sendBy(request, "system:serviceaccount:delivery:deployer")
	}
	return json.Marshal(admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"}, Request: request,
	})
}

// sendBy fills in the rest of a request: who sent it, to which resource, with which options.
func sendBy(r *admissionv1.AdmissionRequest, user string) {
	r.Resource = metav1.GroupVersionResource{Group: r.Kind.Group, Version: r.Kind.Version, Resource: strings.ToLower(r.Kind.Kind) + "s"}
	r.RequestKind, r.RequestResource = &r.Kind, &r.Resource
	r.UserInfo = authenticationv1.UserInfo{
		Username: user, UID: "6d1f3c5e-8f0a-4c0e-9d43-0b5b5f7f2a11",
		Groups: []string{"system:serviceaccounts", "system:serviceaccounts:delivery", "system:authenticated"},
		Extra: map[string]authenticationv1.ExtraValue{
			"authentication.kubernetes.io/credential-id": {"JTI=7a4a2f3e-64a6-4d1e-9b39-2d8ac0c5a1f7"},
			"authentication.kubernetes.io/node-name":     {"worker-3"},
		},
	}
	r.Options = runtime.RawExtension{Raw: []byte(`{"kind":"CreateOptions","apiVersion":"meta.k8s.io/v1","fieldManager":"deployer"}`)}
	dryRun := false
	r.DryRun = &dryRun
}

// Numbered is a body with places for the number that tells it from others.
type Numbered struct {
	text   []byte
	places []int
}

// The places of the number are marked by a number that stands nowhere else.
const (
	digits = 7
	marker = 9_753_197
)

// Body returns the review to send.
func (s Shape) Body() (Numbered, error) {
	text, err := s.Review(marker)
	if err != nil {
		return Numbered{}, fmt.Errorf("making the requests: %w", err)
	}
	n := Numbered{text: text}
	for mark, at := []byte(strconv.Itoa(marker)), 0; ; at += digits {
		i := bytes.Index(text[at:], mark)
		if i < 0 {
			return n, nil
		}
		at += i
		n.places = append(n.places, at)
	}
}

// With returns the body with a number of at most seven digits.
func (n Numbered) With(number int) []byte {
	text := bytes.Clone(n.text)
	mark := fmt.Appendf(nil, "%0*d", digits, number)
	for _, at := range n.places {
		copy(text[at:], mark)
	}
	return text
}
