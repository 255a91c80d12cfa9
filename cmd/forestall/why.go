package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/audit/live"
	"github.com/forestall/forestall/internal/diagnosis"
	"github.com/forestall/forestall/internal/evidence"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/kubeapi"
	"github.com/forestall/forestall/internal/report"
	"github.com/forestall/forestall/internal/similar"
	"github.com/forestall/forestall/internal/workload"
)

// whyOptions are the flags of why.
type whyOptions struct {
	cluster   *clusterFlags
	namespace *namespaces
	config    *configFlags
	output    *choice
	noLog     bool
}

func (a app) whyCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "why TYPE/NAME",
		Short: "Say what the trouble of one workload in a cluster comes from",
		Long: `Why looks at one workload in a cluster: at what is predicted of it, at the status of its
pods, at events, endpoints and nodes, and at the last lines that the failing container
has written. It tells the one cause, what the cluster shows of it, and the fix.

The type is that of kubectl (deploy, sts, ds, job, cronjob, pod, or a custom kind of the
configuration). Of a pod or a ReplicaSet the workload that made it is looked at.

It reads what "forestall audit --cluster" reads, in one namespace, and the log, and changes nothing.
What may not be read is left out, and it says so.

Exit code: 0 when nothing fails and nothing is predicted at level deny or warn, 1 when something
does or is, 2 when the workload cannot be looked at.`,
		Example: `  forestall why deploy/web
  forestall why pod/web-7d9fb4c5c6-x2x7k -n shop --context prod
  kubectl forestall why cronjob report

  # For programs
  forestall why sts/db -o json`,
		Args: cobra.RangeArgs(1, 2),
	}
	o := whyOptions{cluster: apis(c), namespace: namespaceFlag(c), config: configFlag(c)}
	c.Flags().Lookup("namespace").Usage = "namespace of the workload (default: that of the context)"
	o.cluster.asked = true
	o.namespace.offer = o.cluster.completeNamespaces
	o.output = choose(c, "output", "o", "how to show the result", "text", "json")
	c.Flags().BoolVar(&o.noLog, "no-log", false, "do not read the log of the container")
	c.RunE = func(c *cobra.Command, args []string) error {
		d, err := a.why(c, o, args)
		if err != nil {
			return err
		}
		return a.tellWhy(d, o.output.value)
	}
	return c
}

// tellWhy writes the diagnosis.
func (a app) tellWhy(d diagnosis.Diagnosis, format string) error {
	if format == "json" {
		if err := report.Indented(a.out, d); err != nil {
			return err
		}
	} else if _, err := a.out.Write([]byte(d.Text(a.screen()))); err != nil {
		return err
	}
	if d.State != diagnosis.Fine {
		return errFound
	}
	return nil
}

func (a app) why(c *cobra.Command, o whyOptions, args []string) (d diagnosis.Diagnosis, err error) {
	cfg, err := a.configuration(c, o.config)
	if err != nil {
		return d, err
	}
	settings := cfg.AuditSettings()
	kind, name, err := namedWorkload(c, settings.Kinds, args)
	if err != nil {
		return d, err
	}
	p := a.startProgress()
	defer p.stop()
	client, err := o.cluster.connect()
	if err != nil {
		return d, err
	}
	namespace := o.namespace.last()
	for _, other := range []string{client.Namespace, metav1.NamespaceDefault} {
		if namespace == "" {
			namespace = other
		}
	}
	ctx := quiet(c.Context())
	of, err := live.Workload(ctx, client, settings.Kinds, kind, namespace, name)
	if err != nil {
		return d, err
	}
	seen := watched{Evidence: evidence.New(evidence.Options{}), pods: &diagnosis.Pods{Of: of}}
	inventory, err := live.Read(ctx, live.Options{
		Client: client, Namespaces: []string{namespace}, Evidence: seen, Progress: p.report,
		Inventory: audit.InventoryOptions{Kinds: settings.Kinds},
	})
	if err != nil {
		return d, err
	}
	defer func() { err = errors.Join(err, inventory.Close()) }()
	r, err := o.cluster.reviewer(ctx, settings, inventory.Cluster())
	if err != nil {
		return d, cfg.Locate(err)
	}
	if d, err = diagnosis.Examine(ctx, r, inventory, settings.Kinds, of); err != nil {
		return d, err
	}
	if d.Cause != nil && !o.noLog {
		d.Log = lastWords(ctx, client, namespace, d.Cause.Container(), seen.pods)
	}
	p.stop()
	return d, nil
}

// watched is Evidence that also finds the pod whose log is worth a look.
type watched struct {
	live.Evidence
	pods *diagnosis.Pods
}

// Pod looks at a pod.
func (w watched) Pod(pod *corev1.Pod, of ...finding.Object) {
	w.pods.See(pod, of...)
	w.Evidence.Pod(pod, of...)
}

const (
	// logLines and logBytes bound what is read of a log.
	logLines = 20
	logBytes = 16 << 10
)

// lastWords reads the end of a container's log; nil where there is none.
func lastWords(ctx context.Context, client *kubeapi.Client, namespace, container string, pods *diagnosis.Pods) *diagnosis.Log {
	pod, previous, ok := pods.LogOf(container)
	if !ok {
		return nil
	}
	l := &diagnosis.Log{Pod: pod, Container: container, Previous: previous, Lines: []string{}}
	lines, err := client.Log(ctx, kubeapi.Log{Namespace: namespace, Pod: pod, Container: container, Previous: previous, Lines: logLines, Bytes: logBytes})
	if err != nil {
		l.Unread = "it cannot be read: " + err.Error()
		return l
	}
	l.Lines = append(l.Lines, lines...)
	return l
}

// shortNames are those that kubectl knows for kinds of Kubernetes itself (k8s.io/kubernetes pkg/registry, ShortNames).
func shortNames() map[string]string {
	return map[string]string{
		"po": "pods", "deploy": "deployments", "sts": "statefulsets", "ds": "daemonsets", "rs": "replicasets", "rc": "replicationcontrollers", "cj": "cronjobs",
	}
}

// namedWorkload reads TYPE/NAME, or TYPE NAME.
func namedWorkload(c *cobra.Command, kinds workload.Table, args []string) (workload.Kind, string, error) {
	word, name, ok := strings.Cut(args[0], "/")
	if len(args) == 2 {
		if ok {
			return workload.Kind{}, "", usage(c, errors.New("why looks at one workload"))
		}
		name, ok = args[1], true
	}
	if !ok || word == "" || name == "" || strings.Contains(name, "/") {
		return workload.Kind{}, "", usage(c, fmt.Errorf("say which workload: forestall why deploy/%s", strings.Trim(args[0], "/")))
	}
	kind, ok := kindOf(kinds, word)
	if !ok {
		return workload.Kind{}, "", usage(c, fmt.Errorf("no kind of workload is called %q%s", word, similar.Question(word, words(kinds))))
	}
	return kind, name, nil
}

// kindOf finds a kind by what kubectl takes: its plural, its singular, a short name, with or without its group.
func kindOf(kinds workload.Table, word string) (workload.Kind, bool) {
	word = strings.ToLower(word)
	if full := shortNames()[word]; full != "" {
		word = full
	}
	word, group, grouped := strings.Cut(word, ".")
	for _, k := range kinds.Kinds() {
		if (k.Resource == word || strings.EqualFold(k.Kind, word)) && (!grouped || k.Group == group) {
			return k, true
		}
	}
	return workload.Kind{}, false
}

// words are the types that can be named.
func words(kinds workload.Table) []string {
	var all []string
	for _, k := range kinds.Kinds() {
		all = append(all, strings.ToLower(k.Kind), k.Resource)
	}
	for short := range shortNames() {
		all = append(all, short)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
