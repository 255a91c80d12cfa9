package e2e_test

import (
	"context"
	"strings"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/forestall/forestall/test/apiserver"
)

// fleets is a custom resource with a pod template at a place of its own.
const fleets = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: fleets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Fleet, listKind: FleetList, plural: fleets, singular: fleet}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
    subresources: {status: {}}
`

const fleet = "{apiVersion: example.com/v1, kind: Fleet, metadata: {name: web}, spec: {size: 1, pods: {template: " + template + "}}}"

// customKindsAreJudged where the configuration names them, and left alone before.
func customKindsAreJudged(a *api) {
	want(a.t, a.create(a.object(fleets, "")), "")
	namespace := a.namespace("custom", nil)
	a.eventually(func() error { return a.create(a.object(fleet, namespace)).err })

	hook, err := a.cluster.StartWebhook(a.t.Context(), apiserver.WebhookOptions{ConfigFile: a.configFile(`
kinds:
- {group: example.com, version: v1, kind: Fleet, resource: fleets, templatePath: spec.pods.template, like: Deployment}
`)})
	if err != nil {
		a.t.Fatal(err)
	}
	defer func() {
		if a.t.Failed() {
			a.t.Logf("log of the webhook:\n%s", hook.Logs())
		}
	}()
	got := a.create(a.object(strings.Replace(fleet, "name: web", "name: new", 1), namespace))
	want(a.t, got, denied+`Fleet "new" can fail: web: no memory limit`)
	if where := "where: spec.pods.template.spec.containers[0].resources.limits.memory\n"; !strings.Contains(got.message(), where) {
		a.t.Errorf("the message does not say %q:\n%s", where, got.message())
	}
	const existing = "forestall: web: no memory limit, it can take all memory of its node [memory-limit-missing]"
	for _, change := range []struct{ patch, warning string }{
		{`{"spec":{"size":5}}`, ""},
		{`{"status":{"ready":1}}`, ""},
		{`{"spec":{"pods":{"template":{"metadata":{"labels":{"app":"shop"}}}}}}`, existing},
	} {
		got := a.mergeCustom(namespace, change.patch)
		want(a.t, got, "")
		if change.warning == "" {
			wantWarnings(a, got)
		} else {
			wantWarnings(a, got, change.warning)
		}
	}
	want(a.t, a.mergeCustom(namespace, `{"spec":{"pods":{"template":{"spec":{"containers":[{"name":"web","image":"web:1"},{"name":"log","image":"log:1"}]}}}}}`),
		denied+`Fleet "web" can fail: log: no memory limit`)
}

// mergeCustom changes the Fleet; custom resources know no strategic merge.
func (a *api) mergeCustom(namespace, patch string) answer {
	a.t.Helper()
	return a.do(func(ctx context.Context, c client.Client) error {
		return c.Patch(ctx, a.object(fleet, namespace), client.RawPatch("application/merge-patch+json", []byte(patch)))
	})
}
