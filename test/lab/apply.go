package lab

import (
	"context"
	"errors"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/forestall/forestall/internal/audit"
)

// Read reads the objects of a manifest, as forestall reads it.
func Read(ctx context.Context, file string) ([]*unstructured.Unstructured, error) {
	if _, err := os.Stat(file); err != nil {
		return nil, fmt.Errorf("reading a manifest: %w", err)
	}
	set, err := audit.Load(ctx, audit.Options{Paths: []string{file}})
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	defer func() { _ = set.Close() }() // nothing is written to it any more
	objects, errs, err := set.All(ctx)
	if err == nil && len(errs) > 0 {
		err = errs[0]
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	var all []*unstructured.Unstructured
	for _, o := range objects {
		u := &unstructured.Unstructured{}
		if err := u.UnmarshalJSON(o.Subject.Object); err != nil {
			return nil, fmt.Errorf("reading %s: %w", file, err)
		}
		all = append(all, u)
	}
	return all, nil
}

// Apply makes the objects of a manifest in a namespace, whatever namespace they
// name themselves.
func (l *Lab) Apply(ctx context.Context, namespace, file string) error {
	objects, err := Read(ctx, file)
	if err != nil {
		return err
	}
	for _, o := range objects {
		o.SetNamespace(namespace)
		if err := l.Client.Create(ctx, o); err != nil {
			return fmt.Errorf("applying %s: %w", file, err)
		}
	}
	return nil
}

// Delete deletes the objects of a manifest from a namespace.
func (l *Lab) Delete(ctx context.Context, namespace, file string) error {
	objects, err := Read(ctx, file)
	if err != nil {
		return err
	}
	var errs []error
	for _, o := range objects {
		o.SetNamespace(namespace)
		background := client.PropagationPolicy(metav1.DeletePropagationBackground)
		errs = append(errs, client.IgnoreNotFound(l.Client.Delete(ctx, o, background)))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("deleting %s: %w", file, err)
	}
	return nil
}

// Namespace makes a namespace and waits until pods can be made in it.
func (l *Lab) Namespace(ctx context.Context, name string) error {
	if err := l.Client.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}); err != nil {
		return fmt.Errorf("making namespace %s: %w", name, err)
	}
	return l.wait(ctx, "waiting for namespace "+name, func(ctx context.Context) error {
		return l.populated(ctx, name)
	})
}

// DeleteNamespace deletes a namespace, and its pods at once, and waits until
// both are gone.
func (l *Lab) DeleteNamespace(ctx context.Context, name string) error {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if err := client.IgnoreNotFound(l.Client.Delete(ctx, namespace)); err != nil {
		return fmt.Errorf("deleting namespace %s: %w", name, err)
	}
	return l.wait(ctx, "deleting namespace "+name, func(ctx context.Context) error {
		if err := l.Client.Get(ctx, client.ObjectKeyFromObject(namespace), namespace); err != nil {
			return client.IgnoreNotFound(err)
		}
		if err := l.Client.DeleteAllOf(ctx, &corev1.Pod{}, client.InNamespace(name), client.GracePeriodSeconds(1)); err != nil {
			return err
		}
		return errors.New("it is still there")
	})
}

// WaitFor tries something until it succeeds, time is up, or the lab has ended.
func (l *Lab) WaitFor(ctx context.Context, what string, try func(context.Context) error) error {
	return l.wait(ctx, "waiting for "+what, try)
}
