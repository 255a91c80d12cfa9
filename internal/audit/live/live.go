// Package live fills the Inventory of an audit from a running cluster: it lists each kind once, in pages, owners before what
// they own and pods last, and keeps no page.
package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/kubeapi"
	"github.com/forestall/forestall/internal/similar"
	"github.com/forestall/forestall/internal/workload"
)

// Options say what is read.
type Options struct {
	// Client asks the API server. Required.
	Client *kubeapi.Client
	// Inventory says what is taken in.
	Inventory audit.InventoryOptions
	// Namespaces that are read; empty for all.
	Namespaces []string
	// Selector is the text of Inventory.Selector, and As says which mode is assumed, for reports.
	Selector, As string
	// Evidence is told what the cluster reports beside its pods; nil for nothing. It is also the Observer of the Inventory.
	Evidence Evidence
	// Progress, if set, is told how far the reading is.
	Progress audit.Progress
}

// Read lists what is in the cluster. A kind that cannot be read is unknown to the audit, and the report says so. Read fails
// when nothing can be read, when the API server does not answer, and when the context ends.
func Read(ctx context.Context, o Options) (*audit.Inventory, error) {
	version, err := o.Client.Version(ctx)
	if err != nil && !apierrors.IsForbidden(err) { // some clusters tell strangers no version
		return nil, err
	}
	if o.Evidence != nil {
		o.Inventory.Observer = o.Evidence
	}
	i := audit.NewInventory(audit.Cluster{
		Name: o.Client.Cluster, Context: o.Client.Context, Server: o.Client.Server, Version: version,
		Namespaces: o.Namespaces, Selector: o.Selector, As: o.As, Rules: []audit.RuleEvidence{}, Nodes: []audit.Node{},
	}, o.Inventory)
	r := &reader{Options: o, to: i}
	if err = r.all(ctx); err == nil {
		r.conclude()
		err = i.Done()
	}
	if err != nil {
		return nil, errors.Join(err, i.Close())
	}
	return i, nil
}

// reader reads one cluster.
type reader struct {
	Options
	to *audit.Inventory
	// read counts the kinds that could be read; refused is why the first of the others could not.
	read    int
	refused error
}

// kind is a kind that is listed, and where its objects go.
type kind struct {
	schema.GroupVersionResource
	name string
	// everywhere is set for kinds without a namespace.
	everywhere bool
	// fields is a selector of fields; empty for none.
	fields string
	take   func(ctx context.Context, raws [][]byte) error
}

func (r *reader) all(ctx context.Context) error {
	if err := r.namespaces(ctx); err != nil {
		return err
	}
	served, err := r.Client.Groups(ctx)
	if err != nil && r.ends(err) {
		return err
	}
	for _, k := range r.kinds(served) {
		if err := r.list(ctx, k); err != nil {
			return err
		}
	}
	if r.read == 0 {
		return r.nothing()
	}
	return nil
}

// nothing says why nothing could be read.
func (r *reader) nothing() error {
	hint := "docs/audit.md has a ClusterRole that is enough"
	if len(r.Namespaces) == 0 {
		hint = "-n NAMESPACE reads one namespace; " + hint
	}
	return fmt.Errorf("nothing of the cluster can be read: %w (%s)", r.refused, hint)
}

// kinds are those that are listed, in order. The versions of groups that are served are empty where nobody knows them.
func (r *reader) kinds(served map[string][]string) []kind {
	all := append(r.evidence(), r.context("limitranges", "LimitRange"), r.services())
	var owned []kind
	for _, k := range ofServed(r.Inventory.Kinds.Kinds(), served) {
		one := kind{GroupVersionResource: k.GroupVersionResource(), name: k.Kind, take: func(ctx context.Context, raws [][]byte) error {
			return r.to.AddWorkloads(ctx, k, raws)
		}}
		switch {
		case k.Kind == "Pod" && k.Group == "":
			continue
		case k.Kind == "ReplicaSet" || k.Kind == "Job":
			owned = append(owned, one)
		default:
			all = append(all, one)
		}
	}
	pods := kind{GroupVersionResource: schema.GroupVersionResource{Version: "v1", Resource: "pods"}, name: "Pod", take: r.to.AddPods}
	return append(append(all, owned...), pods)
}

// ofServed returns the kinds that may be served, those of custom resources first, since they may own the others. Of a kind
// in several versions it is one: each serves the same objects.
func ofServed(kinds []workload.Kind, served map[string][]string) []workload.Kind {
	var custom, builtIn []workload.Kind
	type same struct{ group, kind string }
	at := map[same]int{}
	for _, k := range kinds {
		if !strings.Contains(k.Group, ".") {
			builtIn = append(builtIn, k)
			continue
		}
		rank := slices.Index(served[k.Group], k.Version)
		if served != nil && rank < 0 {
			continue
		}
		id := same{k.Group, k.Kind}
		if n, ok := at[id]; !ok {
			at[id] = len(custom)
			custom = append(custom, k)
		} else if rank < slices.Index(served[k.Group], custom[n].Version) {
			custom[n] = k
		}
	}
	return append(custom, builtIn...)
}

func (r *reader) context(resource, name string) kind {
	gvk := schema.GroupVersionKind{Version: "v1", Kind: name}
	return kind{
		GroupVersionResource: gvk.GroupVersion().WithResource(resource), name: name,
		take: func(_ context.Context, raws [][]byte) error { return r.to.AddContext(gvk, raws) },
	}
}

// list lists a kind.
func (r *reader) list(ctx context.Context, k kind) error {
	namespaces := r.Namespaces
	if len(namespaces) == 0 || k.everywhere {
		namespaces = []string{""}
	}
	for _, namespace := range namespaces {
		err := r.pages(ctx, k, namespace)
		switch {
		case err == nil:
			continue
		case apierrors.IsNotFound(err): // a group without this kind
			return nil
		case errors.As(err, new(*audit.Interrupted)): // says so itself
			return err
		case r.ends(err):
			return fmt.Errorf("listing %s: %w", k.Resource, err)
		}
		r.to.Unread(k.name, reasonOf(err))
		if r.refused == nil {
			r.refused = err
		}
		return nil
	}
	r.read++
	return nil
}

// pages takes in a kind of one namespace.
func (r *reader) pages(ctx context.Context, k kind, namespace string) error {
	stage := audit.Stage("listing " + k.Resource)
	done := 0
	r.tell(stage, 0, 0)
	for page, err := range r.Client.Pages(ctx, kubeapi.List{Resource: k.GroupVersionResource, Kind: k.name, Namespace: namespace, Fields: k.fields}) {
		if err != nil {
			if ctx.Err() != nil {
				return &audit.Interrupted{Stage: stage, Done: done, Err: ctx.Err()}
			}
			return err
		}
		n := len(page.Items)
		if err := k.take(ctx, page.Items); err != nil {
			if ctx.Err() != nil {
				return &audit.Interrupted{Stage: stage, Done: done, Err: ctx.Err()}
			}
			return &broken{err}
		}
		done += n
		r.tell(stage, done, done+page.Remaining)
	}
	return nil
}

// broken is an error of what takes the objects in.
type broken struct{ error }

func (r *reader) tell(stage audit.Stage, done, total int) {
	if r.Progress != nil {
		r.Progress(stage, done, total)
	}
}

// ends reports whether an error ends the audit. Others are about one kind.
func (r *reader) ends(err error) bool {
	var cut *audit.Interrupted
	var unanswered *kubeapi.Unanswered
	var own *broken
	return errors.As(err, &cut) || errors.As(err, &unanswered) || errors.As(err, &own) || apierrors.IsUnauthorized(err) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// namespaces reads those that are audited.
func (r *reader) namespaces(ctx context.Context) error {
	k := r.context("namespaces", "Namespace")
	k.everywhere = true
	if len(r.Namespaces) == 0 {
		return r.list(ctx, k)
	}
	for _, name := range r.Namespaces {
		raw, err := r.Client.Get(ctx, "/api/v1/namespaces/"+name, nil)
		switch {
		case err == nil:
			if err := r.to.AddContext(schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}, [][]byte{raw}); err != nil {
				return err
			}
		case apierrors.IsNotFound(err):
			return r.noNamespace(ctx, name)
		case r.ends(err):
			return fmt.Errorf("reading namespace %q: %w", name, err)
		default: // whoever may list what is in it need not be allowed to read it
			r.to.Unread("Namespace", reasonOf(err))
		}
	}
	return nil
}

// noNamespace says that a namespace does not exist, and which one may be meant.
func (r *reader) noNamespace(ctx context.Context, name string) error {
	names, _ := Namespaces(ctx, r.Client) // without them there is no hint
	return fmt.Errorf("the cluster has no namespace %q%s", name, similar.Question(name, names))
}

// Namespaces lists the names of all namespaces.
func Namespaces(ctx context.Context, c *kubeapi.Client) ([]string, error) {
	var names []string
	l := kubeapi.List{Resource: schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}, Kind: "Namespace"}
	for page, err := range c.Pages(ctx, l) {
		if err != nil {
			return nil, fmt.Errorf("listing namespaces: %w", err)
		}
		for _, raw := range page.Items {
			names = append(names, audit.NameOf(raw))
		}
	}
	return names, nil
}

// reasonOf returns an error in a few words.
func reasonOf(err error) string {
	if reason := apierrors.ReasonForError(err); reason != "" && reason != "Unknown" {
		return string(reason)
	}
	return err.Error()
}
