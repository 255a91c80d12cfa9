package lab

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/forestall/forestall/internal/workload"
	"github.com/forestall/forestall/webhook"
)

const (
	// hookNamespace is where forestall-webhook keeps its CA.
	hookNamespace = "forestall"
	caSecret      = "forestall-webhook-ca"
	caKey         = "ca.crt"
	// hookPort and healthPort are inside the lab's network namespace.
	hookPort   = "9443"
	healthPort = "9440"
)

// WebhookOptions say how forestall-webhook is run.
type WebhookOptions struct {
	Binary string
	// Config is its configuration file.
	Config string
}

// Webhook is a forestall-webhook that runs in the lab.
type Webhook struct {
	lab     *Lab
	process *running
}

// StartWebhook runs forestall-webhook in the lab, beside the API server, and
// registers both webhooks. When it returns, the process serves; the API server
// takes a moment to notice a registration: see Webhook.Called.
func (l *Lab) StartWebhook(ctx context.Context, o WebhookOptions) (*Webhook, error) {
	binary, err := filepath.Abs(o.Binary)
	if err != nil {
		return nil, fmt.Errorf("resolving forestall-webhook: %w", err)
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: hookNamespace}}
	if err := l.Client.Create(ctx, namespace); err != nil && !apierrors.IsAlreadyExists(err) {
		return nil, fmt.Errorf("making the webhook's namespace: %w", err)
	}
	if err := l.endStale(ctx, filepath.Base(binary)); err != nil {
		return nil, err
	}
	process, err := l.startDaemon(daemon{name: "forestall-webhook", program: binary, args: []string{
		"--webhook-bind-address=127.0.0.1:" + hookPort,
		"--health-probe-bind-address=" + l.addresses.node.String() + ":" + healthPort,
		"--metrics-bind-address=0", "--shutdown-delay=0s",
		"--kubeconfig=" + l.Kubeconfig, "--ca-secret=" + hookNamespace + "/" + caSecret, "--dns-name=localhost",
		"--config=" + o.Config,
	}})
	if err != nil {
		return nil, err
	}
	w := &Webhook{lab: l, process: process}
	ready := "http://" + l.addresses.node.String() + ":" + healthPort + "/readyz"
	var ended error
	err = l.wait(ctx, "waiting for forestall-webhook", func(ctx context.Context) error {
		select {
		case <-process.done:
			ended = errors.New("it has ended")
			return nil
		default:
			return answersOK(ctx, http.DefaultClient, ready)
		}
	})
	err = errors.Join(err, ended)
	if err == nil {
		err = l.register(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("starting forestall-webhook: %w%s", err, quoteLog(process.log)), w.Stop(ctx))
	}
	return w, nil
}

// endStale ends the process of a run that was killed: it holds the ports.
func (l *Lab) endStale(ctx context.Context, program string) error {
	return until(ctx, "ending an earlier "+program, func() error {
		for _, pid := range l.cgroups.processes() {
			exe, err := os.Readlink(filepath.Join("/proc", strconv.Itoa(pid), "exe"))
			if err == nil && strings.TrimSuffix(filepath.Base(exe), " (deleted)") == program {
				_ = syscall.Kill(pid, syscall.SIGKILL) // one that has ended is fine, too
				return fmt.Errorf("process %d is still there", pid)
			}
		}
		return nil
	})
}

// register makes the API server call the webhook, as an installation would.
func (l *Lab) register(ctx context.Context) error {
	secret := &corev1.Secret{}
	if err := l.Client.Get(ctx, client.ObjectKey{Namespace: hookNamespace, Name: caSecret}, secret); err != nil {
		return fmt.Errorf("reading the webhook's CA: %w", err)
	}
	validating, mutating := webhook.Configurations(webhook.ClientConfig{
		URL: "https://localhost:" + hookPort, CABundle: secret.Data[caKey],
	}, workload.Table{})
	for _, o := range []client.Object{validating, mutating} {
		if err := l.Client.Create(ctx, o); err != nil && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("registering the webhooks: %w", err)
		}
	}
	return nil
}

// Stop ends the process and leaves the registration: the API server goes on
// without an answer, as on the day that forestall is down.
func (w *Webhook) Stop(ctx context.Context) error {
	_ = syscall.Kill(w.process.pid(), syscall.SIGTERM) // one that has ended is fine, too
	select {
	case <-w.process.done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("stopping forestall-webhook: %w", context.Cause(ctx))
	}
}

// Unregister takes the webhooks out of the API server.
func (l *Lab) Unregister(ctx context.Context) error {
	validating, mutating := webhook.Configurations(webhook.ClientConfig{}, workload.Table{})
	for _, o := range []client.Object{validating, mutating} {
		if err := client.IgnoreNotFound(l.Client.Delete(ctx, o)); err != nil {
			return fmt.Errorf("taking the webhooks out of the API server: %w", err)
		}
	}
	return nil
}
