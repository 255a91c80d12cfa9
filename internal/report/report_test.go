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
	"github.com/forestall/forestall/internal/terminal"
)

func someResult() audit.Result {
	found := func(line int, rule, namespace, name, container string, level finding.Level) finding.Finding {
		return finding.Finding{
			Rule: rule, Container: container, Path: "spec", Reason: "CrashLoopBackOff, the script ends",
			Level:  level,
			Object: finding.Object{APIVersion: "v1", Kind: "Pod", Namespace: namespace, Name: name},
			Source: finding.Source{File: "pod.yaml", Line: line},
		}
	}
	return audit.Result{
		Summary: audit.Summary{
			Files: 1, Documents: 4, Objects: 2, Judged: 1, Skipped: 2, Findings: audit.Levels{Deny: 1, Audit: 1}, Ignored: 1, Warnings: 1, Errors: 1,
		},
		Findings: []finding.Finding{
			found(7, "probe", "shop", "a", "食堂", finding.Audit),
			found(12, "command-exits", "", "a", "", finding.Deny),
		},
		Ignored: []finding.Ignored{{
			Finding: found(5, "command-exits", "shop", "b", "web", finding.Deny), IgnoreReason: "by\x1bhand",
		}},
		Warnings: []audit.Warning{{Source: finding.Source{File: "pod.yaml", Line: 3}, Message: "it does not count"}},
		Errors:   []audit.Error{{Source: finding.Source{File: "pod.yaml", Line: 20}, Err: errors.New("reading YAML: no\x1b[31m end")}},
	}
}

func written(t *testing.T, r audit.Result, f Format, s terminal.Screen) string {
	t.Helper()
	var b bytes.Buffer
	sink, err := Audit(&b, f, Options{Screen: s})
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
		whole := Report{
			APIVersion: APIVersion, Kind: reportKind, Findings: []finding.Finding{},
			Ignored: []finding.Ignored{}, Warnings: []audit.Warning{}, Errors: []Error{}, Summary: r.Summary,
		}
		whole.Findings = append(whole.Findings, r.Findings...)
		whole.Ignored = append(whole.Ignored, r.Ignored...)
		whole.Warnings = append(whole.Warnings, r.Warnings...)
		for _, e := range r.Errors {
			whole.Errors = append(whole.Errors, newError(e))
		}
		var b bytes.Buffer
		if err := Indented(&b, whole); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(b.String(), written(t, r, JSON, terminal.Screen{})); diff != "" {
			t.Errorf("%s as JSON (-want +got):\n%s", name, diff)
		}
		text, err := yaml.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(sorted(string(text)), sorted(written(t, r, YAML, terminal.Screen{}))); diff != "" {
			t.Errorf("%s as YAML, lines in order (-want +got):\n%s", name, diff)
		}
		var got Report
		if err := yaml.UnmarshalStrict([]byte(written(t, r, YAML, terminal.Screen{})), &got); err != nil {
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
	parts := newTable(&b, terminal.Screen{})
	parts.most = 10
	if err := r.Tell(parts); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimPrefix(`
LOCATION    LEVEL  RULE   OBJECT            REASON
pod.yaml:7  audit  probe  Pod/shop/a, 食堂  CrashLoopBackOff, the script ends
pod.yaml:12  deny   command-exits  Pod/a             CrashLoopBackOff, the script ends
`, "\n")
	if got, _, _ := strings.Cut(b.String(), "\n\n"); got+"\n" != want {
		t.Errorf("table (-want +got):\n%s", cmp.Diff(want, got+"\n"))
	}
}

// TestTable names the rule of the worst finding last, which need not be the first.
func TestTable(t *testing.T) {
	want := strings.TrimPrefix(`
LOCATION     LEVEL  RULE           OBJECT            REASON
pod.yaml:7   audit  probe          Pod/shop/a, 食堂  CrashLoopBackOff, the script ends
pod.yaml:12  deny   command-exits  Pod/a             CrashLoopBackOff, the script ends

LOCATION    IGNORED  RULE           OBJECT           REASON GIVEN
pod.yaml:5  deny     command-exits  Pod/shop/b, web  by`+"\ufffd"+`hand

LOCATION    WARNING
pod.yaml:3  it does not count

LOCATION     ERROR
pod.yaml:20  reading YAML: no`+"\ufffd"+`[31m end

1 file, 2 objects, 1 judged, 2 documents skipped (no apiVersion and kind): 1 deny, 0 warn, 1 audit; 1 ignored; 1 warning; 1 error
Why, and how to fix it: forestall explain command-exits
`, "\n")
	if diff := cmp.Diff(want, written(t, someResult(), Table, terminal.Screen{})); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}

func TestTableOnATerminal(t *testing.T) {
	want := strings.TrimPrefix(`
<1>LOCATION<0>     <1>LEVEL<0>  <1>RULE<0>           <1>OBJECT<0>            <1>REASON<0>
pod.yaml:7   <36>audit<0>  probe          Pod/shop/a, 食堂  CrashLoopBackOff, the script ends
pod.yaml:12  <31>deny<0>   command-exits  Pod/a             CrashLoopBackOff, the script ends
`, "\n")
	got, _, _ := strings.Cut(written(t, someResult(), Table, terminal.Screen{Width: 103, Colour: true}), "\n\n")
	if diff := cmp.Diff(want, readable(got)+"\n"); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}

// TestTableOnANarrowTerminal keeps all that there is to say.
func TestTableOnANarrowTerminal(t *testing.T) {
	want := strings.TrimPrefix(`
LOCATION     LEVEL
  RULE  OBJECT
  REASON
pod.yaml:7   audit
  probe
  Pod/shop/a, 食堂
  CrashLoopBackOff, the
  script ends
pod.yaml:12  deny
  command-exits  Pod/a
  CrashLoopBackOff, the
  script ends
`, "\n")
	got, _, _ := strings.Cut(written(t, someResult(), Table, terminal.Screen{Width: 24}), "\n\n")
	if diff := cmp.Diff(want, got+"\n"); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}

// TestWorst says which of two findings the last line names.
func TestWorst(t *testing.T) {
	of := func(rule string, l finding.Level, c finding.Certainty) finding.Finding {
		return finding.Finding{Rule: rule, Level: l, Certainty: c}
	}
	hungry, dead, hazard := of("hungry", finding.Deny, finding.Possible), of("dead", finding.Deny, finding.Certain), of("hazard", finding.Warn, finding.Likely)
	for want, all := range map[string][]finding.Finding{
		"hungry": {hungry, hazard, of("later", finding.Deny, finding.Possible)},
		"dead":   {hazard, hungry, dead},
		"hazard": {hazard},
	} {
		got := written(t, audit.Result{Findings: all}, Table, terminal.Screen{})
		if !strings.HasSuffix(got, "\nWhy, and how to fix it: forestall explain "+want+"\n") {
			t.Errorf("want %s:\n%s", want, got)
		}
	}
}

// readable shows escape sequences as <number>.
func readable(text string) string {
	return strings.NewReplacer("\x1b[31m", "<31>", "\x1b[36m", "<36>", "\x1b[1m", "<1>", "\x1b[0m", "<0>").Replace(text)
}

func TestEmptyTable(t *testing.T) {
	want := "2 files, 0 objects, 0 judged: 0 deny, 0 warn, 0 audit\n"
	if got := written(t, audit.Result{Summary: audit.Summary{Files: 2}}, Table, terminal.Screen{}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEmptyListsAreLists(t *testing.T) {
	got := written(t, audit.Result{}, JSON, terminal.Screen{})
	for _, want := range []string{`"findings": [],`, `"errors": []`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in %s", want, got)
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	if _, err := Audit(&bytes.Buffer{}, "xml", Options{}); err == nil {
		t.Error("no error")
	}
}
