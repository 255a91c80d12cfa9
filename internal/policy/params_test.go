package policy_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
)

func TestParams(t *testing.T) {
	rules := []policy.Rule{{ID: "r", Custom: policy.Custom{Params: map[string]policy.Param{
		"limit":   {Type: policy.Quantity, Default: "1Gi"},
		"seconds": {Type: policy.Integer, Default: json.Number("30")},
		"strict":  {Type: policy.Boolean, Default: false},
		"name":    {Type: policy.String, Default: "x"},
	}}}}
	defaults := map[string]any{
		"limit":   policy.QuantityParam{Text: "1Gi", Bytes: 1 << 30},
		"seconds": int64(30), "strict": false, "name": "x",
	}
	with := func(name string, v any) map[string]any {
		out := map[string]any{}
		for k, d := range defaults {
			out[k] = d
		}
		out[name] = v
		return out
	}
	for _, tt := range []struct {
		name    string
		given   map[string]map[string]any
		want    map[string]any
		wantErr string
	}{
		{"defaults", nil, defaults, ""},
		{"a quantity", map[string]map[string]any{"r": {"limit": "256Mi"}}, with("limit", policy.QuantityParam{Text: "256Mi", Bytes: 256 << 20}), ""},
		{"no quantity", map[string]map[string]any{"r": {"limit": ""}}, with("limit", policy.QuantityParam{}), ""},
		{"a number from YAML", map[string]map[string]any{"r": {"seconds": float64(5)}}, with("seconds", int64(5)), ""},
		{"a broken quantity", map[string]map[string]any{"r": {"limit": "256MB"}}, nil, `rules.r.params.limit: "256MB" is not a quantity such as 256Mi: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`},
		{"a wrong type", map[string]map[string]any{"r": {"strict": "yes"}}, nil, "rules.r.params.strict: yes is not of type boolean"},
		{"half a second", map[string]map[string]any{"r": {"seconds": 0.5}}, nil, "rules.r.params.seconds: 0.5 is not of type integer"},
		{"an unknown parameter", map[string]map[string]any{"r": {"limits": "1"}}, nil, "rules.r.params.limits: the rule has no such parameter: did you mean limit?"},
		{"an unknown rule", map[string]map[string]any{"q": {}}, nil, "rules.q: there is no such rule"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := policy.Params(rules, tt.given)
			if tt.wantErr != "" {
				if err == nil || err.Error() != tt.wantErr {
					t.Errorf("got error %v, want %s", err, tt.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got["r"]); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestLowest(t *testing.T) {
	for _, tt := range []struct {
		levels []finding.Level
		want   finding.Level
	}{
		{nil, finding.Deny},
		{[]finding.Level{finding.Deny, ""}, finding.Deny},
		{[]finding.Level{finding.Deny, finding.Warn, finding.Audit}, finding.Audit},
		{[]finding.Level{finding.Off, finding.Deny}, finding.Off},
	} {
		if got := finding.Lowest(tt.levels...); got != tt.want {
			t.Errorf("Lowest(%q) = %s, want %s", tt.levels, got, tt.want)
		}
	}
}
