package webhook

import (
	"net/http"
	"testing"

	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/review"
)

// The whole body of each kind of answer, with the built-in rules.
func TestReviews(t *testing.T) {
	withDefaultLimit := review.Settings{Params: map[string]map[string]any{
		"memory-limit-missing": {"defaultLimit": "256Mi"},
	}}
	for _, test := range []struct {
		golden   string
		path     string
		settings review.Settings
		mode     config.FailureMode
		request  reviewed
	}{
		{golden: "allow", path: ValidatePath, request: pod(t, "healthy.pod.json")},
		{golden: "allow-mutate", path: MutatePath, request: pod(t, "healthy.pod.json")},
		{golden: "deny", path: ValidatePath, request: pod(t, "failing.pod.json")},
		{golden: "deny-two", path: ValidatePath, request: pod(t, "ends.pod.json")},
		{golden: "deny-deployment", path: ValidatePath, request: reviewed{
			resource: "deployments", kind: "Deployment", group: "apps", operation: "CREATE", object: read(t, "ends.deployment.json"),
		}},
		{golden: "never-denied-mutate", path: MutatePath, request: pod(t, "failing.pod.json")},
		{golden: "patch", path: MutatePath, settings: withDefaultLimit, request: pod(t, "failing.pod.json")},
		{golden: "warn", path: ValidatePath, request: pod(t, "liveness.pod.json")},
		{golden: "skip-subresource", path: ValidatePath, request: reviewed{
			resource: "pods", kind: "Pod", operation: "UPDATE", subresource: "status",
			object: read(t, "failing.pod.json"), oldObject: read(t, "healthy.pod.json"),
		}},
		{golden: "skip-unchanged", path: ValidatePath, request: reviewed{
			resource: "pods", kind: "Pod", operation: "UPDATE",
			object: read(t, "failing.pod.json"), oldObject: read(t, "failing.pod.json"),
		}},
		{golden: "skip-operation", path: ValidatePath, request: reviewed{
			resource: "pods", kind: "Pod", operation: "DELETE", oldObject: read(t, "failing.pod.json"),
		}},
		{golden: "skip-kind", path: ValidatePath, request: reviewed{
			resource: "configmaps", kind: "ConfigMap", operation: "CREATE",
			object: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"web"}}`,
		}},
		{golden: "skip-mutate", path: MutatePath, request: reviewed{
			resource: "pods", kind: "Pod", operation: "DELETE", oldObject: read(t, "failing.pod.json"),
		}},
		{golden: "unreadable-ignore", path: ValidatePath, request: reviewed{
			resource: "pods", kind: "Pod", operation: "CREATE", object: `{"apiVersion":"v1","kind":"Pod","spec":[]}`,
		}},
		{golden: "unreadable-fail", path: ValidatePath, mode: config.Fail, request: reviewed{
			resource: "pods", kind: "Pod", operation: "CREATE", object: `{"apiVersion":"v1","kind":"Pod","spec":[]}`,
		}},
		{golden: "unreadable-fail-mutate", path: MutatePath, mode: config.Fail, request: reviewed{
			resource: "pods", kind: "Pod", operation: "CREATE", object: `{"apiVersion":"v1","kind":"Pod","spec":[]}`,
		}},
	} {
		t.Run(test.golden, func(t *testing.T) {
			in := Admission{Reviewer: realReviewer(t, test.settings), FailureMode: test.mode}
			w := post(newWebhook(t, Options{Admission: Always(in)}).at(test.path), test.path+"?timeout=5s", test.request.body(t))
			if w.Code != http.StatusOK {
				t.Errorf("code = %d, want 200", w.Code)
			}
			if got := w.Header().Get("Content-Type"); got != "application/json" {
				t.Errorf("content type = %q, want application/json", got)
			}
			golden(t, test.golden+".response.json", indented(t, w.Body.Bytes()))
		})
	}
}
