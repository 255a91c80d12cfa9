package cluster

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Namespace is what is kept of a namespace.
type Namespace struct {
	Name string
	// Mode is the value of the label ModeLabel; empty where there is none, or one that is longer than
	// any label of the API.
	Mode string
}

// NamespaceOf returns what is kept of a namespace.
func NamespaceOf(o *corev1.Namespace) *Namespace {
	mode := o.Labels[ModeLabel]
	if len(mode) > maxMode {
		mode = ""
	}
	return &Namespace{Name: o.Name, Mode: strings.Clone(mode)}
}

func (n *Namespace) place() (namespace, name string) { return "", n.Name }

func (n *Namespace) order() (kind, name string) { return "", n.Name }

func (*Namespace) found() []label { return nil }
