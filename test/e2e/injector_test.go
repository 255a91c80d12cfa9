package e2e_test

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// injectedContainersAreRepaired: another webhook adds a container, before forestall or
// after it. The API server asks in the order of the configurations' names, and asks
// forestall again about what changed since.
func injectedContainersAreRepaired(a *api) {
	const added = "forestall: %s: added resources.limits.memory: 128Mi [memory-limit-missing]"
	for _, tt := range []struct {
		injector string
		warnings []string
	}{
		{"before-forestall", []string{fmt.Sprintf(added, "web"), fmt.Sprintf(added, "proxy")}},
		// The first call knows of one container, the second finds that one repaired.
		{"zz-after-forestall", []string{fmt.Sprintf(added, "web"), fmt.Sprintf(added, "proxy")}},
	} {
		namespace := a.namespace(tt.injector, map[string]string{"injector": tt.injector})
		calls := a.inject(tt.injector)
		pod := a.object(withoutLimit()["Pod"], namespace)
		a.eventually(func() error {
			got := a.create(pod.DeepCopy(), client.DryRunAll)
			if got.err == nil && calls.Load() > 0 {
				return nil
			}
			return fmt.Errorf("%s: %d calls, the API server says %q", tt.injector, calls.Load(), got.message())
		})
		got := a.create(pod, client.DryRunAll)
		want(a.t, got, "")
		wantWarnings(a, got, tt.warnings...)
		var stored corev1.Pod
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(pod.Object, &stored); err != nil {
			a.t.Fatal(err)
		}
		limits := map[string]string{}
		for _, c := range stored.Spec.Containers {
			limits[c.Name] = c.Resources.Limits.Memory().String()
		}
		if len(limits) != 2 || limits["web"] != "128Mi" || limits["proxy"] != "128Mi" {
			a.t.Errorf("%s: the limits are %v", tt.injector, limits)
		}
	}
}

// inject registers a webhook that adds a container to pods, in the namespaces with
// its label, and returns how often it was called.
func (a *api) inject(name string) *atomic.Int64 {
	a.t.Helper()
	calls := &atomic.Int64{}
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		var review admissionv1.AdmissionReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		patchType := admissionv1.PatchTypeJSONPatch
		review.Response = &admissionv1.AdmissionResponse{
			UID: review.Request.UID, Allowed: true, PatchType: &patchType,
			Patch: []byte(`[{"op":"add","path":"/spec/containers/-","value":{"name":"proxy","image":"proxy:1"}}]`),
		}
		review.Request = nil
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(review) // the API server reports an answer that broke off
	}))
	a.t.Cleanup(server.Close)
	configuration := &admissionregistrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Webhooks: []admissionregistrationv1.MutatingWebhook{{
			Name: name + ".example.com",
			ClientConfig: admissionregistrationv1.WebhookClientConfig{
				URL:      &server.URL,
				CABundle: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}),
			},
			Rules: []admissionregistrationv1.RuleWithOperations{{
				Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create},
				Rule:       admissionregistrationv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"}},
			}},
			NamespaceSelector:       &metav1.LabelSelector{MatchLabels: map[string]string{"injector": name}},
			FailurePolicy:           new(admissionregistrationv1.Fail),
			SideEffects:             new(admissionregistrationv1.SideEffectClassNone),
			AdmissionReviewVersions: []string{"v1"},
		}},
	}
	if err := a.cluster.Client.Create(a.t.Context(), configuration); err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() {
		// The context of the test is over by now.
		if err := a.cluster.Client.Delete(context.WithoutCancel(a.t.Context()), configuration); err != nil {
			a.t.Error(err)
		}
	})
	return calls
}
