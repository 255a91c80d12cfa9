package lab

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ready waits until the node takes pods and pods may be made.
func (l *Lab) ready(ctx context.Context) error {
	if err := l.connectClient(); err != nil {
		return err
	}
	if err := l.wait(ctx, "waiting for the node", l.nodeReady); err != nil {
		return err
	}
	return l.wait(ctx, "waiting for the namespace default", func(ctx context.Context) error {
		return l.populated(ctx, "default")
	})
}

// connectClient makes the client. The API server has to answer by then.
func (l *Lab) connectClient() error {
	c, err := client.NewWithWatch(l.Config, client.Options{})
	if err != nil {
		return fmt.Errorf("making a client of lab %s: %w", l.Name, err)
	}
	l.Client = c
	return nil
}

func (l *Lab) nodeReady(ctx context.Context) error {
	node := &corev1.Node{}
	if err := l.Client.Get(ctx, client.ObjectKey{Name: l.nodeName()}, node); err != nil {
		return err
	}
	for _, c := range node.Status.Conditions {
		if c.Type == corev1.NodeReady && c.Status != corev1.ConditionTrue {
			return fmt.Errorf("the node is not ready: %s", c.Message)
		}
	}
	if len(node.Spec.Taints) > 0 {
		return fmt.Errorf("the node is still tainted: %s", node.Spec.Taints[0].Key)
	}
	return nil
}

// populated tells whether a namespace has what every pod in it needs.
func (l *Lab) populated(ctx context.Context, namespace string) error {
	account := &corev1.ServiceAccount{}
	if err := l.Client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "default"}, account); err != nil {
		return err
	}
	return l.Client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "kube-root-ca.crt"}, &corev1.ConfigMap{})
}
