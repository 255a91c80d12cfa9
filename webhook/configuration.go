package webhook

import (
	"cmp"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/workload"
)

// The names under which the webhooks are registered. People see the name of the
// validating webhook in every denial.
const (
	ConfigurationName     = "forestall"
	ValidatingWebhookName = "validate.forestall.dev"
	MutatingWebhookName   = "mutate.forestall.dev"

	// ModeLabel on a namespace caps the levels in it; ModeOff keeps the API server
	// from asking at all.
	ModeLabel = cluster.ModeLabel
	ModeOff   = "off"

	// defaultNamespace is where forestall runs if nobody says otherwise.
	defaultNamespace = "forestall"

	// timeoutSeconds is how long the API server waits. What is admitted is delayed
	// by at most this much when forestall is gone.
	timeoutSeconds = 5
)

// ClientConfig says how the API server reaches the webhook: by URL, or by Service.
type ClientConfig struct {
	// URL is the base of the URLs; the paths are added to it.
	URL string
	// Service in the cluster; nil where URL is set.
	Service *Service
	// CABundle is the PEM of the CAs that sign the serving certificate.
	CABundle []byte
}

// Service is a Service in front of the webhook.
type Service struct {
	Namespace, Name string
	// Port of the Service; 0 for the API's default, 443.
	Port int32
}

// at returns the client configuration for one path.
func (c ClientConfig) at(path string) admissionregistrationv1.WebhookClientConfig {
	out := admissionregistrationv1.WebhookClientConfig{CABundle: c.CABundle}
	if c.Service == nil {
		url := strings.TrimSuffix(c.URL, "/") + path
		out.URL = &url
		return out
	}
	out.Service = &admissionregistrationv1.ServiceReference{
		Namespace: c.Service.Namespace, Name: c.Service.Name, Path: &path,
	}
	if c.Service.Port != 0 {
		out.Service.Port = &c.Service.Port
	}
	return out
}

// Configurations returns what registers the webhook with an API server. The rules
// name the kinds of the table, so the API server asks about those alone; the zero table
// names the built-in kinds.
func Configurations(c ClientConfig, kinds workload.Table) (
	*admissionregistrationv1.ValidatingWebhookConfiguration,
	*admissionregistrationv1.MutatingWebhookConfiguration,
) {
	return validatingConfiguration(c, kinds), mutatingConfiguration(c, kinds)
}

func validatingConfiguration(c ClientConfig, kinds workload.Table) *admissionregistrationv1.ValidatingWebhookConfiguration {
	return &admissionregistrationv1.ValidatingWebhookConfiguration{
		TypeMeta:   typeMeta("ValidatingWebhookConfiguration"),
		ObjectMeta: metav1.ObjectMeta{Name: ConfigurationName},
		Webhooks: []admissionregistrationv1.ValidatingWebhook{{
			Name:         ValidatingWebhookName,
			ClientConfig: c.at(ValidatePath),
			// Pods are changed through these two as well.
			Rules:             rules(kinds, "pods/ephemeralcontainers", "pods/resize"),
			FailurePolicy:     new(admissionregistrationv1.Ignore),
			MatchPolicy:       new(admissionregistrationv1.Equivalent),
			NamespaceSelector: namespaces(c),
			// An Event on the owner of what a controller really creates.
			SideEffects:             new(admissionregistrationv1.SideEffectClassNoneOnDryRun),
			TimeoutSeconds:          new(int32(timeoutSeconds)),
			AdmissionReviewVersions: []string{"v1"},
		}},
	}
}

func mutatingConfiguration(c ClientConfig, kinds workload.Table) *admissionregistrationv1.MutatingWebhookConfiguration {
	return &admissionregistrationv1.MutatingWebhookConfiguration{
		TypeMeta:   typeMeta("MutatingWebhookConfiguration"),
		ObjectMeta: metav1.ObjectMeta{Name: ConfigurationName},
		Webhooks: []admissionregistrationv1.MutatingWebhook{{
			Name:                    MutatingWebhookName,
			ClientConfig:            c.at(MutatePath),
			Rules:                   rules(kinds),
			FailurePolicy:           new(admissionregistrationv1.Ignore),
			MatchPolicy:             new(admissionregistrationv1.Equivalent),
			NamespaceSelector:       namespaces(c),
			SideEffects:             new(admissionregistrationv1.SideEffectClassNone),
			TimeoutSeconds:          new(int32(timeoutSeconds)),
			AdmissionReviewVersions: []string{"v1"},
			// A webhook after ours may add a container; our patches are idempotent.
			ReinvocationPolicy: new(admissionregistrationv1.IfNeededReinvocationPolicy),
		}},
	}
}

func typeMeta(kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: admissionregistrationv1.SchemeGroupVersion.String(), Kind: kind}
}

// rules returns one rule for each API group of the judged kinds, in their order.
// The subresources of pods go with the pods.
func rules(kinds workload.Table, podSubresources ...string) []admissionregistrationv1.RuleWithOperations {
	var out []admissionregistrationv1.RuleWithOperations
	for _, k := range kinds.Kinds() {
		resources := []string{k.Resource}
		if k.Group == "" && k.Resource == "pods" {
			resources = append(resources, podSubresources...)
		}
		at := slices.IndexFunc(out, func(r admissionregistrationv1.RuleWithOperations) bool {
			return r.APIGroups[0] == k.Group && r.APIVersions[0] == k.Version
		})
		if at >= 0 {
			out[at].Resources = append(out[at].Resources, resources...)
			continue
		}
		out = append(out, admissionregistrationv1.RuleWithOperations{
			Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create, admissionregistrationv1.Update},
			Rule: admissionregistrationv1.Rule{
				APIGroups: []string{k.Group}, APIVersions: []string{k.Version}, Resources: resources,
				Scope: new(admissionregistrationv1.NamespacedScope),
			},
		})
	}
	return out
}

// namespaces keeps out the namespaces that a cluster needs to recover, forestall's
// own, and those that opted out.
func namespaces(c ClientConfig) *metav1.LabelSelector {
	own := ""
	if c.Service != nil {
		own = c.Service.Namespace
	}
	notIn := func(key string, values ...string) metav1.LabelSelectorRequirement {
		return metav1.LabelSelectorRequirement{Key: key, Operator: metav1.LabelSelectorOpNotIn, Values: values}
	}
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
		notIn("kubernetes.io/metadata.name", Unjudged(own)...),
		notIn(ModeLabel, ModeOff),
	}}
}

// Unjudged returns the names of the namespaces of which an API server asks nothing, where forestall
// runs in the given one; empty for the usual one.
func Unjudged(own string) []string {
	return []string{metav1.NamespaceSystem, metav1.NamespacePublic, "kube-node-lease", cmp.Or(own, defaultNamespace)}
}
