package explain_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/explain"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
)

// The page of a rule shows defaults as they are written in the configuration file.
func TestRulePageParameters(t *testing.T) {
	page := explain.RulePage(policy.Rule{ID: "r", Custom: policy.Custom{Params: map[string]policy.Param{
		"cores":  {Type: policy.Integer, Default: json.Number("100"), Description: "Cores."},
		"limit":  {Type: policy.Quantity, Default: "", Description: "A limit."},
		"strict": {Type: policy.Boolean, Default: true, Description: "Strict."},
	}}}, "")
	_, got, _ := strings.Cut(page, "## Parameters\n\n")
	want := "| name | type | default | meaning |\n|---|---|---|---|\n" +
		"| `cores` | integer | `100` | Cores. |\n| `limit` | quantity | `\"\"` | A limit. |\n| `strict` | boolean | `true` | Strict. |\n" +
		"\nSet them in the configuration file under `rules.r.params`.\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The page of a rule says what of a running cluster's reports confirms it.
func TestRulePageConfirmations(t *testing.T) {
	for want, custom := range map[string]policy.Custom{
		`| Confirmed by | terminated OOMKilled, exit code 137; event FailedScheduling ("Insufficient cpu") |`: {ConfirmedBy: []finding.Confirmation{
			{Terminated: "OOMKilled", ExitCode: new(int32(137))}, {Event: "FailedScheduling", Message: "Insufficient cpu"},
		}},
		"| Confirmed by | nothing: the field has no effect |": {Unconfirmed: "the field has no effect"},
		"| Confirmed by | nothing |":                          {},
	} {
		if page := explain.RulePage(policy.Rule{ID: "r", Custom: custom}, ""); !strings.Contains(page, "\n"+want+"\n") {
			t.Errorf("not there: %s\nin:\n%s", want, page)
		}
	}
}
