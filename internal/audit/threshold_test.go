package audit

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/finding"
)

func TestAtLeast(t *testing.T) {
	all := Result{
		Findings: []finding.Finding{{Rule: "a", Level: finding.Deny}, {Rule: "b", Level: finding.Audit}, {Rule: "c", Level: finding.Warn}},
		Ignored:  []finding.Ignored{{Finding: finding.Finding{Rule: "d", Level: finding.Audit}}},
		Warnings: []Warning{{Message: "w"}},
		Summary:  Summary{Findings: Levels{Deny: 1, Warn: 1, Audit: 1}, Ignored: 1, Warnings: 1},
	}
	for level, notShown := range map[finding.Level]int{finding.Deny: 2, finding.Warn: 1, finding.Audit: 0} {
		want := all
		want.NotShown, want.Findings = notShown, nil
		for _, f := range all.Findings {
			if f.Level.AtLeast(level) {
				want.Findings = append(want.Findings, f)
			}
		}
		var got Result
		if err := all.Tell(AtLeast(level, &got)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", level, diff)
		}
	}
}
