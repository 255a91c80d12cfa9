package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// sentReport is what is looked at of a report.
type sentReport struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Name      string            `json:"name"`
		Namespace string            `json:"namespace"`
		Labels    map[string]string `json:"labels"`
	} `json:"metadata"`
	Source  string         `json:"source"`
	Summary reportSummary  `json:"summary"`
	Results []reportResult `json:"results"`
}

func documentsOf(t *testing.T, stream []byte) []sentReport {
	t.Helper()
	var all []sentReport
	for text := range bytes.SplitSeq(stream, []byte("\n---\n")) {
		var one sentReport
		if err := yaml.Unmarshal(text, &one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

// large is a result with more in one namespace than one object can hold, each text as long as it can be.
func large() audit.Result {
	f := everything().Findings[0]
	f.Reason, f.Why, f.What, f.Fix = strings.Repeat("ü", 4000), strings.Repeat("\x00\n", 3000), strings.Repeat("\"", 5000), strings.Repeat(": ", 4000)
	var r audit.Result
	for i := range 300 {
		f.Object.Name = fmt.Sprintf("web-%03d", i)
		f.Object.Namespace = []string{"shop", "pay", "Not a namespace"}[i%3]
		r.Findings = append(r.Findings, f)
	}
	return r
}

// TestReportsAreParted: every finding stands in one report, no report is too large, and all have names of their own.
func TestReportsAreParted(t *testing.T) {
	r := large()
	for _, most := range []int{0, 50 << 10} { // the second writes long before a report is full
		var b bytes.Buffer
		sink := newReports(&b, someOptions(), openReports())
		sink.most = most
		if err := r.Tell(sink); err != nil {
			t.Fatal(err)
		}
		all := documentsOf(t, b.Bytes())
		var names []string
		findings := 0
		for _, d := range all {
			names = append(names, d.Kind+"/"+d.Metadata.Namespace+"/"+d.Metadata.Name)
			if d.Kind == "Report" {
				findings += len(d.Results)
			}
			text, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			if len(text) > 240<<10 {
				t.Errorf("%s takes %d bytes", names[len(names)-1], len(text))
			}
		}
		slices.Sort(names)
		if different := len(slices.Compact(slices.Clone(names))); findings != 300 || different != len(all) || len(all) < 5 {
			t.Errorf("%d findings in %d reports of %d names", findings, len(all), different)
		}
	}
}

// TestReportOfManyErrors leaves out what has no room, and says so.
func TestReportOfManyErrors(t *testing.T) {
	var r audit.Result
	for range 2000 {
		r.Errors = append(r.Errors, audit.Error{Source: finding.Source{File: "a.yaml"}, Err: fmt.Errorf("%s", strings.Repeat("x", 3000))})
	}
	r.Summary.Errors = 2000
	all := documentsOf(t, told(t, r, PolicyReport, someOptions()))
	if len(all) != 1 || all[0].Summary.Error != 2001 {
		t.Fatalf("%d reports with %+v", len(all), all[0].Summary)
	}
	last := all[0].Results[len(all[0].Results)-1]
	want := fmt.Sprintf("0 files, 0 objects, 0 judged: 0 deny, 0 warn, 0 audit; 2000 errors (%d of the warnings and errors are not listed)", 2001-len(all[0].Results))
	if last.Message != want || last.Result != errorResult {
		t.Errorf("got %s %q, want %q", last.Result, last.Message, want)
	}
}

func TestCutText(t *testing.T) {
	long := strings.Repeat("ü", maxMessage)
	got := cutText(long)
	if len(got) > maxMessage || !strings.HasSuffix(got, "ü…") || cutText("short\xff") != "short\ufffd" {
		t.Errorf("%d bytes, ending in %q", len(got), got[len(got)-10:])
	}
}
