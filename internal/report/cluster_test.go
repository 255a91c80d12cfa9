package report

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/terminal"
)

// TestTableOfACluster: no places, the pods behind each object, the cluster by its name, what an assumed mode would do and what could not be read.
func TestTableOfACluster(t *testing.T) {
	var out bytes.Buffer
	to, err := Audit(&out, Table, Options{Screen: terminal.Screen{Width: widest}})
	if err != nil {
		t.Fatal(err)
	}
	web := finding.Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
	found := finding.Finding{Rule: "command-exits", Level: finding.Deny, Certainty: finding.Certain, Object: web, Container: "web", Reason: "it ends at once", Pods: 12}
	pod := found
	pod.Object, pod.Pods = finding.Object{APIVersion: "v1", Kind: "Pod", Namespace: "shop", Name: "web-1"}, 3
	all := audit.Result{
		Findings: []finding.Finding{found, pod},
		Ignored:  []finding.Ignored{{Finding: found, IgnoreReason: "wanted"}},
		Errors:   []audit.Error{{Err: errors.New("Pod/shop/large: too large")}},
		Summary: audit.Summary{
			Objects: 7, Judged: 6, Findings: audit.Levels{Deny: 1}, Ignored: 1, Errors: 1,
			Assumed: &audit.Assumed{As: "deny in shop", Denied: 1, Patched: 2},
			Cluster: &audit.Cluster{
				Name: "prod", Context: "prod-admin", Version: "v1.36.3", Pods: 40, Namespaces: []string{"shop", "pay"}, Selector: "app=web",
				Unread: []string{"Event: Forbidden", "Node: Forbidden"},
			},
		},
	}
	if err := all.Tell(to); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimPrefix(`
LEVEL  RULE           OBJECT                                REASON
deny   command-exits  Deployment/shop/web, web and 12 pods  it ends at once
deny   command-exits  Pod/shop/web-1, web and 2 like it     it ends at once

IGNORED  RULE           OBJECT                    REASON GIVEN
deny     command-exits  Deployment/shop/web, web  wanted

ERROR
Pod/shop/large: too large

cluster prod (context prod-admin, Kubernetes v1.36.3, namespaces shop, pay, objects with app=web): 40 pods, 7 objects, 6 judged: 1 deny, 0 warn, 0 audit; 1 ignored; 1 error
With mode deny in shop: 1 object would be denied, and 2 repaired
Not read, so that less is known: Event: Forbidden, Node: Forbidden
Why, and how to fix it: forestall explain command-exits
`, "\n")
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}

const widest = 200
