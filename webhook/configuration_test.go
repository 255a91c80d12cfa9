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

// TestConfigurationsOfCustomKinds: the API server asks about the kinds of the table, each version of a
// group by a rule of its own. What audits know besides is not among them.
func TestConfigurationsOfCustomKinds(t *testing.T) {
	fleet := workload.Kind{
		Group: "example.com", Version: "v1", Kind: "Pod", Resource: "pods", TemplatePath: "spec.template", Like: "Deployment",
	}
	crew := fleet
	crew.Kind, crew.Resource = "Crew", "crews"
	old := crew
	old.Version = "v1alpha1"
	kinds, err := workload.NewTable(fleet, old, crew)
	if err != nil {
		t.Fatal(err)
	}
	validating, mutating := Configurations(ClientConfig{URL: "https://localhost"}, kinds)
	for name, rules := range map[string][]admissionregistrationv1.RuleWithOperations{
		"validating": validating.Webhooks[0].Rules, "mutating": mutating.Webhooks[0].Rules,
	} {
		builtIn := len((workload.Table{}).Kinds())
		if name == "validating" {
			builtIn += 2 // the subresources of pods
		}
		want := []string{"example.com/v1/pods", "example.com/v1/crews", "example.com/v1alpha1/crews"}
		if got := resources(rules)[builtIn:]; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if len(rules) != 5 {
			t.Errorf("%s: %d rules", name, len(rules))
		}
	}
}
