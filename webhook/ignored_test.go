package webhook

import (
	"bytes"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"

	"github.com/forestall/forestall/internal/review"
)

// TestIgnored: where the configuration lets annotations count, what they ignore is admitted, and annotations of the
// audit log, the metrics and the log tell of it. Elsewhere it is denied, with a warning that says why.
func TestIgnored(t *testing.T) {
	body := reviewed{
		resource: "pods", kind: "Pod", operation: "CREATE",
		object: `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","annotations":{"ignore.forestall.dev/command-exits":"a secret reason"}},
			"spec":{"containers":[{"name":"web","image":"busybox:1.37","command":["echo"],"resources":{"limits":{"memory":"64Mi"}}}]}}`,
	}.body(t)
	type told struct {
		Allowed     bool
		Annotations map[string]string
		Warnings    []string
		Counted     bool
		Logged      string
	}
	for _, test := range []struct {
		name   string
		counts bool
		want   told
	}{
		{"counts", true, told{
			Allowed: true, Annotations: map[string]string{"decision": "allow", "ignored": "command-exits"}, Counted: true,
			Logged: "outcome=allow operation=CREATE kind=Pod namespace=shop name=web rules=[] duration=D ignored=[command-exits]\n",
		}},
		{"does not count", false, told{
			Annotations: map[string]string{"decision": "deny", "rules": "command-exits"},
			Warnings:    []string{"forestall: ignore.forestall.dev/command-exits does not count here: ignoreAnnotations in the configuration"},
			Logged:      "outcome=deny operation=CREATE kind=Pod namespace=shop name=web rules=[command-exits] duration=D\n",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, registry := newMetrics(t)
			var lines bytes.Buffer
			log := logr.FromSlogHandler(slog.NewTextHandler(&lines, &slog.HandlerOptions{ReplaceAttr: withoutTime}))
			w := newWebhook(t, Options{
				Admission: Always(Admission{Reviewer: realReviewer(t, review.Settings{IgnoreAnnotations: test.counts})}), Recorder: m, Log: log,
			})
			var answered admissionv1.AdmissionReview
			decodeInto(t, post(w.at(ValidatePath), ValidatePath, body).Body.Bytes(), &answered)
			r := answered.Response
			got := told{
				Allowed: r.Allowed, Annotations: r.AuditAnnotations, Warnings: r.Warnings,
				Counted: strings.Contains(exposition(t, registry), `forestall_ignored_findings_total{kind="Pod",level="deny",owned="false",rule="command-exits"} 1`),
			}
			_, got.Logged, _ = strings.Cut(regexp.MustCompile(`duration=[^ \n]+`).ReplaceAllString(lines.String(), "duration=D"), "path=/validate ")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
