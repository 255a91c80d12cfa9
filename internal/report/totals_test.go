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

func TestTotals(t *testing.T) {
	r := someResult()
	again := r.Findings[1]
	again.Patch = []finding.Operation{{Op: "add"}}
	other := again
	other.Object.Name, other.Patch, other.Suggestion = "b", nil, []finding.Operation{{Op: "replace"}}
	r.Findings = append(r.Findings, again, other)
	r.Errors = append(r.Errors, audit.Error{Source: finding.Source{File: "gone.yaml"}, Err: errors.New("no such file or directory")})
	var b bytes.Buffer
	sink, err := AuditTotals(&b, Table, Options{Screen: terminal.Screen{}})
	if err == nil {
		err = r.Tell(sink)
	}
	if err != nil {
		t.Fatal(err)
	}
	want := strings.TrimPrefix(`
RULE           DENY  WARN  AUDIT  OBJECTS  REPAIRED  SUGGESTED  IGNORED
command-exits  3     -     -      2        1         1          1
probe          -     -     1      1        -         -          -

LOCATION    IGNORED  RULE           OBJECT           REASON GIVEN
pod.yaml:5  deny     command-exits  Pod/shop/b, web  by`+"\ufffd"+`hand

LOCATION    WARNING
pod.yaml:3  it does not count

LOCATION     ERROR
pod.yaml:20  reading YAML: no`+"\ufffd"+`[31m end
gone.yaml    no such file or directory

1 file, 2 objects, 1 judged, 2 documents skipped (no apiVersion and kind): 1 deny, 0 warn, 1 audit; 1 ignored; 1 warning; 1 error
Repaired by 'forestall fix': 1, and 1 more with --apply-suggestions
`, "\n")
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}
}

func TestTotalsInUnknownFormat(t *testing.T) {
	if _, err := AuditTotals(&bytes.Buffer{}, "xml", Options{Screen: terminal.Screen{}}); err == nil {
		t.Error("no error")
	}
}
