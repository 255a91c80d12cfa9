package webhook

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/test/bench/shapes"
)

// BenchmarkHandler measures one request through ServeHTTP, without TLS and HTTP, on
// a pod of three containers. noop and decode are what any webhook on
// controller-runtime costs: an answer without a look, and one after decoding the
// Pod. Times depend on the machine; the ratios to noop are what counts.
func BenchmarkHandler(b *testing.B) {
	log.SetLogger(logr.Discard()) // else controller-runtime's handlers keep what each request adds to the logger
	healthy, failing := pod(b, "healthy.pod.json").body(b), pod(b, "failing.pod.json").body(b)
	plain := newWebhook(b, Options{Admission: Always(Admission{Reviewer: realReviewer(b, review.Settings{})})})
	repairing := newWebhook(b, Options{Admission: Always(Admission{Reviewer: realReviewer(b, review.Settings{
		Params: map[string]map[string]any{"memory-limit-missing": {"defaultLimit": "256Mi"}},
	})})})
	for _, bench := range []struct {
		name    string
		handler http.Handler
		path    string
		body    string
		want    string
		varied  bool // each request is another pod, which no answer is kept for
	}{
		{"noop", noop(), ValidatePath, healthy, `"allowed":true`, false},
		{"decode", decoding(), ValidatePath, healthy, `"allowed":true`, false},
		{"healthy", plain.ValidateHandler(), ValidatePath, healthy, `"decision":"allow"`, false},
		{"failing", plain.ValidateHandler(), ValidatePath, failing, `"decision":"deny"`, true},
		{"failing-again", plain.ValidateHandler(), ValidatePath, failing, `"decision":"deny"`, false},
		{"patched", repairing.MutateHandler(), MutatePath, failing, `"decision":"patch"`, true},
	} {
		b.Run(bench.name, func(b *testing.B) {
			if got := post(bench.handler, bench.path, bench.body).Body.String(); !strings.Contains(got, bench.want) {
				b.Fatalf("body = %s, want %s in it", got, bench.want)
			}
			b.ReportAllocs()
			b.SetBytes(int64(len(bench.body)))
			body, i := bench.body, 0
			for b.Loop() {
				if i++; bench.varied {
					body = strings.Replace(bench.body, `"image":"`, `"image":"v`+strconv.Itoa(i)+`.`, 1)
				}
				r := httptest.NewRequest(http.MethodPost, bench.path+"?timeout=5s", strings.NewReader(body))
				r.Header.Set("Content-Type", "application/json")
				bench.handler.ServeHTTP(httptest.NewRecorder(), r)
			}
		})
	}
}

// BenchmarkShapes measures pods as they are found in clusters, as BenchmarkHandler does: each
// shape through the handlers that do less, and through forestall.
func BenchmarkShapes(b *testing.B) {
	log.SetLogger(logr.Discard())
	forestall := newWebhook(b, Options{Admission: Always(Admission{Reviewer: realReviewer(b, review.Settings{})})}).ValidateHandler()
	for _, shape := range shapes.All() {
		if !shape.Full {
			continue
		}
		body, err := shape.Body()
		if err != nil {
			b.Fatal(err)
		}
		for _, bench := range []struct {
			name    string
			handler http.Handler
			want    []byte
		}{
			{"noop", noop(), []byte(`"allowed":true`)},
			{"decode", decoding(), []byte(`"allowed":true`)},
			{"forestall", forestall, shape.Verdict()},
		} {
			b.Run(shape.String()+"/"+bench.name, func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					r := httptest.NewRequest(http.MethodPost, ValidatePath+"?timeout=5s", bytes.NewReader(body.With(i)))
					r.Header.Set("Content-Type", "application/json")
					w := httptest.NewRecorder()
					bench.handler.ServeHTTP(w, r)
					if !bytes.Contains(w.Body.Bytes(), bench.want) {
						b.Fatalf("body = %s, want %s in it", w.Body, bench.want)
					}
				}
			})
		}
	}
}

func noop() http.Handler {
	return &admission.Webhook{Handler: admission.HandlerFunc(func(context.Context, admission.Request) admission.Response {
		return admission.Allowed("")
	})}
}

func decoding() http.Handler {
	decoder := admission.NewDecoder(kruntime.NewScheme())
	return &admission.Webhook{Handler: admission.HandlerFunc(func(_ context.Context, r admission.Request) admission.Response {
		var object kruntime.Object = &corev1.Pod{}
		if r.Kind.Kind == "Deployment" {
			object = &appsv1.Deployment{}
		}
		if err := decoder.Decode(r, object); err != nil {
			return admission.Errored(http.StatusBadRequest, err)
		}
		return admission.Allowed("")
	})}
}
