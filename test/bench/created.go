package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/forestall/forestall/test/apiserver"
	"github.com/forestall/forestall/test/bench/shapes"
	"github.com/forestall/forestall/webhook"
)

// The two namespaces: in one the API server asks both webhooks about a Deployment, the other
// has opted out.
const (
	askedNamespace = shapes.Namespace
	quietNamespace = "quiet"
)

// objectsPerSecond is how many Deployments are created in each namespace for each second of the
// span of other measurements: so many take about as long.
const objectsPerSecond = 100

// writeCreated measures what forestall adds to the creation of a Deployment, through a real API server.
func writeCreated(ctx context.Context, b *strings.Builder, o options) error {
	if !o.measures("API server") {
		return nil
	}
	fmt.Fprintln(os.Stderr, "creating Deployments through an API server…")
	cluster, err := apiserver.Start(ctx, apiserver.Options{})
	if err != nil {
		return err
	}
	err = measureCreated(ctx, b, cluster, max(1, int(o.span.Seconds()*objectsPerSecond)))
	return errors.Join(err, cluster.Stop())
}

func measureCreated(ctx context.Context, b *strings.Builder, cluster *apiserver.Cluster, count int) error {
	if _, err := cluster.StartWebhook(ctx, apiserver.WebhookOptions{}); err != nil {
		return err
	}
	for name, labels := range map[string]map[string]string{askedNamespace: nil, quietNamespace: {webhook.ModeLabel: webhook.ModeOff}} {
		if err := cluster.Client.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}); err != nil {
			return fmt.Errorf("making the namespaces: %w", err)
		}
	}
	fmt.Fprintf(b, "\n## Through the API server\n\nMilliseconds from the call to the answer, for %d Deployments each, created one after the other: by turns in a namespace where the API\n"+
		"server asks forestall, first `%s` and then `%s`, and in one that has opted out (`%s: %s`), where it asks nobody. API server, etcd,\n"+
		"forestall and the client share the processors.\n\n", count, webhook.MutatePath, webhook.ValidatePath, webhook.ModeLabel, webhook.ModeOff)
	b.WriteString("| object | without: p50 | p99 | with: p50 | p99 | added: p50 | p99 |\n|---|---|---|---|---|---|---|\n")
	for _, repeated := range []bool{false, true} {
		what := shapes.Shape{Kind: "Deployment", Containers: 3, Full: true, Repeated: repeated}
		if err := areAsked(ctx, cluster.Client, what); err != nil {
			return err
		}
		without, with, err := create(ctx, cluster.Client, what, count)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "| %s |", what)
		for _, s := range []sample{without, with} {
			fmt.Fprintf(b, " %.2f | %.2f |", milliseconds(s.quantile(0.5)), milliseconds(s.quantile(0.99)))
		}
		fmt.Fprintf(b, " %.2f | %.2f |\n", milliseconds(with.quantile(0.5)-without.quantile(0.5)), milliseconds(with.quantile(0.99)-without.quantile(0.99)))
	}
	return nil
}

// areAsked makes sure that forestall is asked in one namespace and not in the other: a Deployment that
// would fail is denied there alone.
func areAsked(ctx context.Context, c client.Client, what shapes.Shape) error {
	what.Failing = true
	for namespace, denied := range map[string]bool{askedNamespace: true, quietNamespace: false} {
		object := what.Object(0)
		object.SetNamespace(namespace)
		err := c.Create(ctx, object, client.DryRunAll)
		if (err != nil) != denied || denied && !apierrors.IsForbidden(err) {
			return fmt.Errorf("a Deployment that would fail, in %s: %w", namespace, err)
		}
	}
	return nil
}

// create creates Deployments by turns in the two namespaces. The first few are not counted.
func create(ctx context.Context, c client.Client, what shapes.Shape, count int) (without, with sample, err error) {
	warmUps := count / 10
	for i := range warmUps + count {
		for namespace, s := range map[string]*sample{askedNamespace: &with, quietNamespace: &without} { // the first is any of the two
			object := what.Object(i)
			object.SetNamespace(namespace)
			object.SetName(fmt.Sprintf("%s-%t", object.GetName(), what.Repeated))
			begin := time.Now()
			if err := c.Create(ctx, object); err != nil {
				return without, with, fmt.Errorf("creating a Deployment in %s: %w", namespace, err)
			}
			if i >= warmUps {
				s.latencies = append(s.latencies, time.Since(begin))
			}
		}
	}
	slices.Sort(without.latencies)
	slices.Sort(with.latencies)
	return without, with, nil
}
