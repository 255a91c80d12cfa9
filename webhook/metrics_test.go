package webhook

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/forestall/forestall/internal/certs/certtest"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/review"
)

func newMetrics(t *testing.T) (*Metrics, *prometheus.Registry) {
	t.Helper()
	registry := prometheus.NewRegistry()
	m, err := NewMetrics(registry, BuildInfo{Version: "v0.1.0", Revision: "abc", GoVersion: "go1.26.8"})
	if err != nil {
		t.Fatal(err)
	}
	return m, registry
}

// exposition is what Prometheus would scrape.
func exposition(t *testing.T, registry *prometheus.Registry) string {
	t.Helper()
	w := httptest.NewRecorder()
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", http.NoBody))
	return w.Body.String()
}

// Every series with its help, type and labels: dashboards and alerts depend on them.
func TestMetricsExposition(t *testing.T) {
	m, registry := newMetrics(t)
	m.RequestStarted()
	m.RequestStarted()
	m.RequestDone(ValidatePath, OutcomeDeny, 200*time.Microsecond)
	m.RequestStarted()
	m.RequestDone(MutatePath, OutcomePatch, 3*time.Second)
	m.Finding(Counted{Rule: "command-exits", Level: finding.Deny, Kind: "Deployment"})
	m.Finding(Counted{Rule: "memory-limit-missing", Level: finding.Warn, Kind: "Pod", Owned: true})
	m.Finding(Counted{Rule: "memory-limit-missing", Level: finding.Warn, Kind: "Pod", Owned: true})
	m.Ignored(Counted{Rule: "command-exits", Level: finding.Deny, Kind: "Job"})
	m.Owned("Pod", review.Controller)
	m.Owned("Pod", review.Other)
	m.OwnerEvent("confirmed")
	m.OwnerEvent("limited")
	m.RuleError("command-exits")
	m.Unfinished(ValidatePath)
	m.Panic()
	m.ConfigLoaded(nil)
	m.ConfigLoaded(errors.New("line 3"))
	pair := certtest.New(t, "webhook", time.Unix(1_900_000_000, 0))
	certificate, err := tls.X509KeyPair(pair.Cert, pair.Key)
	if err := errors.Join(err, WatchCertificate(registry, &static{certificate: certificate}), WatchCache(registry, func() review.CacheCounts {
		return review.CacheCounts{Hits: 7, Misses: 3, Entries: 2}
	}), WatchCluster(registry, func() map[string]bool { return map[string]bool{"Service": true, "LimitRange": false} })); err != nil {
		t.Fatal(err)
	}
	scraped := exposition(t, registry)
	golden(t, "metrics.txt", scraped)
	page, err := os.ReadFile("../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(series(t, registry), documented(page)); diff != "" {
		t.Errorf("the series and those in docs/operating.md: -want +got:\n%s", diff)
	}
}

// series are the names of all series, each with its labels, sorted.
func series(t *testing.T, registry *prometheus.Registry) map[string]string {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range families {
		var labels []string
		for _, l := range f.GetMetric()[0].GetLabel() {
			labels = append(labels, l.GetName())
		}
		slices.Sort(labels)
		all[f.GetName()] = strings.Join(labels, ", ")
	}
	return all
}

// documented are the series in the table of a page, in the same form.
func documented(page []byte) map[string]string {
	all := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(forestall_[a-z_]+)` \\| ([^|]*)\\|").FindAllSubmatch(page, -1) {
		labels := strings.FieldsFunc(string(row[2]), func(r rune) bool { return r == ',' || r == ' ' })
		slices.Sort(labels)
		all[string(row[1])] = strings.Join(labels, ", ")
	}
	return all
}

func TestMetricsAreRegisteredOnce(t *testing.T) {
	_, registry := newMetrics(t)
	if _, err := NewMetrics(registry, BuildInfo{}); err == nil {
		t.Error("NewMetrics() on the same registry gives no error")
	}
}

// What requests add to the counters.
func TestRequestsAreCounted(t *testing.T) {
	found := func(rule string, level finding.Level) finding.Finding {
		return finding.Finding{Rule: rule, Level: level}
	}
	denies := decides(review.Decision{
		Findings: []finding.Finding{found("a-rule", finding.Deny), found("b-rule", finding.Audit)},
		Errors:   []policy.RuleError{{Rule: "c-rule", Err: errors.New("a reason")}},
	})
	unfinished := decides(review.Decision{
		Findings: []finding.Finding{found("a-rule", finding.Deny)}, Unfinished: "the object is too large to be judged whole",
	})
	panics := stub{review: func(context.Context, review.Subject) (review.Decision, error) { panic("a bug") }}
	for _, test := range []struct {
		name     string
		reviewer Reviewer
		path     string
		body     string
		want     []string
		without  string
	}{
		{"denied", denies, ValidatePath, create, []string{
			`forestall_admission_requests_total{outcome="deny",path="/validate"} 1`,
			`forestall_findings_total{kind="",level="deny",owned="false",rule="a-rule"} 1`,
			`forestall_findings_total{kind="",level="audit",owned="false",rule="b-rule"} 1`,
			`forestall_rule_errors_total{rule="c-rule"} 1`,
			`forestall_admission_duration_seconds_count{path="/validate"} 1`,
			`forestall_admission_in_flight 0`,
			`forestall_panics_total 0`,
		}, "outcome=\"allow\""},
		{"left for /validate", denies, MutatePath, create, []string{
			`forestall_admission_requests_total{outcome="warn",path="/mutate"} 1`,
		}, "forestall_findings_total"},
		{"too large", unfinished, ValidatePath, create, []string{
			`forestall_admission_requests_total{outcome="deny",path="/validate"} 1`,
			`forestall_unfinished_reviews_total{path="/validate"} 1`,
		}, "forestall_rule_errors_total"},
		{"panicked", panics, ValidatePath, create, []string{
			`forestall_admission_requests_total{outcome="panic",path="/validate"} 1`,
			`forestall_panics_total 1`,
			`forestall_admission_in_flight 0`,
		}, "forestall_findings_total"},
		{"not a review", stub{}, ValidatePath, "{", []string{
			`forestall_admission_requests_total{outcome="rejected",path="/validate"} 1`,
			`forestall_admission_in_flight 0`,
		}, "forestall_findings_total"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, registry := newMetrics(t)
			post(newWebhook(t, Options{Admission: Always(Admission{Reviewer: test.reviewer}), Recorder: m}).at(test.path), test.path, test.body)
			got := exposition(t, registry)
			for _, line := range test.want {
				if !strings.Contains(got, "\n"+line+"\n") {
					t.Errorf("no line %s in\n%s", line, got)
				}
			}
			if strings.Contains(got, test.without) {
				t.Errorf("%s in\n%s", test.without, got)
			}
		})
	}
}
