package policy_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/finding"
)

// reporting is a rule whose report is what is given; its id is "x".
func reporting(report string) string {
	return metadata + "package forestall.rules[\"x\"]\n\n" + report + "\n"
}

func TestReportsAreRead(t *testing.T) {
	const fields = `"rule": "x", "cause": "c", "container": "web", "path": "p", "reason": "r\u0007", "what": "w", "why": "y", "fix": "f"`
	want := finding.Finding{
		Rule: "x", Level: finding.Warn, Certainty: finding.Likely, Category: "test", Failure: "none",
		Cause: "c", Container: "web", Path: "p", Reason: "r\a", What: "w", Why: "y", Fix: "f",
	}
	suggesting := want
	suggesting.Suggestions = []finding.Repair{
		{Op: "set", Path: "p", Value: map[string]any{"a\a": []any{json.Number("1"), true, nil}}}, {Op: "remove", Path: "q"},
	}
	for _, tt := range []struct {
		name, report string
		want         []finding.Finding
		wantErr      string
	}{
		{"nothing", `report contains 1 if false`, nil, ""},
		{"one", `report contains {` + fields + `}`, []finding.Finding{want}, ""},
		{"a list", `report := [{` + fields + `}]`, []finding.Finding{want}, ""},
		{"what the catalogue says", `report contains {` + fields + `, "level": "deny", "links": ["l"], "failure": 1}`, []finding.Finding{want}, ""},
		{
			"suggestions", `report contains {` + fields + `, "suggestions": [{"op": "set", "path": "p", "value": {"a\u0007": [1, true, null]}}, {"op": "remove", "path": "q"}]}`,
			[]finding.Finding{suggesting},
			"",
		},
		{"of another rule", `report contains {"rule": "y"}`, nil, `reading the report: it holds a finding of rule "y"`},
		{"no report", `report := 1`, nil, "the report is no set"},
		{"no finding", `report contains 1`, nil, "reading the report: 1 is no finding"},
		{"a number for a text", `report contains {"rule": "x", "why": 1}`, nil, `reading the report: "why" of a finding: 1 is no text`},
		{"an unknown field", `report contains {"rule": "x", "wy": "y"}`, nil, `reading the report: "wy" of a finding: there is no such field`},
		{
			"an unknown field of a repair", `report contains {"rule": "x", "repairs": [{"opp": "set"}]}`, nil,
			`reading the report: "repairs" of a finding: json: unknown field "opp"`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := load(t, map[string]string{"x": reporting(tt.report)})
			got, failed, err := e.Evaluate(t.Context(), nil, input(), e.Rules())
			if err != nil {
				t.Fatal(err)
			}
			var gotErr []string
			for _, f := range failed {
				gotErr = append(gotErr, f.Err.Error())
			}
			if diff := cmp.Diff(tt.wantErr, strings.Join(gotErr, "\n")); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}
