package manifest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestUnrendered: braces where the API takes none make an object a template. Those that a program may read make none.
func TestUnrendered(t *testing.T) {
	const (
		deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
		helm       = ": render it first (forestall audit --helm CHART)"
		envsubst   = ": render it first (envsubst < FILE | forestall audit -f -)"
		object     = "1: apps/v1 Deployment/web"
		this       = "this is a template that was not rendered, "
	)
	spec := func(container string) string {
		return deployment + "spec:\n  template:\n    spec:\n      containers:\n      - " + container + "\n"
	}
	const c = "spec.template.spec.containers[0]"
	for name, tt := range map[string]struct {
		in   string
		want []string
	}{
		"image":           {spec(`image: "{{ .Values.image }}"`), []string{"f:8: " + this + c + `.image is "{{ .Values.image }}"` + helm}},
		"name":            {"apiVersion: v1\nkind: Service\nmetadata:\n  name: '{{ name }}'\n", []string{"f:4: " + this + `metadata.name is "{{ name }}"` + helm}},
		"number":          {deployment + "spec:\n  replicas: '{{ .Values.replicas }}'\n", []string{"f:5: " + this + `spec.replicas is "{{ .Values.replicas }}"` + helm}},
		"label":           {deployment + "spec: {template: {metadata: {labels: {app: '{% app %}'}}}}\n", []string{"f:4: " + this + `spec.template.metadata.labels.app is "{% app %}"` + helm}},
		"key":             {deployment + "spec:\n  '{{ .Values.key }}': a\n", []string{"f:4: " + this + `spec is "{{ .Values.key }}"` + helm}},
		"Helm in a value": {spec(`env: [{name: A, value: "{{ .Values.a }}"}]`), []string{"f:8: " + this + c + `.env[0].value is "{{ .Values.a }}"` + helm}},
		"envsubst, number": {
			deployment + "spec: {replicas: '${REPLICAS}'}\n", []string{"f:4: " + this + `spec.replicas is "${REPLICAS}"` + envsubst},
		},
		"envsubst, quantity":      {spec(`resources: {limits: {memory: "${MEM}"}}`), []string{"f:8: " + this + c + `.resources.limits.memory is "${MEM}"` + envsubst}},
		"envsubst in an image":    {spec(`image: "web:${TAG}"`), []string{object}},
		"template of a program":   {spec(`args: ["--format", "{{.Names}}", "${HOME}", "{% if %}"]`), []string{object}},
		"template of a sidecar":   {deployment + "spec: {template: {metadata: {annotations: {inject: '{{ with secret }}'}}}}\n", []string{object}},
		"variable of the kubelet": {spec(`volumeMounts: [{name: a, mountPath: /a, subPathExpr: $(POD)}]`), []string{object}},
		"another kind": {
			"apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {name: '{{ a }}'}\n", []string{"1: argoproj.io/v1alpha1 Workflow/{{ a }}"},
		},
		"known kind": {
			"apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: '{{ a }}'}\n", []string{"f:3: " + this + `metadata.name is "{{ a }}"` + helm},
		},
		"one of a List": {
			"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: \"{{ a }}\"}\n- {apiVersion: v1, kind: Pod, metadata: {name: b}}\n",
			[]string{"7: v1 Pod/b", "f:6: " + this + `metadata.name is "{{ a }}"` + helm},
		},
		"in a block": {deployment + "{% if a %}\nspec: {}\n{% endif %}\n", []string{
			"f:4: reading YAML: found character that cannot start any token (a template is to be rendered first: forestall audit --helm CHART)",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, outlined(t, tt.in)); diff != "" {
				t.Errorf("documents (-want +got):\n%s", diff)
			}
		})
	}
}
