package hostile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/patch"
	"github.com/forestall/forestall/internal/report"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/webhook"
)

// newWebhook answers with the built-in rules and repairs, refuses what cannot be read, and has
// the time that an installation has.
func newWebhook(t *testing.T) *webhook.Webhook {
	t.Helper()
	withLimit := review.Settings{Params: map[string]map[string]any{"memory-limit-missing": {"defaultLimit": "64Mi"}}}
	r, err := builtin.Reviewer(t.Context(), withLimit, cluster.OfFiles(true))
	if err != nil {
		t.Fatal(err)
	}
	w, err := webhook.New(webhook.Options{
		Admission: webhook.Always(webhook.Admission{Reviewer: r, FailureMode: config.Fail}),
		Timeout:   slowest * webhook.DefaultTimeout, // post gives less
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// reviewOf an object, as the API server asks for it.
func reviewOf(kind string, object []byte) []byte {
	group, version, ok := strings.Cut(map[string]string{
		"Pod": "/v1", "Deployment": "apps/v1", "StatefulSet": "apps/v1", "CronJob": "batch/v1",
	}[kind], "/")
	if !ok {
		group, version = "apps", "v1"
	}
	return fmt.Appendf(nil, `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"a-uid",`+
		`"kind":{"group":%q,"version":%q,"kind":%q},"namespace":"shop","operation":"CREATE","object":%s}}`, group, version, kind, object)
}

const (
	// apiServer is how long an API server waits for the webhook.
	apiServer = 5 * time.Second
	// slowest is how many times slower than alone this machine may be.
	slowest = 60
)

// post sends a body as an API server does, once, with the time that it gives. Where the machine is
// busy with other things, this is the time that would be as long on a machine that is not.
func post(t *testing.T, w *webhook.Webhook, path string, body []byte) *httptest.ResponseRecorder {
	t.Helper()
	h, timeout := w.ValidateHandler(), apiServer
	if path == webhook.MutatePath {
		h = w.MutateHandler()
	}
	if len(body) > 64<<10 {
		timeout = time.Duration(float64(apiServer) * min(slowest, slowness(t)))
	}
	r := httptest.NewRequest(http.MethodPost, path+"?timeout="+timeout.String(), bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	got := httptest.NewRecorder()
	h.ServeHTTP(got, r)
	return got
}

// answer is what the webhook said.
type answer struct {
	outcome webhook.Outcome
	message string
	// denied are the rules and fields of what is denied.
	denied []string
}

// ask sends a review to both paths, and holds that each gives an answer that is one, in time.
// What it returns is the answer of /validate.
func ask(t *testing.T, w *webhook.Webhook, body []byte) answer {
	t.Helper()
	mutated(t, w, body)
	got := answered(t, post(t, w, webhook.ValidatePath, body))
	a := answer{outcome: webhook.Outcome(got.AuditAnnotations["decision"])}
	if s := got.Result; s != nil {
		a.message = s.Message
		if s.Details != nil {
			for _, c := range s.Details.Causes {
				a.denied = append(a.denied, string(c.Type)+" at "+c.Field)
			}
		}
	}
	decided := []webhook.Outcome{webhook.OutcomeAllow, webhook.OutcomeWarn, webhook.OutcomeDeny, webhook.OutcomeSkip}
	unread := []webhook.Outcome{webhook.OutcomeError, webhook.OutcomeMalformed}
	switch {
	case !slices.Contains(append(decided, unread...), a.outcome):
		t.Errorf("/validate: outcome %q: %s", a.outcome, a.message)
	case slices.Contains(unread, a.outcome) && a.message == "":
		t.Errorf("/validate: outcome %q without a message", a.outcome)
	}
	return a
}

// answered is the response in an answer. All rules had their say in it.
func answered(t *testing.T, w *httptest.ResponseRecorder) *admissionv1.AdmissionResponse {
	t.Helper()
	if w.Code != http.StatusOK {
		t.Fatalf("code %d: %s", w.Code, w.Body)
	}
	var got admissionv1.AdmissionReview
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got.Response == nil {
		t.Fatalf("%v: %s", err, w.Body)
	}
	if slices.ContainsFunc(got.Response.Warnings, func(s string) bool { return strings.Contains(s, "could not answer") }) {
		t.Errorf("a rule failed: %q", got.Response.Warnings)
	}
	return got.Response
}

// mutated holds that /mutate lets an object through, in time, with a patch that can be applied or none.
func mutated(t *testing.T, w *webhook.Webhook, body []byte) {
	t.Helper()
	got := answered(t, post(t, w, webhook.MutatePath, body))
	if !got.Allowed {
		t.Error("/mutate refuses")
	}
	// The outcome is not in the answer: of those without a review, each says what is wrong.
	if s := got.Result; s != nil && !strings.Contains(s.Message, "could not be read") {
		t.Errorf("/mutate: %s", s.Message)
	}
	if len(got.Patch) == 0 {
		return
	}
	var sent admissionv1.AdmissionReview
	var ops []finding.Operation
	if err := errors.Join(json.Unmarshal(body, &sent), json.Unmarshal(got.Patch, &ops)); err != nil {
		t.Fatal(err)
	}
	if _, err := patch.Apply(sent.Request.Object.Raw, ops); err != nil {
		t.Errorf("the patch %s: %v", got.Patch, err)
	}
}

// audited is what an audit of one text says, of which a report can be written.
func audited(t *testing.T, text []byte) audit.Result {
	t.Helper()
	set, err := audit.Load(t.Context(), audit.Options{Paths: []string{"-"}, Stdin: bytes.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	r, err := builtin.Reviewer(t.Context(), review.Settings{}, set.Cluster())
	if err != nil {
		t.Fatal(err)
	}
	result, err := set.Review(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range result.Errors {
		if e.Rule != "" || e.Err == nil || strings.Contains(e.Err.Error(), "this is a bug") {
			t.Errorf("line %d: rule %q: %v", e.Source.Line, e.Rule, e.Err)
		}
	}
	for _, format := range []report.Format{report.Table, report.JSON, report.YAML} {
		sink, err := report.Audit(new(bytes.Buffer), format, report.Options{})
		if err == nil {
			err = result.Tell(sink)
		}
		if err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
	return result
}

// object decodes a document of a test.
func object(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var o map[string]any
	if err := yaml.Unmarshal(text, &o); err != nil {
		t.Fatal(err)
	}
	return o
}
