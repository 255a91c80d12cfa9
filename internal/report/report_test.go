package report

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

func someResult() audit.Result {
	found := func(line int, rule, container string, level finding.Level) finding.Finding {
		return finding.Finding{
			Rule: rule, Container: container, Path: "spec", Reason: "CrashLoopBackOff, the script ends",
			Level:  level,
			Object: finding.Object{APIVersion: "v1", Kind: "Pod", Name: "a"},
			Source: finding.Source{File: "pod.yaml", Line: line},
		}
	}
	return audit.Result{
		Files: 1, Documents: 4, Objects: 2, Judged: 1, Skipped: 2,
		Findings: []finding.Finding{
			found(7, "command-exits", "api", finding.Deny),
			found(12, "probe", "", finding.Audit),
		},
		Errors: []audit.Error{{Source: finding.Source{File: "pod.yaml", Line: 20}, Err: errors.New("reading YAML: no\x1b[31m end")}},
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
	want := strings.TrimPrefix(`
<1>LOCATION<0>     <1>LEVEL<0>  <1>RULE<0>           <1>OBJECT<0>      <1>REASON<0>
pod.yaml:7   <31>deny<0>   command-exits  Pod/a, api  CrashLoopBackOff, the script ends
pod.yaml:12  <36>audit<0>  probe          Pod/a       CrashLoopBackOff, the script ends
`, "\n")
	got, _, _ := strings.Cut(table(t, someResult(), Screen{Width: 80, Colour: true}), "\n\n")
	if diff := cmp.Diff(want, readable(got)+"\n"); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}

// TestTableOnANarrowTerminal keeps all that there is to say.
func TestTableOnANarrowTerminal(t *testing.T) {
	want := strings.TrimPrefix(`
LOCATION  LEVEL  RULE  OBJECT
  REASON
pod.yaml:7  deny  command-exits  Pod/a, api
  CrashLoopBackOff, the script ends
pod.yaml:12  audit  probe  Pod/a
  CrashLoopBackOff, the script ends
`, "\n")
	got, _, _ := strings.Cut(table(t, someResult(), Screen{Width: 72}), "\n\n")
	if diff := cmp.Diff(want, got+"\n"); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}

// readable shows escape sequences as <number>.
func readable(text string) string {
	return strings.NewReplacer("\x1b[31m", "<31>", "\x1b[36m", "<36>", "\x1b[1m", "<1>", "\x1b[0m", "<0>").Replace(text)
}

func TestEmptyTable(t *testing.T) {
	want := "2 files, 0 objects, 0 judged: 0 deny, 0 warn, 0 audit\n"
	if got := table(t, audit.Result{Files: 2}, Screen{}); got != want {
		t.Errorf("got %q, want %q", got, want)
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
