package cluster

import corev1 "k8s.io/api/core/v1"

// Namespace is what is kept of a namespace.
type Namespace struct {
	Name string
	// Mode is the value of the label ModeLabel; empty where there is none.
	Mode string
}

// NamespaceOf returns what is kept of a namespace.
func NamespaceOf(o *corev1.Namespace) *Namespace {
	return &Namespace{Name: o.Name, Mode: o.Labels[ModeLabel]}
}

func (n *Namespace) place() (namespace, name string) { return "", n.Name }

func (*Namespace) found() []label { return nil }
