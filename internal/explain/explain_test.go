package explain_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/explain"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

func found(container string, level finding.Level) finding.Finding {
	return finding.Finding{
		Rule: "command-exits", Container: container, Path: "spec.containers[0].command",
		Reason: "CrashLoopBackOff with exit code 0, echo ends", What: "Completed.", Why: "It ends.", Fix: "Make it a Job.",
		Repairs: []finding.Repair{{Op: "add", Path: "spec.containers[0].resources.limits.memory", Value: "1Gi"}},
		Level:   level, Certainty: finding.Certain,
	}
}

func decision(findings ...finding.Finding) review.Decision {
	return review.Decision{Object: finding.Object{Kind: "Pod", Name: "web"}, Findings: findings}
}

// TestRefused is told where nothing that was found denies; else the findings say more.
func TestRefused(t *testing.T) {
	d := decision(found("quiet", finding.Warn))
	d.Refused = "the object is too large to be judged whole"
	const want = `Pod "web" is not admitted: the object is too large to be judged whole

   why:   the configuration refuses what cannot be judged whole (unfinished: refuse).
   fix:   split it: fewer containers, ports and variables in one object, scripts in an image or a ConfigMap.
          Whoever runs forestall can admit such objects with a warning (unfinished: admit).`
	if diff := cmp.Diff(want, explain.Denial(d)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	d.Findings = append(d.Findings, found("web", finding.Deny))
	if got := explain.Denial(d); !strings.HasPrefix(got, `Pod "web" would fail: web: CrashLoopBackOff`) {
		t.Error(got)
	}
}

func TestDenial(t *testing.T) {
	pod := found("", finding.Deny)
	got := explain.Denial(decision(found("web", finding.Deny), pod, found("quiet", finding.Warn)))
	want := `Pod "web" would fail: web: CrashLoopBackOff with exit code 0, echo ends (2 problems)

1. command-exits, container "web"
   where: spec.containers[0].command
   what:  Completed.
   why:   It ends.
   fix:   Make it a Job.
   more:  forestall explain command-exits

2. command-exits
   where: spec.containers[0].command
   what:  Completed.
   why:   It ends.
   fix:   Make it a Job.
   more:  forestall explain command-exits`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := explain.Denial(decision(found("quiet", finding.Warn))); got != "" {
		t.Errorf("a decision without denials says %q", got)
	}
}

func TestDenialIsBounded(t *testing.T) {
	var many []finding.Finding
	for i := range 500 {
		many = append(many, found(fmt.Sprintf("c%d", i), finding.Deny))
	}
	got := explain.Denial(decision(many...))
	if !strings.HasPrefix(got, `Pod "web" would fail: c0: CrashLoopBackOff with exit code 0, echo ends (500 problems)`) {
		t.Errorf("the first line is %q", strings.SplitN(got, "\n", 2)[0])
	}
	if !strings.HasSuffix(got, "\n\nand 480 more; forestall audit -f shows them all.") {
		t.Errorf("the end is %q", got[len(got)-80:])
	}
}

func TestWarnings(t *testing.T) {
	got := explain.Warnings(decision(found("web", finding.Warn), found("loud", finding.Deny)))
	want := []string{"forestall: web: CrashLoopBackOff with exit code 0, echo ends [command-exits]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got = explain.Repaired([]finding.Finding{found("web", finding.Deny)})
	want = []string{"forestall: web: added resources.limits.memory: 1Gi [command-exits]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEvent(t *testing.T) {
	d := decision(found("web", finding.Warn), found("log", finding.Warn))
	want := `Pod "web" would fail: web: CrashLoopBackOff with exit code 0, echo ends (2 problems). Fix: Make it a Job. More: forestall explain command-exits`
	if got := explain.Event(d.Object, d.Findings); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	d.Findings[0].Fix = strings.Repeat("é", 2000)
	if got := explain.Event(d.Object, d.Findings); len(got) > 1024 || !utf8.ValidString(got) || !strings.HasSuffix(got, "é…") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}

// The API server drops a warning that has a control character in it, without a word.
func FuzzWarnings(f *testing.F) {
	f.Add("web", "plain")
	f.Add("new\nline", "tab\there")
	f.Add("\x1b[31mred", strings.Repeat("long ", 100))
	f.Add("\xff", "\u0085")
	f.Fuzz(func(t *testing.T, container, reason string) {
		bad := found(container, finding.Warn)
		bad.Reason = reason
		for _, w := range explain.Warnings(decision(bad)) {
			if n := utf8.RuneCountInString(w); n > 120 {
				t.Errorf("%q has %d characters", w, n)
			}
			if strings.ContainsFunc(w, unicode.IsControl) || !utf8.ValidString(w) {
				t.Errorf("%q would be dropped", w)
			}
		}
	})
}
