package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/forestall/forestall/test/apiserver"
)

// The titles of the two parts.
const (
	defaultPart = "default configuration"
	limitPart   = "with a default limit"
)

// demo is one showing.
type demo struct {
	examples     string // folder of the manifests
	defaultLimit string // configuration file of the second part
	webhook      string // binary; built from the repository when empty
	keep         bool
	out          *printer
}

// result is what came of applying one manifest.
type result struct {
	output  string // kubectl's, as on a terminal
	diff    string // what forestall changed
	outcome outcome
}

// run shows everything and takes it down again.
func (d *demo) run(ctx context.Context) (err error) {
	begin := time.Now()
	examples, err := loadExamples(d.examples)
	if err != nil {
		return err
	}
	var cluster *apiserver.Cluster
	err = d.out.step("starting a Kubernetes API server (etcd and kube-apiserver) on loopback", func() error {
		cluster, err = apiserver.Start(ctx, apiserver.Options{})
		return err
	})
	if err != nil {
		return err
	}
	defer func() {
		if ctx.Err() != nil {
			d.out.line("\ninterrupted: cleaning up…")
		}
		stopErr := cluster.Stop()
		if ctx.Err() != nil && stopErr != nil {
			d.out.line("%v", stopErr) // the caller only says that it was interrupted
		}
		err = errors.Join(err, stopErr)
	}()
	if err := d.makeOffNamespace(ctx, cluster); err != nil {
		return err
	}

	first, err := d.showDefault(ctx, cluster, examples)
	if err != nil {
		return err
	}
	second, err := d.showDefaultLimit(ctx, cluster, examples)
	if err != nil {
		return err
	}

	d.out.part("summary")
	d.out.summary(defaultPart, first)
	d.out.summary(limitPart, second)
	d.out.line("\n%d manifests on a real API server in %.0fs", len(examples), time.Since(begin).Seconds())
	if d.keep {
		return d.stay(ctx, cluster)
	}
	if n := len(first.mismatches) + len(second.mismatches); n > 0 {
		return fmt.Errorf("%d outcomes are not what the headers of the examples expect", n)
	}
	return nil
}

// showDefault applies every example under the default configuration.
func (d *demo) showDefault(ctx context.Context, cluster *apiserver.Cluster, examples []example) (tally, error) {
	return d.show(ctx, cluster, shown{
		title:    "1. " + defaultPart,
		examples: examples,
		want:     func(e example) outcome { return e.expect },
	})
}

// showDefaultLimit applies the examples that a default memory limit repairs.
func (d *demo) showDefaultLimit(ctx context.Context, cluster *apiserver.Cluster, examples []example) (tally, error) {
	var repaired []example
	for _, e := range examples {
		if e.withDefaultLimit != "" {
			repaired = append(repaired, e)
		}
	}
	return d.show(ctx, cluster, shown{
		title:    "2. " + limitPart + " (" + d.defaultLimit + ")",
		config:   d.defaultLimit,
		examples: repaired,
		want:     func(e example) outcome { return e.withDefaultLimit },
	})
}

// shown is one part of the demo.
type shown struct {
	title    string
	config   string // of forestall-webhook; its defaults when empty
	examples []example
	want     func(example) outcome
}

// show runs forestall-webhook with one configuration and applies manifests.
func (d *demo) show(ctx context.Context, cluster *apiserver.Cluster, part shown) (tally, error) {
	t := tally{seen: map[outcome]int{}}
	d.out.part(part.title)
	hook, err := d.startWebhook(ctx, cluster, part.config)
	if err != nil {
		return t, err
	}
	d.out.line("")
	for _, e := range part.examples {
		r, err := apply(ctx, cluster, e.file)
		if err != nil {
			return t, err
		}
		want := part.want(e)
		d.out.manifest(e, r, want)
		t.seen[r.outcome]++
		if r.outcome != want {
			t.mismatches = append(t.mismatches, fmt.Sprintf("%s is %s, expected %s", e.file, r.outcome, want))
		}
	}
	return t, hook.Stop(ctx)
}

// startWebhook starts forestall-webhook and registers it.
func (d *demo) startWebhook(ctx context.Context, cluster *apiserver.Cluster, config string) (hook *apiserver.Webhook, err error) {
	err = d.out.step("starting forestall-webhook and registering it with the API server", func() error {
		hook, err = cluster.StartWebhook(ctx, apiserver.WebhookOptions{Binary: d.webhook, ConfigFile: config})
		return err
	})
	return hook, err
}

// apply applies a manifest as a person would, after asking what would change.
func apply(ctx context.Context, cluster *apiserver.Cluster, file string) (result, error) {
	var r result
	var err error
	if r.diff, err = preview(ctx, cluster, file); err != nil {
		return r, err
	}
	// One buffer for both: a terminal shows them in the order of writing.
	var terminal bytes.Buffer
	cmd := cluster.KubectlCommand(ctx, "apply", "-f", file)
	cmd.Stdout, cmd.Stderr = &terminal, &terminal
	exit := apiserver.ExitCode(cmd.Run(), &terminal)
	if err := ctx.Err(); err != nil {
		return r, err
	}
	r.output = terminal.String()
	r.outcome = classify(r.output, exit, r.diff)
	return r, nil
}

// makeOffNamespace makes the namespace that forestall is not asked about.
func (d *demo) makeOffNamespace(ctx context.Context, cluster *apiserver.Cluster) error {
	for _, args := range [][]string{
		{"create", "namespace", offNamespace},
		{"label", "namespace", offNamespace, "forestall.dev/mode=off"},
	} {
		if _, stderr, exit := cluster.Kubectl(ctx, args...); exit != 0 {
			return fmt.Errorf("kubectl %s: %s", strings.Join(args, " "), strings.TrimSpace(stderr))
		}
	}
	return nil
}
