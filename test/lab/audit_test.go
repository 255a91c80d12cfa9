package lab_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/audit/live"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/evidence"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/kubeapi"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/policies"
	"github.com/forestall/forestall/test/lab"
)

// TestAudit runs examples that fail beside workloads that work, and audits the cluster: each must come to stand in its
// group, with what a real kubelet reports of it.
func TestAudit(t *testing.T) {
	l := lab.StartT(t)
	const namespace = "shop"
	if err := l.Namespace(t.Context(), namespace); err != nil {
		t.Fatal(err)
	}
	examples := filepath.Join("..", "..", "examples")
	for _, file := range []string{
		filepath.Join(examples, "one-shot-command.yaml"), filepath.Join(examples, "command-in-one-element.yaml"),
		filepath.Join(examples, "cpu-beyond-the-node.yaml"), filepath.Join(examples, "job-done-right.yaml"),
		filepath.Join("testdata", "audit.yaml"),
	} {
		if err := l.Apply(t.Context(), namespace, file); err != nil {
			t.Fatal(err)
		}
	}
	want := groups{
		Happening: []string{
			"Deployment/command-in-one-element command-not-executable: terminated StartError 128",
			"Deployment/cpu-beyond-the-node cpu-quantity-implausible: event FailedScheduling",
			"Deployment/one-shot-command command-exits: terminated Completed 0",
		},
		Predicted: []string{"Deployment/unlimited memory-limit-missing"},
		Troubles: []string{
			"Deployment/hungry eater: OOMKilled, exit code 137",
			"Pod/unconfigured server: CreateContainerConfigError",
			"Pod/unpulled server: ErrImagePull or ImagePullBackOff",
		},
		Confirmed: []string{"command-exits 1 of 1", "command-not-executable 1 of 1", "cpu-quantity-implausible 1 of 1", "memory-limit-missing 0 of 1"},
	}
	rules, err := builtin.RulesOf(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	err = l.WaitFor(t.Context(), "everything to be as predicted", func(ctx context.Context) error {
		got, err := auditOf(ctx, l, namespace, rules)
		if err != nil {
			return err
		}
		if diff := cmp.Diff(want, got); diff != "" {
			return fmt.Errorf("(-want +got):\n%s", diff)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// groups are what an audit tells of a cluster, a line for each.
type groups struct{ Happening, Predicted, Troubles, Confirmed []string }

func auditOf(ctx context.Context, l *lab.Lab, namespace string, rules *builtin.Rules) (g groups, err error) {
	client, err := kubeapi.Connect(kubeapi.Options{Kubeconfig: l.Kubeconfig})
	if err != nil {
		return g, err
	}
	inventory, err := live.Read(ctx, live.Options{Client: client, Namespaces: []string{namespace}, Evidence: evidence.New(evidence.Options{})})
	if err != nil {
		return g, err
	}
	defer func() { _ = inventory.Close() }()
	r, err := rules.Reviewer(review.Settings{}, inventory.Cluster())
	if err != nil {
		return g, err
	}
	var found audit.Result
	if _, err := (audit.Run{Reviewer: r, Source: inventory, Sink: &found}).Do(ctx); err != nil {
		return g, err
	}
	for i := range found.Findings {
		g.add(&found.Findings[i])
	}
	for _, t := range found.Troubles {
		reason := strings.NewReplacer("ErrImagePull", "ErrImagePull or ImagePullBackOff", "ImagePullBackOff", "ErrImagePull or ImagePullBackOff").Replace(t.Reason)
		g.Troubles = append(g.Troubles, fmt.Sprintf("%s/%s %s: %s", t.Object.Kind, t.Object.Name, t.Container, reason))
	}
	for _, c := range found.Cluster.Rules {
		g.Confirmed = append(g.Confirmed, fmt.Sprintf("%s %d of %d", c.Rule, c.Happening, c.Findings))
	}
	for _, list := range [][]string{g.Happening, g.Predicted, g.Troubles} {
		slices.Sort(list)
	}
	return g, nil
}

// add takes in a finding, with what the cluster reports of it first.
func (g *groups) add(f *finding.Finding) {
	line := fmt.Sprintf("%s/%s %s", f.Object.Kind, f.Object.Name, f.Rule)
	if f.Status != finding.Happening {
		g.Predicted = append(g.Predicted, line)
		return
	}
	first := f.Evidence[0]
	line += fmt.Sprintf(": %s %s", first.Kind, first.Reason)
	if first.ExitCode != nil {
		line += fmt.Sprintf(" %d", *first.ExitCode)
	}
	g.Happening = append(g.Happening, line)
}
