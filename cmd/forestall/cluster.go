package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-logr/logr"
	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/klog/v2"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/audit/live"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/evidence"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/kubeapi"
	"github.com/forestall/forestall/internal/review"
)

// clusterFlags are the flags for what runs in a cluster.
type clusterFlags struct {
	asked, everywhere bool
	api               kubeapi.Options
	selector          string
	as                modes
}

// apis adds the flags that say which API server is asked.
func apis(c *cobra.Command) *clusterFlags {
	f := &clusterFlags{}
	all := c.Flags()
	all.StringVar(&f.api.Kubeconfig, "kubeconfig", "", "kubeconfig of the cluster (default: what KUBECONFIG lists, or ~/.kube/config, or the cluster that this runs in)")
	all.StringVar(&f.api.Context, "context", "", "context of the kubeconfig (default: the current one)")
	all.DurationVar(&f.api.Timeout, "request-timeout", time.Minute, "how long the cluster may take for one answer")
	_ = c.MarkFlagFilename("kubeconfig")
	complete(c, "request-timeout")
	_ = c.RegisterFlagCompletionFunc("context", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		names, _ := kubeapi.Contexts(f.api) // without them nothing is offered
		return names, cobra.ShellCompDirectiveNoFileComp
	})
	return f
}

// clusters adds the flags for what runs in a cluster.
func clusters(c *cobra.Command) *clusterFlags {
	f := apis(c)
	all := c.Flags()
	all.BoolVar(&f.asked, "cluster", false, "judge what runs in a cluster instead of files; nothing in it is changed")
	all.BoolVarP(&f.everywhere, "all-namespaces", "A", false, "all namespaces of the cluster, which is the default; -n is for some of them")
	all.StringVarP(&f.selector, "selector", "l", "", "only the objects of the cluster with these labels, as in app=web,tier!=cache")
	all.Var(&f.as, "as", "show what this mode would do, whatever the configuration and the labels of namespaces say; repeatable, as in --as deny or --as shop=deny")
	complete(c, "selector")
	_ = c.RegisterFlagCompletionFunc("as", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var words []string
		for _, l := range finding.Levels() {
			words = append(words, string(l))
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	})
	return f
}

// completeNamespaces offers the namespaces of the cluster, where one is asked.
func (f *clusterFlags) completeNamespaces(c *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	const most = 2 * time.Second
	if !f.asked {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	client, err := f.connect()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ctx, cancel := context.WithTimeout(quiet(c.Context()), most)
	defer cancel()
	names, _ := live.Namespaces(ctx, client) // without them nothing is offered
	return names, cobra.ShellCompDirectiveNoFileComp
}

func (f *clusterFlags) connect() (*kubeapi.Client, error) {
	o := f.api
	o.UserAgent = "forestall/" + thisVersion().Version
	return kubeapi.Connect(o)
}

// quiet keeps the library from logging: its errors are told.
func quiet(ctx context.Context) context.Context { return klog.NewContext(ctx, logr.Discard()) }

// check says what of the flags does not go together.
func (f *clusterFlags) check(c *cobra.Command, read audit.Options, namespaces []string) error {
	if !f.asked {
		for _, name := range []string{"kubeconfig", "context", "all-namespaces", "selector", "request-timeout"} {
			if c.Flags().Changed(name) {
				return usage(c, fmt.Errorf("--%s is about a cluster: add --cluster", name))
			}
		}
		if len(namespaces) > 1 {
			return usage(c, errors.New("-n names one namespace for what is in files: several are for --cluster"))
		}
		return nil
	}
	switch {
	case len(read.Paths)+len(read.Rendered) > 0:
		return usage(c, errors.New("--cluster judges what runs, and files or charts are named as well: do one after the other"))
	case c.Flags().Changed("complete"):
		return usage(c, errors.New("--complete is about files: of a cluster everything is known that may be read"))
	case f.everywhere && len(namespaces) > 0:
		return usage(c, errors.New("-A means all namespaces and -n some of them: choose one"))
	}
	return nil
}

// gathered is what an audit judges.
type gathered interface {
	audit.Source
	Cluster() *cluster.Store
	Close() error
}

// gather reads what is judged: what runs in a cluster, or files.
func (a app) gather(c *cobra.Command, o auditOptions, read audit.Options) (gathered, error) {
	f := o.cluster
	if err := f.check(c, read, o.in.namespaces.all); err != nil {
		return nil, err
	}
	if !f.asked {
		return a.load(c, read)
	}
	options := live.Options{
		Namespaces: o.in.namespaces.all, Selector: f.selector, As: f.as.assumed.String(), Progress: read.Progress,
		Inventory: audit.InventoryOptions{Kinds: read.Kinds}, Evidence: evidence.New(evidence.Options{}),
	}
	if f.selector != "" {
		selector, err := labels.Parse(f.selector)
		if err != nil {
			return nil, usage(c, fmt.Errorf("--selector: %w", err))
		}
		options.Inventory.Selector = selector
	}
	var err error
	if options.Client, err = f.connect(); err != nil {
		return nil, err
	}
	return live.Read(quiet(c.Context()), options)
}

// reviewer returns the Reviewer of an audit. In a cluster many objects are alike.
func (f *clusterFlags) reviewer(ctx context.Context, settings review.Settings, store *cluster.Store) (*review.Reviewer, error) {
	if !f.asked {
		return builtin.Reviewer(ctx, settings, store)
	}
	reviewers, err := builtin.Reviewers(ctx, store, review.NewCache())
	if err != nil {
		return nil, err
	}
	return reviewers(settings)
}

// modes is the value of --as.
type modes struct{ assumed review.Assumed }

// String returns what was asked for.
func (m *modes) String() string { return m.assumed.String() }

// Type shows in the help what is to be written.
func (*modes) Type() string { return "[NAMESPACE=]MODE" }

// Set takes a mode, or a mode for a namespace.
func (m *modes) Set(text string) error {
	in, word, named := strings.Cut(text, "=")
	if !named {
		in, word = "", text
	}
	mode, err := finding.ParseLevel(word)
	switch {
	case err != nil:
		return fmt.Errorf("the mode is one of %s", strings.Join(slices.Collect(levelWords()), ", "))
	case !named:
		m.assumed.Everywhere = mode
		return nil
	}
	if wrong := validation.IsDNS1123Label(strings.NewReplacer("*", "a", "?", "a").Replace(in)); len(wrong) > 0 {
		return fmt.Errorf("no namespace can have the name %q", in)
	}
	m.assumed.Namespaces = maps.Clone(m.assumed.Namespaces)
	if m.assumed.Namespaces == nil {
		m.assumed.Namespaces = map[string]finding.Level{}
	}
	m.assumed.Namespaces[in] = mode
	return nil
}

// levelWords yields the modes, the strongest first.
func levelWords() func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, l := range slices.Backward(finding.Levels()) {
			if !yield(string(l)) {
				return
			}
		}
	}
}
