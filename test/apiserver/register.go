package apiserver

import (
	"context"
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/forestall/forestall/webhook"
)

// Register makes the API server call this process, and returns when it does.
func (w *Webhook) Register(ctx context.Context) error {
	validating, mutating := w.configurations()
	called, err := w.cluster.newCallWatch(ctx, validating, mutating)
	if err != nil {
		return err
	}
	for _, object := range []client.Object{validating, mutating} {
		if err := w.cluster.put(ctx, object); err != nil {
			return fmt.Errorf("registering the webhooks: %w", err)
		}
	}
	w.cluster.mu.Lock()
	w.cluster.registered = w
	w.cluster.mu.Unlock()
	return called.wait(ctx)
}

// unregister takes the configurations away if they point at this process.
func (w *Webhook) unregister(ctx context.Context) error {
	c := w.cluster
	c.mu.Lock()
	mine := c.registered == w
	if mine {
		c.registered = nil
	}
	c.mu.Unlock()
	if !mine {
		return nil
	}
	validating, mutating := w.configurations()
	for _, object := range []client.Object{validating, mutating} {
		if err := client.IgnoreNotFound(c.Client.Delete(ctx, object)); err != nil {
			return fmt.Errorf("taking the webhooks out of the API server: %w", err)
		}
	}
	return nil
}

// configurations returns what an installation would register, with this
// process in the place of the Service: for the kinds of its configuration file.
func (w *Webhook) configurations() (
	*admissionregistrationv1.ValidatingWebhookConfiguration,
	*admissionregistrationv1.MutatingWebhookConfiguration,
) {
	return webhook.Configurations(webhook.ClientConfig{URL: w.URL, CABundle: w.CABundle}, w.kinds)
}

// put creates an object, or replaces the one of its name.
func (c *Cluster) put(ctx context.Context, object client.Object) error {
	err := c.Client.Create(ctx, object)
	if !apierrors.IsAlreadyExists(err) {
		return err
	}
	stored, ok := object.DeepCopyObject().(client.Object)
	if !ok {
		return fmt.Errorf("%T is not an API object", object)
	}
	if err := c.Client.Get(ctx, client.ObjectKeyFromObject(object), stored); err != nil {
		return err
	}
	object.SetResourceVersion(stored.GetResourceVersion())
	return c.Client.Update(ctx, object)
}
