package webhook

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/patch"
	"github.com/forestall/forestall/internal/review"
)

// noFailures is a Recorder to which a panic and a rule without an answer are errors.
type noFailures struct{ t *testing.T }

func (noFailures) RequestStarted()                            {}
func (noFailures) RequestDone(string, Outcome, time.Duration) {}
func (noFailures) Finding(Counted)                            {}
func (noFailures) Ignored(Counted)                            {}
func (noFailures) Owned(string, review.Sender)                {}
func (n noFailures) RuleError(rule string)                    { n.t.Errorf("rule %s gave no answer", rule) }
func (noFailures) Unfinished(string)                          {}
func (n noFailures) Panic()                                   { n.t.Error("a review panicked") }

// FuzzBody sends any body to both paths: what has a UID is answered with it, in the
// form of a review, and a patch can be applied.
func FuzzBody(f *testing.F) {
	for _, file := range []string{"healthy.pod.json", "failing.pod.json", "ends.pod.json", "liveness.pod.json"} {
		f.Add([]byte(pod(f, file).body(f)))
	}
	f.Add([]byte(`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"a","operation":1}}`))
	ask := asking(f)
	f.Fuzz(func(t *testing.T, body []byte) { ask(t, body) })
}

// FuzzObject puts any object into a review, also as what was stored before it. The
// manifests of the rules are where it begins.
func FuzzObject(f *testing.F) {
	files, err := filepath.Glob("../policies/forestall/rules/*/testdata/*.yaml")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for document := range bytes.SplitSeq(text, []byte("\n---\n")) {
			raw, err := yaml.YAMLToJSON(document)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(raw, []byte(`{"apiVersion":"v1","kind":"Pod"}`))
		}
	}
	ask := asking(f)
	f.Fuzz(func(t *testing.T, object, old []byte) {
		if !json.Valid(object) || !json.Valid(old) {
			return // these are for FuzzBody
		}
		var named struct{ APIVersion, Kind string }
		if json.Unmarshal(object, &named) != nil {
			return
		}
		r := reviewed{kind: named.Kind, operation: "CREATE", object: string(object)}
		ask(t, []byte(r.body(t)))
		r.operation, r.oldObject = "UPDATE", string(old)
		ask(t, []byte(r.body(t)))
	})
}

// asking returns what sends a body to both paths, with all repairs on.
func asking(f *testing.F) func(*testing.T, []byte) {
	f.Helper()
	reviewer := realReviewer(f, review.Settings{Params: map[string]map[string]any{"memory-limit-missing": {"defaultLimit": "256Mi"}}})
	return func(t *testing.T, body []byte) {
		w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: reviewer}), Recorder: noFailures{t}})
		for _, path := range []string{ValidatePath, MutatePath} {
			got := post(w.at(path), path+"?timeout=30s", string(body))
			if got.Code == http.StatusBadRequest {
				continue
			}
			var sent, answered admissionv1.AdmissionReview
			if err := json.Unmarshal(got.Body.Bytes(), &answered); err != nil || got.Code != http.StatusOK || answered.Response == nil || answered.Response.UID == "" {
				t.Fatalf("%s: %d %s: %v", path, got.Code, got.Body, err)
			}
			if len(answered.Response.Patch) == 0 {
				continue
			}
			var ops []finding.Operation
			if err := json.Unmarshal(answered.Response.Patch, &ops); err != nil {
				t.Fatalf("the patch is %s: %v", answered.Response.Patch, err)
			}
			if err := json.Unmarshal(body, &sent); err != nil {
				t.Fatalf("a review that cannot be read was patched: %v", err)
			}
			if _, err := patch.Apply(sent.Request.Object.Raw, ops); err != nil {
				t.Errorf("the patch %s: %v", answered.Response.Patch, err)
			}
		}
	}
}

var _ Recorder = noFailures{}
