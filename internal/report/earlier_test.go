package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

func earlierOf(t *testing.T, r audit.Result, f Format) *Earlier {
	t.Helper()
	e, err := ReadEarlier(bytes.NewReader(told(t, r, f, Options{})), "old")
	if err != nil {
		t.Fatalf("%s: %v", f, err)
	}
	return e
}

// TestBaselineHoldsItself: nothing is new in the run that made the baseline, whatever the format, and all counts are there.
func TestBaselineHoldsItself(t *testing.T) {
	for _, f := range []Format{JSON, NDJSON, YAML} {
		r := everything()
		var got audit.Result
		if err := r.Tell(Since(earlierOf(t, r, f), &got)); err != nil {
			t.Fatal(err)
		}
		want := audit.Result{Summary: r.Summary, Ignored: r.Ignored, Warnings: r.Warnings, Errors: r.Errors}
		want.Summary.Findings, want.Patched, want.Summary.Troubles = audit.Levels{}, 0, 0
		want.Baseline = &audit.Earlier{File: "old", Findings: audit.Levels{Deny: 4, Warn: 1, Audit: 1}, Patched: 1, Troubles: 1}
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b error) bool { return a.Error() == b.Error() })); diff != "" {
			t.Errorf("%s (-want +got):\n%s", f, diff)
		}
	}
}

// TestBaselineCounts: of two findings alike one may be new.
func TestBaselineCounts(t *testing.T) {
	one := everything().Findings[0]
	for _, c := range []struct{ before, now, fresh, gone int }{{1, 1, 0, 0}, {1, 2, 1, 0}, {2, 1, 0, 1}, {0, 2, 2, 0}, {3, 0, 0, 3}} {
		of := func(n int) (r audit.Result) {
			for i := range n {
				f := one
				f.Source.File = fmt.Sprintf("%d.yaml", i)
				r.Findings = append(r.Findings, f)
				r.Summary.Findings.Count(f.Level)
			}
			return r
		}
		var got audit.Result
		now := of(c.now)
		if err := now.Tell(Since(earlierOf(t, of(c.before), JSON), &got)); err != nil {
			t.Fatal(err)
		}
		if len(got.Findings) != c.fresh || got.Summary.Findings.Deny != c.fresh || got.Baseline.Gone != c.gone {
			t.Errorf("%+v: %d are new, counted as %d, and %d gone", c, len(got.Findings), got.Summary.Findings.Deny, got.Baseline.Gone)
		}
	}
}

// TestDiff: a level that rose and a failure that happens now are worse, and the other way round better.
func TestDiff(t *testing.T) {
	of := func(name string, l finding.Level, s finding.Status) finding.Finding {
		f := everything().Findings[0]
		f.Object.Name, f.Level, f.Status = name, l, s
		return f
	}
	patched := of("patched", finding.Deny, "")
	patched.Patched = true
	unpatched := of("patched", finding.Audit, "")
	trouble := func(name string) finding.Trouble {
		return finding.Trouble{Object: finding.Object{APIVersion: "v1", Kind: "Pod", Name: name}, Reason: "Error"}
	}
	before := audit.Result{
		Summary: audit.Summary{Cluster: &audit.Cluster{}},
		Findings: []finding.Finding{
			of("same", finding.Deny, finding.Happening), of("risen", finding.Warn, ""), of("fallen", finding.Deny, finding.Predicted),
			of("begun", finding.Warn, finding.Predicted), of("stopped", finding.Warn, finding.Happening), of("gone", finding.Deny, ""), patched,
		},
		Troubles: []finding.Trouble{trouble("still"), trouble("healed")},
	}
	now := audit.Result{
		Findings: []finding.Finding{
			of("same", finding.Deny, finding.Happening), of("risen", finding.Deny, ""), of("fallen", finding.Audit, finding.Happening),
			of("begun", finding.Warn, finding.Happening), of("stopped", finding.Warn, finding.Predicted), of("new", finding.Warn, ""), unpatched,
		},
		Troubles: []finding.Trouble{trouble("still"), trouble("broken")},
	}
	for _, f := range []Format{JSON, NDJSON, YAML} {
		sink, err := AuditDiff(io.Discard, JSON, Options{}, earlierOf(t, before, f))
		if err == nil {
			err = now.Tell(sink)
		}
		if err != nil {
			t.Fatal(err)
		}
		short := func(items []DiffItem) (all []string) {
			for _, i := range items {
				all = append(all, i.Finding.Object.Name+": "+i.change())
			}
			return all
		}
		want := [][]string{
			{"risen: was warn", "begun: happens now", "new: new", "patched: was patched", "broken: new"},
			{"fallen: was deny", "stopped: stopped", "healed: gone", "gone: gone"},
		}
		if diff := cmp.Diff(want, [][]string{short(sink.diff.Worse), short(sink.diff.Better)}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", f, diff)
		}
		if got := (audit.Levels{Deny: 1, Warn: 2, Audit: 1}); sink.Worse() != got || sink.diff.Unchanged != 2 {
			t.Errorf("%s: worse are %+v, and %d are unchanged", f, sink.Worse(), sink.diff.Unchanged)
		}
	}
}

// TestEarlierIsWhole: no part of a report is taken for a report, and nothing of it for more than it is.
func TestEarlierIsWhole(t *testing.T) {
	for _, f := range []Format{JSON, NDJSON} {
		text := bytes.TrimSpace(told(t, everything(), f, Options{}))
		for n := range len(text) {
			if _, err := ReadEarlier(bytes.NewReader(text[:n]), "part"); err == nil {
				t.Fatalf("%s: %d of %d bytes are taken for a report", f, n, len(text))
			}
		}
	}
	for text, want := range map[string]string{
		"":                "it is empty",
		" \n\t":           "it is empty",
		"[]":              "it is no report",
		"a: [":            "it is neither JSON nor YAML: yaml: line 1: did not find expected node content",
		`{"kind": "Pod"}`: `it is no report of this version: its apiVersion is "", and not "forestall.dev/v1alpha1"`,
		`{"apiVersion": "forestall.dev/v1alpha1"}`:                                          `it is no report of an audit, but of the kind "": make one with forestall audit -o json=FILE`,
		`{"apiVersion": "forestall.dev/v1alpha1", "kind": "AuditReport", "findings": null}`: "it is not whole: the summary is missing",
		`{"apiVersion": "forestall.dev/v1alpha1", "findings": [], "kind": "Pod"}`:           `it is no report of an audit, but of the kind "Pod": make one with forestall audit -o json=FILE`,
	} {
		if _, err := ReadEarlier(strings.NewReader(text), "x"); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// TestEarlierIsSized fails for what is too long.
func TestEarlierIsSized(t *testing.T) {
	in := &sized{from: strings.NewReader("abc"), left: 2}
	if text, err := io.ReadAll(in); err == nil || err.Error() != "it is too long" {
		t.Errorf("got %q, %v", text, err)
	}
}
