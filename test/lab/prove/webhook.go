package prove

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/test/lab"
)

// askedAtATime is how many manifests are applied at a time where none is let in:
// nothing runs.
const askedAtATime = 40

// withWebhook proves what forestall does while it is in place: what it patches
// works, and every failing manifest is denied before a pod exists. What it patches
// comes first: some of that needs the node for itself, and the namespaces of what was
// denied take a while to go.
func (p *prover) withWebhook(ctx context.Context) error {
	for i := range p.rules {
		r := &p.rules[i]
		patched := p.choose(func(c *running) bool { return c.rule == r && c.report.Case.Patched })
		if len(patched(false))+len(patched(true)) == 0 {
			continue
		}
		p.Progress("forestall patches, with the configuration of " + r.id)
		var failed error
		err := p.underConfig(ctx, filepath.Join(r.folder, "config.yaml"), func() {
			failed = p.onNode(ctx, patched, p.patched)
		})
		if err := errors.Join(err, failed); err != nil {
			return err
		}
	}
	deny, err := p.denyAll(ctx)
	if err != nil {
		return err
	}
	p.Progress("forestall is in place, every rule at level deny")
	begin := time.Now()
	failing := p.choose(func(r *running) bool { return r.fails && r.rule.admitted })
	err = p.underConfig(ctx, deny, func() {
		p.atATime(ctx, askedAtATime, append(failing(false), failing(true)...), p.denied)
	})
	if err != nil {
		return err
	}
	p.Progress(fmt.Sprintf("asked about every failing manifest (%s)", time.Since(begin).Round(time.Second)))
	return nil
}

// denyAll writes a configuration that denies for every rule.
func (p *prover) denyAll(ctx context.Context) (string, error) {
	engine, err := builtin.Engine(ctx)
	if err != nil {
		return "", fmt.Errorf("reading the rules: %w", err)
	}
	c := config.Configuration{APIVersion: config.APIVersion, Kind: config.Kind, Rules: map[string]config.Rule{}}
	for _, r := range engine.Rules() {
		c.Rules[r.ID] = config.Rule{Level: finding.Deny}
	}
	text, err := yaml.Marshal(c)
	if err != nil {
		return "", fmt.Errorf("writing the webhook's configuration: %w", err)
	}
	file := filepath.Join(p.Lab.Dir, "deny.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return "", fmt.Errorf("writing the webhook's configuration: %w", err)
	}
	return file, nil
}

// underConfig does something while forestall runs with a configuration.
func (p *prover) underConfig(ctx context.Context, file string, do func()) error {
	file, err := filepath.Abs(file)
	if err != nil {
		return fmt.Errorf("resolving the webhook's configuration: %w", err)
	}
	hook, err := p.Lab.StartWebhook(ctx, lab.WebhookOptions{Binary: p.Webhook, Config: file})
	if err != nil {
		return err
	}
	err = p.Lab.WaitFor(ctx, "the API server to call forestall", p.called)
	if err == nil {
		do()
	}
	return errors.Join(err, hook.Stop(context.WithoutCancel(ctx)))
}

// called tells whether forestall is asked: a container without a memory limit
// is denied, or gets one.
func (p *prover) called(ctx context.Context) error {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "is-forestall-called"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "probe", Image: "busybox:1.37"}}},
	}
	err := p.Lab.Client.Create(ctx, pod, client.DryRunAll)
	switch {
	case apierrors.IsForbidden(err):
		return nil
	case err != nil:
		return err
	case pod.Spec.Containers[0].Resources.Limits.Memory().IsZero():
		return errors.New("nobody objects to a pod without a memory limit")
	}
	return nil
}

// denied applies a failing manifest and wants forestall to refuse it.
func (p *prover) denied(ctx context.Context, r *running) error {
	return p.inNamespace(ctx, r, "deny", p.leave, func(namespace string) error {
		objects, err := r.manifest(ctx, namespace)
		if err != nil {
			return err
		}
		stored := map[string]bool{}
		for _, o := range objects {
			err := p.Lab.Client.Create(ctx, o)
			switch {
			case err == nil:
				stored[o.GetName()] = true
			case deniedBy(err, r.rule.id):
				r.report.Denied = err.Error()
			default:
				return fmt.Errorf("applying %s with forestall in place: %w", r.report.Case.Manifest, err)
			}
		}
		if r.report.Denied == "" {
			return errors.New("forestall did not deny it")
		}
		return p.noPods(ctx, namespace, stored)
	})
}

// deniedBy tells whether a rule is a cause of a denial.
func deniedBy(err error, id string) bool {
	status, ok := errors.AsType[*apierrors.StatusError](err)
	if !ok || status.ErrStatus.Details == nil {
		return false
	}
	for _, cause := range status.ErrStatus.Details.Causes {
		if string(cause.Type) == id {
			return true
		}
	}
	return false
}

// noPods wants no pod but those that the manifest holds beside the denied ones.
func (p *prover) noPods(ctx context.Context, namespace string, stored map[string]bool) error {
	pods := &corev1.PodList{}
	if err := p.Lab.Client.List(ctx, pods, client.InNamespace(namespace)); err != nil {
		return fmt.Errorf("looking for pods: %w", err)
	}
	for i := range pods.Items {
		if !stored[pods.Items[i].Name] {
			return fmt.Errorf("forestall denied it, and still there is pod %s", pods.Items[i].Name)
		}
	}
	return nil
}

// patched observes a case that forestall has to patch.
func (p *prover) patched(ctx context.Context, r *running) error {
	if err := p.observe(ctx, r); err != nil {
		return err
	}
	if !strings.Contains(r.report.Patched, "["+r.rule.id+"]") {
		return errors.New("forestall did not say that it patched anything for this rule")
	}
	return nil
}
