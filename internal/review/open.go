package review

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/workload"
)

// opened is a Subject after it was decoded and placed.
type opened struct {
	now     *judged
	old     *judged // on update
	object  finding.Object
	owner   *Owner
	sender  Sender
	scope   scope
	skipped string
	skip    Skip
	// idle says why the object runs nothing; empty where it may.
	idle string
	// tooLarge and oldTooLarge say that an object was not decoded: of its pod template nothing is known.
	tooLarge, oldTooLarge bool
}

// quietSubresources change nothing that a rule judges. Anything else that is
// not known here is judged, so that a new way to change a pod does not slip through.
func quietSubresources() []string {
	return []string{"status", "scale", "eviction", "binding", "log", "exec", "attach", "portforward", "proxy", "finalize"}
}

// leave says why the object is not judged.
func (c *opened) leave(skip Skip, why string) { c.skip, c.skipped = skip, why }

const modeOff = "the mode in this namespace is off"

// open decodes the object and finds out what may be done about it, or why it is not judged.
func (r *Reviewer) open(s Subject) (opened, error) {
	c := opened{object: finding.Object{APIVersion: s.Kind.GroupVersion().String(), Kind: s.Kind.Kind, Namespace: s.Namespace, Name: s.Name}}
	if slices.Contains(quietSubresources(), s.Subresource) {
		c.leave(Quiet, "the subresource "+s.Subresource+" changes no pod template")
		return c, nil
	}
	if s.Operation == Audit && s.Part != "" {
		c.leave(Part, s.Part)
		return c, nil
	}
	now, err := r.read(s, s.Object)
	c.tooLarge = errors.Is(err, workload.ErrTooLarge)
	switch {
	case errors.Is(err, workload.ErrNotJudged):
		c.leave(whyWithout(s))
		return c, nil
	case c.tooLarge:
		now = unread(s)
	case err != nil:
		return c, err
	}
	err = r.place(s, now, &c)
	return c, err
}

// whyWithout says why an object without a known pod template is not judged.
func whyWithout(s Subject) (skip Skip, why string) {
	if s.Operation == Audit && strings.Contains(s.Kind.Group, ".") {
		if path := workload.TemplateIn(s.Object); path != "" {
			return UnknownKind, fmt.Sprintf("there seems to be a pod template at %s", path)
		}
	}
	return NoPodTemplate, s.Kind.Kind + " of " + s.Kind.GroupVersion().String() + " has no pod template that is known"
}

// unread is an object that is too large to be decoded, as far as its metadata tell.
func unread(s Subject) *judged {
	view, err := workload.ReadMeta(s.Object)
	if err != nil {
		return &judged{view: workload.WithoutTemplate(s.Kind, metav1.ObjectMeta{Namespace: s.Namespace, Name: s.Name}), unknownOwner: true}
	}
	return &judged{view: view}
}

// place finds out whose the object is and what may be done about it.
func (r *Reviewer) place(s Subject, now *judged, c *opened) error {
	view := now.view
	c.now = now
	c.object = objectOf(s, view)
	if owner := ownerOf(c.object.Namespace, view); owner != nil {
		c.sender = r.senderOf(s)
		if r.believed(s, view) {
			c.owner = owner
		}
	}
	c.scope = r.scopeOf(s, now, c.owner != nil)
	c.scope.namespace = c.object.Namespace
	c.scope.whole = r.settings.RefuseUnfinished && s.Operation == Create && c.owner == nil && !now.unknownOwner
	allowed := r.namespaceCap(c.object.Namespace)
	c.scope.limit = finding.Lowest(c.scope.limit, allowed)
	if c.idle = view.Idle(); c.idle != "" {
		c.scope.limit = finding.Lowest(c.scope.limit, finding.Audit)
	}
	part := now.partial(s)
	switch {
	case allowed == finding.Off:
		c.leave(SwitchedOff, modeOff)
	case part != "":
		c.leave(Part, part)
	case view.Mirrors() && sentByNode(s):
		c.leave(Mirror, "a mirror pod only shows what the kubelet runs already")
	case s.Operation == Update && len(s.OldObject) > 0 && !c.tooLarge:
		return r.openOld(s, c)
	}
	return nil
}

// openOld decodes the stored object, and finds out whether the update changes anything that
// rules judge.
func (r *Reviewer) openOld(s Subject, c *opened) (err error) {
	c.old, err = r.read(s, s.OldObject)
	c.oldTooLarge = errors.Is(err, workload.ErrTooLarge)
	if err != nil && !c.oldTooLarge && !errors.Is(err, workload.ErrNotJudged) { // without a template before, all of this one is new
		return fmt.Errorf("the stored object: %w", err)
	}
	if c.now.view.Meta.DeletionTimestamp != nil || c.old != nil && !c.now.changed(c.old) && !r.ignoresOther(c.now, c.old) {
		c.leave(Quiet, "the update changes nothing that rules judge")
	}
	if c.old != nil && c.old.view.Idle() != "" && c.idle == "" {
		c.old = nil // the update starts it: nothing of it has run before
	}
	return nil
}

func objectOf(s Subject, v *workload.View) finding.Object {
	o := finding.Object{APIVersion: v.APIVersion, Kind: v.Kind, Namespace: s.Namespace, Name: v.DisplayName()}
	if o.Namespace == "" {
		o.Namespace = v.Meta.Namespace
	}
	return o
}
