package hostile

import (
	"bytes"
	"encoding/json"
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
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/patch"
	"github.com/forestall/forestall/internal/report"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/webhook"
)

// safety bounds one answer. It is far more than any takes, on a slow machine and with the race
// detector too; what comes to it would not have come to an end.
const safety = 5 * time.Minute

// newHandler answers with the built-in rules, and refuses what cannot be read.
func newHandler(t *testing.T) http.Handler { return newWebhook(t).ValidateHandler() }

func newWebhook(t *testing.T) *webhook.Webhook {
	t.Helper()
	withLimit := review.Settings{Params: map[string]map[string]any{"memory-limit-missing": {"defaultLimit": "64Mi"}}}
	r, err := builtin.Reviewer(t.Context(), withLimit, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := webhook.New(webhook.Options{
		InForce: webhook.Always(webhook.InForce{Reviewer: r, FailureMode: webhook.Fail}), Timeout: safety,
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

func post(h http.Handler, body []byte) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, webhook.ValidatePath, bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// answer is what the webhook said.
type answer struct {
	outcome webhook.Outcome
	message string
	// denied are the rules and fields of what is denied.
	denied []string
}

// ask posts a review and holds that there is an answer that is one.
func ask(t *testing.T, h http.Handler, body []byte) answer {
	t.Helper()
	w := post(h, body)
	if w.Code != http.StatusOK {
		t.Fatalf("code %d: %s", w.Code, w.Body)
	}
	var got admissionv1.AdmissionReview
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got.Response == nil {
		t.Fatalf("%v: %s", err, w.Body)
	}
	a := answer{outcome: webhook.Outcome(got.Response.AuditAnnotations["decision"])}
	if s := got.Response.Result; s != nil {
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
		t.Errorf("outcome %q: %s", a.outcome, a.message)
	case slices.Contains(unread, a.outcome) && a.message == "":
		t.Errorf("outcome %q without a message", a.outcome)
	case slices.ContainsFunc(got.Response.Warnings, func(s string) bool { return strings.Contains(s, "could not answer") }):
		t.Errorf("a rule failed: %q", got.Response.Warnings)
	}
	return a
}

// patchOf asks for the patch of an object, and holds that it is one.
func patchOf(t *testing.T, h http.Handler, kind string, raw []byte) {
	t.Helper()
	w := post(h, reviewOf(kind, raw))
	var got admissionv1.AdmissionReview
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got.Response == nil || !got.Response.Allowed {
		t.Fatalf("%v: %s", err, w.Body)
	}
	if s := got.Response.Result; s != nil && strings.Contains(s.Message, "internal error") {
		t.Error(s.Message)
	}
	if len(got.Response.Patch) == 0 {
		return
	}
	var ops []finding.Operation
	if err := json.Unmarshal(got.Response.Patch, &ops); err != nil {
		t.Fatal(err)
	}
	if _, err := patch.Apply(raw, ops); err != nil {
		t.Errorf("the patch %s: %v", got.Response.Patch, err)
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
		sink, err := report.Audit(new(bytes.Buffer), format, report.Screen{})
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
