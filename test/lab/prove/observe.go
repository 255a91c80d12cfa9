package prove

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/forestall/forestall/test/lab"
	"github.com/forestall/forestall/test/lab/observe"
	"github.com/forestall/forestall/test/lab/proof"
)

// observeEvery is the pause between two looks at what the lab has told. Changes of
// pods are looked at one by one as they come: since Kubernetes 1.35 a container
// says CrashLoopBackOff for a few milliseconds only, when its back-off is over.
const observeEvery = 200 * time.Millisecond

// observe runs a case in a namespace of its own and watches what becomes of it.
func (p *prover) observe(ctx context.Context, r *running) (err error) {
	begin := time.Now()
	defer func() {
		what := "as expected"
		if err != nil {
			what = "NOT AS EXPECTED"
		} else if r.fails {
			what = "fails as predicted"
		}
		p.tell(r, time.Since(begin), what)
	}()
	return p.inNamespace(ctx, r, "run", p.Lab.DeleteNamespace, func(namespace string) error {
		if !r.alone() {
			return p.follow(ctx, r, namespace)
		}
		bytes, err := r.report.Case.Memory()
		if err != nil {
			return err
		}
		if err := p.Lab.CapPods(bytes); err != nil {
			return err
		}
		return errors.Join(p.follow(ctx, r, namespace), p.Lab.UncapPods())
	})
}

// remove removes a namespace.
type remove func(ctx context.Context, namespace string) error

// inNamespace makes a namespace, and removes it with all that is in it. One that
// an interrupted run has left is removed first.
func (p *prover) inNamespace(ctx context.Context, r *running, purpose string, remove remove, do func(namespace string) error) error {
	namespace := fmt.Sprintf("%.16s-%s-%s", r.rule.id, r.report.Case.Name, purpose)
	if err := p.Lab.DeleteNamespace(ctx, namespace); err != nil {
		return err
	}
	if err := p.Lab.Namespace(ctx, namespace); err != nil {
		return err
	}
	err := do(namespace)
	if ctx.Err() != nil {
		return errors.Join(err, context.Cause(ctx)) // the lab goes, or the next run removes it
	}
	return errors.Join(err, remove(ctx, namespace))
}

// leave removes a namespace in which nothing runs while the proofs go on.
func (p *prover) leave(ctx context.Context, namespace string) error {
	p.leaving.Go(func() { _ = p.Lab.DeleteNamespace(ctx, namespace) }) // what stays is removed by the next run
	return nil
}

// follow applies the manifest and observes until there is nothing to wait for.
func (p *prover) follow(ctx context.Context, r *running, namespace string) error {
	objects, err := r.manifest(ctx, namespace)
	if err != nil {
		return err
	}
	for _, o := range objects {
		if err := p.create(ctx, r, o); err != nil {
			return fmt.Errorf("applying %s: %w", r.report.Case.Manifest, err)
		}
	}
	tracker := proof.NewTracker(r.report.Case)
	err = p.track(ctx, r, namespace, tracker)
	sightings, result := tracker.Result()
	r.report.Sightings = sightings
	return errors.Join(err, result)
}

func (p *prover) track(ctx context.Context, r *running, namespace string, t *proof.Tracker) error {
	begin := time.Now()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	changes, err := p.reader.podChanges(ctx, namespace)
	if err != nil {
		return err
	}
	tick := time.NewTicker(observeEvery)
	defer tick.Stop()
	for changed := (*corev1.Pod)(nil); ; {
		state, err := observe.Namespace(ctx, p.reader, namespace, changed)
		if err != nil {
			return err
		}
		after := time.Since(begin)
		if t.See(state, after) || after > r.report.Case.Within.Duration {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case changed = <-changes:
		case <-tick.C:
			changed = nil
		}
	}
}

// manifest reads the objects of a case, with its stand-ins in their places.
func (r *running) manifest(ctx context.Context, namespace string) ([]*unstructured.Unstructured, error) {
	objects, err := lab.Read(ctx, filepath.Join(r.rule.folder, r.report.Case.Manifest))
	if err != nil {
		return nil, err
	}
	for _, o := range objects {
		o.SetNamespace(namespace)
		standIn(o.Object, r.report.Case.StandIns)
	}
	return objects, nil
}

// standIn replaces images wherever containers are listed.
func standIn(node any, standIns map[string]proof.StandIn) {
	switch node := node.(type) {
	case []any:
		for _, item := range node {
			standIn(item, standIns)
		}
	case map[string]any:
		if image, ok := node["image"].(string); ok {
			if s, ok := standIns[image]; ok {
				node["image"] = s.Image
				addEnv(node, s.Env)
			}
		}
		for _, value := range node {
			standIn(value, standIns)
		}
	}
}

func addEnv(container map[string]any, env map[string]string) {
	list, _ := container["env"].([]any)
	for name, value := range env {
		list = append(list, map[string]any{"name": name, "value": value})
	}
	if len(list) > 0 {
		container["env"] = list
	}
}

// create makes one object. Where the case is about a patched manifest, forestall
// has to say what it added.
func (p *prover) create(ctx context.Context, r *running, o *unstructured.Unstructured) error {
	if !r.report.Case.Patched {
		return p.Lab.Client.Create(ctx, o)
	}
	warned := &warnings{}
	c, err := warned.client(p.Lab)
	if err != nil {
		return err
	}
	err = c.Create(ctx, o, &client.CreateOptions{})
	r.report.Patched += warned.text()
	return err
}
