package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/forestall/forestall/internal/cluster"
)

// namespace is the value of -n.
type namespace string

// String returns the namespace.
func (n *namespace) String() string { return string(*n) }

// Type shows in the help what is to be written.
func (*namespace) Type() string { return "NAMESPACE" }

// Set takes a name that a namespace can have.
func (n *namespace) Set(name string) error {
	if wrong := validation.IsDNS1123Label(name); len(wrong) > 0 {
		return errors.New("no namespace can have this name: " + strings.Join(wrong, "; "))
	}
	*n = namespace(name)
	return nil
}

// namespaceFlag adds -n, which means what it means to kubectl apply.
func namespaceFlag(c *cobra.Command) *string {
	var n namespace
	c.Flags().VarP(&n, "namespace", "n", "where objects go that write no namespace, as with kubectl -n")
	complete(c, "namespace")
	return (*string)(&n)
}

// tellUnsettled says which rules say less than they could, since nobody knows what goes where.
func (a app) tellUnsettled(u cluster.Unsettled) {
	var rules []string
	if u.Pods {
		rules = append(rules, "service-selects-nothing", "service-target-port-undefined")
	}
	if u.MemoryLimits {
		rules = append(rules, "memory-limit-missing")
	}
	if len(rules) > 0 {
		a.complain("some objects write their namespace and others leave it to 'kubectl -n', so that findings of " +
			strings.Join(rules, ", ") + " may be left out: -n NAMESPACE says where the others go")
	}
}
