package report

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

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
		Summary: audit.Summary{
			Files: 1, Documents: 4, Objects: 2, Judged: 1, Skipped: 2, Findings: audit.Levels{Deny: 1, Audit: 1}, Errors: 1,
		},
		Findings: []finding.Finding{
			found(7, "command-exits", "api", finding.Deny),
			found(12, "probe", "", finding.Audit),
		},
		Errors: []audit.Error{{Source: finding.Source{File: "pod.yaml", Line: 20}, Err: errors.New("reading YAML: no\x1b[31m end")}},
	}
}

func written(t *testing.T, r audit.Result, f Format, s Screen) string {
	t.Helper()
	var b bytes.Buffer
	sink, err := Audit(&b, f, s)
	if err == nil {
		err = r.Tell(sink)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestStreams holds what is written piece by piece against the whole document.
func TestStreams(t *testing.T) {
	for name, r := range map[string]audit.Result{"some": someResult(), "nothing": {}} {
		whole := Report{APIVersion: APIVersion, Kind: reportKind, Findings: []finding.Finding{}, Errors: []Error{}, Summary: r.Summary}
		whole.Findings = append(whole.Findings, r.Findings...)
		for _, e := range r.Errors {
			whole.Errors = append(whole.Errors, newError(e))
		}
		var b bytes.Buffer
		if err := Indented(&b, whole); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(b.String(), written(t, r, JSON, Screen{})); diff != "" {
			t.Errorf("%s as JSON (-want +got):\n%s", name, diff)
		}
		text, err := yaml.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(sorted(string(text)), sorted(written(t, r, YAML, Screen{}))); diff != "" {
			t.Errorf("%s as YAML, lines in order (-want +got):\n%s", name, diff)
		}
		var got Report
		if err := yaml.UnmarshalStrict([]byte(written(t, r, YAML, Screen{})), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whole, got); diff != "" {
			t.Errorf("%s from YAML (-want +got):\n%s", name, diff)
		}
	}
}

func sorted(text string) []string { return slices.Sorted(strings.Lines(text)) }

// TestTableInParts shows rows before all are there.
func TestTableInParts(t *testing.T) {
	var b bytes.Buffer
	r := someResult()
	if err := r.Tell(&table{to: &b, most: 10}); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimPrefix(`
LOCATION    LEVEL  RULE           OBJECT      REASON
pod.yaml:7  deny   command-exits  Pod/a, api  CrashLoopBackOff, the script ends
pod.yaml:12  audit  probe          Pod/a       CrashLoopBackOff, the script ends
`, "\n")
	if got, _, _ := strings.Cut(b.String(), "\n\n"); got+"\n" != want {
		t.Errorf("table (-want +got):\n%s", cmp.Diff(want, got+"\n"))
	}
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
	if diff := cmp.Diff(want, written(t, someResult(), Table, Screen{})); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}

func TestTableOnATerminal(t *testing.T) {
	want := strings.TrimPrefix(`
<1>LOCATION<0>     <1>LEVEL<0>  <1>RULE<0>           <1>OBJECT<0>      <1>REASON<0>
pod.yaml:7   <31>deny<0>   command-exits  Pod/a, api  CrashLoopBackOff, the script ends
pod.yaml:12  <36>audit<0>  probe          Pod/a       CrashLoopBackOff, the script ends
`, "\n")
	got, _, _ := strings.Cut(written(t, someResult(), Table, Screen{Width: 80, Colour: true}), "\n\n")
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
	got, _, _ := strings.Cut(written(t, someResult(), Table, Screen{Width: 72}), "\n\n")
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
	if got := written(t, audit.Result{Summary: audit.Summary{Files: 2}}, Table, Screen{}); got != want {
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
	got := written(t, audit.Result{}, JSON, Screen{})
	for _, want := range []string{`"findings": [],`, `"errors": []`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in %s", want, got)
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	if _, err := Audit(&bytes.Buffer{}, "xml", Screen{}); err == nil {
		t.Error("no error")
	}
}
