package review_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

const service = `
apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  selector: {app: web}
  ports:
    - {name: http, port: 80, targetPort: http}
    - {port: 53, targetPort: dns}
`

// beside returns a Reviewer that knows these objects, and whether they are all.
func beside(t *testing.T, complete bool, s review.Settings, objects ...string) *review.Reviewer {
	t.Helper()
	store := cluster.OfFiles(complete)
	for _, o := range objects {
		of := subject(t, review.Audit, o, "")
		if err := store.Add(of.Kind.GroupVersion().String(), of.Kind.Kind, of.Object); err != nil {
			t.Fatal(err)
		}
	}
	r, err := builtin.Reviewer(t.Context(), s, store)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestServices: a subject without a pod template has its rules, which speak only where all is known.
func TestServices(t *testing.T) {
	const (
		selects = "service-selects-nothing"
		targets = "service-target-port-undefined"
	)
	template := strings.Replace(deployment, "{labels: {app: shop}}", "{labels: {app: web}}", 1)
	denies := review.Settings{Levels: map[string]finding.Level{targets: finding.Deny}}
	both := func(http, dns finding.Level, existing bool) verdict {
		return verdict{Findings: []found{
			{targets, "", "spec.ports[name=http].targetPort", http, false}, {targets, "", "spec.ports[name=53].targetPort", dns, existing},
		}}
	}
	for _, tt := range []struct {
		name     string
		settings review.Settings
		complete bool
		op       review.Operation
		object   string
		old      string
		others   []string
		want     verdict
	}{
		{name: "an audit of all", complete: true, op: review.Audit, object: service, want: verdict{
			Findings: []found{{selects, "", "spec.selector", finding.Warn, false}},
		}},
		{name: "an audit of some", op: review.Audit, object: service},
		{name: "two ports are two faults", complete: true, op: review.Audit, object: service, others: []string{template}, want: both(finding.Warn, finding.Warn, false)},
		{
			name: "only what an update brings is denied", settings: denies, complete: true, op: review.Update, object: service, others: []string{template},
			old: strings.Replace(service, "targetPort: http", "targetPort: 80", 1), want: both(finding.Deny, finding.Warn, true),
		},
		{
			name: "an update of labels", complete: true, op: review.Update, object: service,
			old: strings.Replace(service, "{name: web}", "{name: web, labels: {a: b}}", 1), want: verdict{Skipped: "the update changes nothing that rules judge"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := subject(t, tt.op, tt.object, tt.old)
			s.Namespace = "" // as those beside it
			got := judge(t, beside(t, tt.complete, tt.settings, tt.others...), s)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestServicesAreNotKept: the pods that a Service means may be found by its name, which rules do not
// read. So what was found in one Service says nothing about the next.
func TestServicesAreNotKept(t *testing.T) {
	store := cluster.OfFiles(true)
	named := func(object, name string) review.Subject {
		_, after, _ := strings.Cut(object, "}") // of the metadata
		before, _, _ := strings.Cut(object, "metadata: ")
		s := subject(t, review.Audit, before+"metadata: {name: "+name+"}"+after, "")
		s.Namespace = "" // as those beside it
		return s
	}
	for _, name := range []string{"shop", "cart"} {
		of := named(deployment, name)
		if err := store.Add(of.Kind.GroupVersion().String(), of.Kind.Kind, of.Object); err != nil {
			t.Fatal(err)
		}
	}
	r := caching(t, store, review.NewCache())(review.Settings{})
	for _, name := range []string{"shop", "cart"} {
		d, err := r.Review(t.Context(), named(service, name))
		if err != nil || len(d.Findings) != 1 {
			t.Fatalf("%+v, %v", d, err)
		}
		if want := fmt.Sprintf("the nearest is Deployment %q", name); !strings.Contains(d.Findings[0].Why, want) {
			t.Errorf("%q is not in %q", want, d.Findings[0].Why)
		}
	}
}
