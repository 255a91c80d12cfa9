package review

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/utils/ptr"

	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/workload"
)

// scope is what may be done about an object: the row and column of the table
// "what is judged, patched, denied".
type scope struct {
	// limit is the strongest level that the kind of object and request allow.
	limit policy.Level
	// patched is true where forestall may change the object.
	patched bool
}

// opened is a Subject after it was decoded and placed.
type opened struct {
	view    *workload.View
	old     *workload.View // on update
	object  Object
	owner   *Owner
	scope   scope
	skipped string
}

// quietSubresources change nothing that a rule judges. Anything else that is
// not known here is judged, so that a new way to change a pod does not slip through.
func quietSubresources() []string {
	return []string{"status", "scale", "eviction", "binding", "log", "exec", "attach", "portforward", "proxy", "finalize"}
}

func (r *Reviewer) open(s Subject) (opened, error) {
	c := opened{object: Object{Kind: s.Kind.Kind, Namespace: s.Namespace, Name: s.Name}}
	c.object.APIVersion = s.Kind.GroupVersion().String()
	if slices.Contains(quietSubresources(), s.Subresource) {
		c.skipped = "the subresource " + s.Subresource + " changes no pod template"
		return c, nil
	}
	view, err := r.settings.Kinds.FromObject(s.Object)
	switch {
	case errors.Is(err, workload.ErrNotJudged):
		c.skipped = s.Kind.Kind + " of " + c.object.APIVersion + " has no pod template that is known"
		return c, nil
	case err != nil:
		return c, err
	}
	c.view = view
	c.object = objectOf(s, view)
	c.owner = ownerOf(c.object.Namespace, view)
	c.scope = r.scopeOf(s, c)
	allowed := r.cap(c.object.Namespace)
	c.scope.limit = policy.Lowest(c.scope.limit, allowed)
	if allowed == policy.Off {
		c.skipped = "the mode in this namespace is off"
		return c, nil
	}
	if _, mirror := view.Meta.Annotations[corev1.MirrorPodAnnotationKey]; mirror {
		c.skipped = "a mirror pod only shows what the kubelet runs already"
		return c, nil
	}
	if s.Operation != Update || len(s.OldObject) == 0 {
		return c, nil
	}
	c.old, err = r.settings.Kinds.FromObject(s.OldObject)
	if err != nil && !errors.Is(err, workload.ErrNotJudged) { // without a template before, all of this one is new
		return c, fmt.Errorf("the stored object: %w", err)
	}
	if c.view.Meta.DeletionTimestamp != nil || c.old != nil && sameJudged(c.old, c.view) {
		c.skipped = "the update changes nothing that rules judge"
	}
	return c, nil
}

func objectOf(s Subject, v *workload.View) Object {
	o := Object{APIVersion: v.APIVersion, Kind: v.Kind, Namespace: s.Namespace, Name: v.DisplayName()}
	if o.Namespace == "" {
		o.Namespace = v.Meta.Namespace
	}
	return o
}

func ownerOf(namespace string, v *workload.View) *Owner {
	ref := v.JudgedOwner()
	if ref == nil {
		return nil
	}
	return &Owner{
		Object: Object{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: namespace, Name: ref.Name}, UID: string(ref.UID),
	}
}

// scopeOf places a request in the table. What a controller creates is not denied
// unless the settings say so: a person has already been told about the owner, and a denial here
// leaves the controller retrying. A Pod's containers cannot be patched once it exists.
func (r *Reviewer) scopeOf(s Subject, c opened) scope {
	pod := c.view.Kind == "Pod" && !c.view.Custom
	switch {
	case s.Operation == Audit:
		return scope{limit: policy.Deny, patched: pod || c.owner == nil}
	case pod && s.Operation == Update:
		return scope{limit: policy.Warn}
	case c.owner != nil:
		return scope{limit: cmp.Or(r.settings.OwnedObjects, policy.Warn), patched: pod && s.Operation == Create}
	default:
		return scope{limit: policy.Deny, patched: true}
	}
}

// sameJudged reports whether an update leaves alone what decides whether a rule
// speaks: the pod spec, the pod's labels, and the deadlines of a roll-out and of a Job.
func sameJudged(old, current *workload.View) bool {
	return equality.Semantic.DeepEqual(old.PodSpec, current.PodSpec) &&
		equality.Semantic.DeepEqual(old.PodMeta.Labels, current.PodMeta.Labels) &&
		ptr.Equal(old.Controller.ProgressDeadlineSeconds, current.Controller.ProgressDeadlineSeconds) &&
		ptr.Equal(old.Controller.ActiveDeadlineSeconds, current.Controller.ActiveDeadlineSeconds)
}

// levelInForce is the lowest of all that have a say.
func (r *Reviewer) levelInForce(f Finding, o Operation, s scope) policy.Level {
	level := policy.Lowest(r.levels[f.Rule].at(o), s.limit)
	if f.Existing { // the stored object has it too: this update is not to blame
		level = policy.Lowest(level, policy.Warn)
	}
	return level
}
