package apiserver

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// pollInterval is the pause between two looks at the API server.
const pollInterval = 100 * time.Millisecond

// waitForNamespace waits until the API server has made a namespace of its own.
func (c *Cluster) waitForNamespace(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		err := c.Client.Get(ctx, client.ObjectKey{Name: name}, &corev1.Namespace{})
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for namespace %s: %w", name, errors.Join(context.Cause(ctx), err))
		case <-tick.C:
		}
	}
}

// ensureNamespace makes a namespace unless it is there.
func (c *Cluster) ensureNamespace(ctx context.Context, name string) error {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if err := c.Client.Create(ctx, namespace); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("making namespace %s: %w", name, err)
	}
	return nil
}

// readCA reads the CA that the webhook process keeps in its Secret. A process
// that is ready has written it.
func (c *Cluster) readCA(ctx context.Context) ([]byte, error) {
	secret := &corev1.Secret{}
	if err := c.Client.Get(ctx, client.ObjectKey{Namespace: Namespace, Name: CASecret}, secret); err != nil {
		return nil, fmt.Errorf("reading the webhook's CA: %w", err)
	}
	ca := secret.Data[CAKey]
	if len(ca) == 0 {
		return nil, fmt.Errorf("secret %s/%s has no %s", Namespace, CASecret, CAKey)
	}
	return ca, nil
}

// buildWebhook builds forestall-webhook from the repository, once for a cluster:
// linking it takes seconds.
func (c *Cluster) buildWebhook(ctx context.Context) (string, error) {
	c.building.Lock()
	defer c.building.Unlock()
	if c.built != "" {
		return c.built, nil
	}
	root, err := repositoryRoot()
	if err != nil {
		return "", fmt.Errorf("no forestall-webhook was given and %w", err)
	}
	binary := filepath.Join(c.Dir, "forestall-webhook")
	cmd := command(ctx, "go", "build", "-o", binary, "./cmd/forestall-webhook")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building forestall-webhook: %w\n%s", err, out)
	}
	c.built = binary
	return binary, nil
}
