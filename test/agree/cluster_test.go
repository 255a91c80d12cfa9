package agree_test

import (
	"strings"
	"testing"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/audit/live"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/kubeapi"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/test/apiserver"
)

// auditCluster audits everything that was created, in one run, and gives each world what was found in its namespaces.
func auditCluster(t *testing.T, cluster *apiserver.Cluster, worlds []*world, rules *builtin.Rules, s review.Settings) {
	t.Helper()
	client, err := kubeapi.Connect(kubeapi.Options{Kubeconfig: cluster.Kubeconfig})
	if err != nil {
		t.Fatal(err)
	}
	inventory, err := live.Read(t.Context(), live.Options{Client: client})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = inventory.Close() }()
	r, err := rules.Reviewer(s, inventory.Cluster())
	if err != nil {
		t.Fatal(err)
	}
	var found audit.Result
	if _, err := (audit.Run{Reviewer: r, Source: inventory, Sink: &found}).Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, e := range found.Errors {
		t.Error(e)
	}
	of := map[string]*world{}
	for _, w := range worlds {
		for _, namespace := range w.namespaces {
			of[namespace] = w
		}
	}
	for _, v := range verdictsOf(found.Findings) {
		_, rest, _ := strings.Cut(v.Object, "/")
		namespace, _, _ := strings.Cut(rest, "/")
		if w := of[namespace]; w != nil {
			w.cluster = append(w.cluster, v)
		}
	}
}
