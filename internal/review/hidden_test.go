package review_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/cluster/clustertest"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// TestHiddenNames: without a verified client anybody may ask, about any namespace. No text names what
// is in another namespace than the review's own. Where a value says so, a client that is not verified
// learns no names of this one either, and the verdict is the same; what is kept of one is not
// told to the other.
func TestHiddenNames(t *testing.T) {
	var objects []string
	for _, namespace := range []string{"default", "other"} {
		for _, name := range []string{"a", "b"} {
			at := "metadata: {name: " + name + "-secret-" + namespace + ", namespace: " + namespace + "}, spec: "
			objects = append(objects,
				"{apiVersion: v1, kind: Service, "+at+"{selector: {app: a}, ports: [{port: 80, targetPort: 8080}]}}",
				"{apiVersion: v1, kind: LimitRange, "+at+"{limits: [{type: Container, min: {memory: 1Gi}}, {type: Pod, max: {memory: 2Gi}}]}}",
			)
		}
	}
	store := clustertest.OfFiles(t, true, objects...)
	limited := review.Settings{Params: map[string]map[string]any{"memory-limit-missing": {"defaultLimit": "256Mi"}}}
	limited.Levels = map[string]finding.Level{"sidecar-readiness-gates-service": finding.Warn}
	hiding := limited
	hiding.HideNames = true
	build := caching(t, store, review.NewCache())
	plain, hidden := build(limited), build(hiding)
	object := podOf(`{"name":"web","image":"web:1","ports":[{"containerPort":8080}],"command":["sleep 1"],"livenessProbe":{"tcpSocket":{"port":1}}},` +
		`{"name":"log","image":"log:1","readinessProbe":{"httpGet":{"port":"q"}},"command":["sleep","infinity"]}`)
	s := subject(t, review.Create, object, "")
	verified, audited := s, s
	verified.Verified, audited.Operation = true, review.Audit

	told := texts(t, plain, s)
	for _, name := range []string{"a-secret-default", "b-secret-default"} {
		if !strings.Contains(told, name) {
			t.Errorf("%s is not named in %s", name, told)
		}
	}
	if strings.Contains(told, "secret-other") {
		t.Errorf("it names what is in another namespace: %s", told)
	}
	for range 2 { // kept or not
		if diff := cmp.Diff(told, texts(t, hidden, verified)); diff != "" {
			t.Errorf("a verified client is told something other (-plain +hidden):\n%s", diff)
		}
		if got := texts(t, hidden, s); strings.Contains(got, "secret") || !strings.Contains(got, "(hidden)") {
			t.Errorf("somebody is told names: %s", got)
		}
	}
	if got := texts(t, hidden, audited); !strings.Contains(got, "a-secret-default") {
		t.Errorf("an audit is told no names: %s", got)
	}
	if diff := cmp.Diff(judge(t, plain, s), judge(t, hidden, s)); diff != "" {
		t.Errorf("the verdict (-plain +hidden):\n%s", diff)
	}
}

// texts is all that a review says, as JSON.
func texts(t *testing.T, r *review.Reviewer, s review.Subject) string {
	t.Helper()
	d, err := r.Review(t.Context(), s)
	if err != nil || len(d.Findings) == 0 {
		t.Fatal(err, d)
	}
	repaired, err := r.Repair(t.Context(), s, d)
	if err != nil {
		t.Fatal(err)
	}
	failed := ""
	for _, e := range repaired.Errors {
		failed += e.Err.Error()
	}
	text, err := json.Marshal(map[string]any{"decision": d, "repaired": repaired, "failed": failed})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
