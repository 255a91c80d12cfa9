package webhook

import (
	"slices"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/workload"
)

func TestConfigurations(t *testing.T) {
	for _, test := range []struct {
		golden string
		client ClientConfig
	}{
		{"url", ClientConfig{URL: "https://localhost:9443/", CABundle: []byte("a CA")}},
		{"service", ClientConfig{Service: &Service{Namespace: "platform", Name: "forestall-webhook", Port: 8443}}},
	} {
		t.Run(test.golden, func(t *testing.T) {
			validating, mutating := Configurations(test.client, workload.Table{})
			for name, object := range map[string]any{"validating": validating, "mutating": mutating} {
				text, err := yaml.Marshal(object)
				if err != nil {
					t.Fatal(err)
				}
				golden(t, test.golden+"."+name+".yaml", string(text))
			}
		})
	}
}

// The API server is to ask about what workload can read, and nothing else.
func TestRulesCoverTheJudgedKinds(t *testing.T) {
	var want []string
	for _, k := range (workload.Table{}).Kinds() {
		want = append(want, k.Group+"/"+k.Version+"/"+k.Resource)
	}
	validating, mutating := Configurations(ClientConfig{URL: "https://localhost"}, workload.Table{})
	compare := func(name string, rules []admissionregistrationv1.RuleWithOperations, want []string) {
		t.Helper()
		got := resources(rules)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s rules\ngot  %q\nwant %q", name, got, want)
		}
	}
	compare("mutating", mutating.Webhooks[0].Rules, slices.Clone(want))
	compare("validating", validating.Webhooks[0].Rules, append(slices.Clone(want), "/v1/pods/ephemeralcontainers", "/v1/pods/resize"))
}

func resources(rules []admissionregistrationv1.RuleWithOperations) []string {
	var out []string
	for _, r := range rules {
		for _, group := range r.APIGroups {
			for _, version := range r.APIVersions {
				for _, resource := range r.Resources {
					out = append(out, group+"/"+version+"/"+resource)
				}
			}
		}
	}
	return out
}
