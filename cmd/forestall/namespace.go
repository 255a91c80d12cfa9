package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/forestall/forestall/internal/cluster"
)

// namespaces is the value of -n, which may be given several times.
type namespaces struct {
	all []string
	// offer, if set, tells the shell which there are.
	offer cobra.CompletionFunc
}

// String returns the namespaces.
func (n *namespaces) String() string { return strings.Join(n.all, ",") }

// last returns the one that was given last; empty for none. It counts where there can be only one.
func (n *namespaces) last() string {
	if len(n.all) == 0 {
		return ""
	}
	return n.all[len(n.all)-1]
}

// Type shows in the help what is to be written.
func (*namespaces) Type() string { return "NAMESPACE" }

// Set takes a name that a namespace can have.
func (n *namespaces) Set(name string) error {
	if wrong := validation.IsDNS1123Label(name); len(wrong) > 0 {
		return errors.New("no namespace can have this name: " + strings.Join(wrong, "; "))
	}
	if !slices.Contains(n.all, name) {
		n.all = append(n.all, name)
	}
	return nil
}

// namespaceFlag adds -n, which means what it means to kubectl apply.
func namespaceFlag(c *cobra.Command) *namespaces {
	n := &namespaces{}
	c.Flags().VarP(n, "namespace", "n", "where objects go that write no namespace, as with kubectl -n")
	_ = c.RegisterFlagCompletionFunc("namespace", func(c *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if n.offer == nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return n.offer(c, args, begun)
	})
	return n
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
		a.note("some objects write their namespace and others leave it to 'kubectl -n', so that findings of " +
			strings.Join(rules, ", ") + " may be left out: -n NAMESPACE says where the others go")
	}
}
