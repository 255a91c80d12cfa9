package report

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/review"
)

func someResult() audit.Result {
	finding := func(line int, rule, container string, level policy.Level) audit.Finding {
		return audit.Finding{
			Finding: review.Finding{
				Finding: policy.Finding{Rule: rule, Container: container, Path: "spec", Reason: "CrashLoopBackOff, the script ends"},
				Level:   level,
			},
			Object: review.Object{APIVersion: "v1", Kind: "Pod", Name: "a"},
			Source: audit.Source{File: "pod.yaml", Line: line},
		}
	}
	return audit.Result{
		Files: 1, Documents: 4, Objects: 2, Judged: 1, Skipped: 2,
		Findings: []audit.Finding{
			finding(7, "command-exits", "api", policy.Deny),
			finding(12, "probe", "", policy.Audit),
		},
		Errors: []audit.Error{{Source: audit.Source{File: "pod.yaml", Line: 20}, Err: errors.New("reading YAML: no\x1b[31m end")}},
	}
}

func table(t *testing.T, r audit.Result, s Screen) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, New(r), Table, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTable(t *testing.T) {
	want := strings.TrimPrefix(`
LOCATION     LEVEL  RULE           OBJECT      REASON
pod.yaml:7   deny   command-exits  Pod/a, api  CrashLoopBackOff, the script ends
pod.yaml:12  audit  probe          Pod/a       CrashLoopBackOff, the script ends

LOCATION     ERROR
pod.yaml:20  reading YAML: no`+"\ufffd"+`[31m end

1 file, 2 objects, 1 judged, 2 documents skipped (no apiVersion and kind): 1 deny, 0 warn, 1 audit; 1 error
Why, and how to fix it: forestall explain command-exits
`, "\n")
	if diff := cmp.Diff(want, table(t, someResult(), Screen{})); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}

func TestTableOnATerminal(t *testing.T) {
	got := table(t, someResult(), Screen{Width: 50, Colour: true})
	for _, want := range []string{
		"\x1b[1mLOCATION    \x1b[0m",
		"pod.yaml:7  \x1b[31mdeny   \x1b[0mcommand-exits  Pod/a, api  Cra…\n",
		"…d.yaml:12  \x1b[36maudit  \x1b[0mprobe          Pod/a       Cra…\n",
		"pod.yaml:20  \x1b[31mreading YAML: no\ufffd[31m end\x1b[0m\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%q", want, got)
		}
	}
}

func TestNoLineIsWiderThanTheTerminal(t *testing.T) {
	for width := 1; width < 80; width++ {
		rows, _, _ := strings.Cut(table(t, someResult(), Screen{Width: width}), "\n\n")
		for line := range strings.Lines(rows) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("%d characters where there is room for %d: %q", n, width, line)
			}
		}
	}
}

func TestEmptyTable(t *testing.T) {
	want := "2 files, 0 objects, 0 judged: 0 deny, 0 warn, 0 audit\n"
	if got := table(t, audit.Result{Files: 2}, Screen{}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		text        string
		n           int
		front, back string
	}{
		{"abc", 3, "abc", "abc"}, {"abcd", 3, "…cd", "ab…"}, {"äöüß", 3, "…üß", "äö…"},
		{"abc", 1, "…", "…"}, {"abc", 0, "abc", "abc"}, {"", 1, "", ""},
	} {
		if front, back := cutFront(tt.text, tt.n), cutBack(tt.text, tt.n); front != tt.front || back != tt.back {
			t.Errorf("%q in %d: got %q and %q, want %q and %q", tt.text, tt.n, front, back, tt.front, tt.back)
		}
	}
}

func TestPrintable(t *testing.T) {
	in, want := "a\nb\tc\x1b[2J\u202e\u009b\x00é", "a b c\ufffd[2J\ufffd\ufffd\ufffdé"
	if got := Printable(in); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEmptyListsAreLists(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, New(audit.Result{}), JSON, Screen{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"findings": [],`, `"errors": []`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s is missing in %s", want, b.String())
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	if err := Write(&bytes.Buffer{}, Report{}, "xml", Screen{}); err == nil {
		t.Error("no error")
	}
}
