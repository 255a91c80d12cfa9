package apiserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// callTimeout bounds the wait for the API server to act on a configuration.
const callTimeout = 30 * time.Second

// calls finds the API server's own counts of the calls to each webhook: code,
// name of the webhook, whether it rejected, how often.
var calls = regexp.MustCompile(`(?m)^apiserver_admission_webhook_request_total` +
	`\{code="(200|4\d\d)",name="([^"]+)",operation="[^"]*",rejected="(true|false)",[^}]*\} (\d+)$`)

// failedCall finds what the API server logs when it cannot call a webhook.
var failedCall = regexp.MustCompile(`(?i)failed calling webhook.*`)

// callWatch waits until the API server has called both webhooks with success.
//
// It reads the API server's counters instead of waiting for a denial: whether
// anything is denied depends on the configuration that the webhook runs with.
type callWatch struct {
	cluster            *Cluster
	rest               rest.Interface
	validate, mutate   []string // names of the webhooks in the two configurations
	validated, mutated int      // how often they were called before
}

// newCallWatch notes how often the webhooks have been called so far.
func (c *Cluster) newCallWatch(
	ctx context.Context,
	validating *admissionregistrationv1.ValidatingWebhookConfiguration,
	mutating *admissionregistrationv1.MutatingWebhookConfiguration,
) (*callWatch, error) {
	config := rest.CopyConfig(c.Config)
	config.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	raw, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("making a client for the API server's metrics: %w", err)
	}
	w := &callWatch{cluster: c, rest: raw}
	for i := range validating.Webhooks {
		w.validate = append(w.validate, validating.Webhooks[i].Name)
	}
	for i := range mutating.Webhooks {
		w.mutate = append(w.mutate, mutating.Webhooks[i].Name)
	}
	w.validated, w.mutated, err = w.count(ctx)
	return w, err
}

// wait sends pods that nobody will store until both webhooks were called.
func (w *callWatch) wait(ctx context.Context) error {
	late := fmt.Errorf("the API server did not call both webhooks within %s", callTimeout)
	ctx, cancel := context.WithTimeoutCause(ctx, callTimeout, late)
	defer cancel()
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		// Denied or not, the webhooks were asked, or were not yet.
		refused := w.cluster.Client.Create(ctx, probePod(), client.DryRunAll)
		validated, mutated, err := w.count(ctx)
		if err == nil && validated > w.validated && mutated > w.mutated {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("registering the webhooks: %w%s", errors.Join(context.Cause(ctx), refused), w.failures())
		case <-tick.C:
		}
	}
}

// count returns how often the webhooks have answered.
func (w *callWatch) count(ctx context.Context) (validated, mutated int, err error) {
	text, err := w.rest.Get().AbsPath("/metrics").DoRaw(ctx)
	if err != nil {
		return 0, 0, fmt.Errorf("reading the API server's metrics: %w", err)
	}
	return answers(text, w.validate), answers(text, w.mutate), nil
}

// answers adds up the calls of the named webhooks that were answered. The
// metric counts the calls that failed, too, but with other codes.
func answers(metrics []byte, names []string) int {
	total := 0
	for _, call := range calls.FindAllSubmatch(metrics, -1) {
		code, name, rejected := string(call[1]), string(call[2]), string(call[3])
		if !slices.Contains(names, name) || (rejected == "false" && code != "200") {
			continue
		}
		if n, err := strconv.Atoi(string(call[4])); err == nil {
			total += n
		}
	}
	return total
}

// failures quotes the API server's last complaint about calling a webhook.
func (w *callWatch) failures() string {
	text, err := os.ReadFile(filepath.Join(w.cluster.Dir, "kube-apiserver.log"))
	if err != nil {
		return ""
	}
	complaints := failedCall.FindAll(text, -1)
	if len(complaints) == 0 {
		return ""
	}
	return fmt.Sprintf("\n  the API server logged: %s", complaints[len(complaints)-1])
}

// probePod is the pod that the webhooks are first asked about.
func probePod() *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "forestall-is-called"},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name: "probe", Image: "busybox:1.37", Command: []string{"true"},
		}}},
	}
}
