package prove

import (
	"path/filepath"
	"testing"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/policies"
	"github.com/forestall/forestall/test/lab/proof"
)

// TestAudit: an audit has to find what fails, and nothing in what works.
func TestAudit(t *testing.T) {
	embedded, err := builtin.RulesOf(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	of := &rule{
		id:     "service-selects-nothing",
		folder: filepath.Join("..", "..", "..", "policies", "forestall", "rules", "service-selects-nothing", "testdata"),
	}
	for _, tt := range []struct {
		manifest   string
		fails, err bool
		want       string
	}{
		{"fail-typo.yaml", true, false, "Service web: no endpoints, no pod has the labels app=wbe"},
		{"fail-typo.yaml", false, true, "Service web: no endpoints, no pod has the labels app=wbe"},
		{"pass-selects.yaml", true, true, ""},
		{"pass-selects.yaml", false, false, ""},
	} {
		r := &running{rule: of, fails: tt.fails, report: proof.CaseReport{Case: proof.Case{Manifest: tt.manifest}}}
		if err := r.audit(t.Context(), embedded); (err != nil) != tt.err || r.report.Audited != tt.want {
			t.Errorf("%s, which fails: %t: found %q, %v", tt.manifest, tt.fails, r.report.Audited, err)
		}
	}
}
