package review

import (
	"cmp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/workload"
)

// scope is what may be done about an object: a row of the table "What is judged, patched and
// denied" in docs/operating.md.
type scope struct {
	// namespace of the object; empty where nothing says it.
	namespace string
	// limit is the strongest level that the kind of object and request allow.
	limit finding.Level
	// patched is true where forestall may change the object.
	patched bool
	// podsPatched is true where forestall may change the Pods of the object, but not the object
	// itself. What is repaired in the Pods needs no denial here.
	podsPatched bool
	// whole is true where the object is refused unless it was judged as a whole, as far as limit
	// allows.
	whole bool
}

// refuses returns why the request is refused although no finding denies it; empty where it is not.
func (s scope) refuses(unfinished string) string {
	if unfinished == "" || !s.whole || s.limit != finding.Deny {
		return ""
	}
	return unfinished
}

// ephemeralContainers is the subresource by which kubectl debug adds a container.
const ephemeralContainers = "ephemeralcontainers"

// scopeOf finds the row of a request in the table.
//
// What a controller of Kubernetes creates is not denied unless the settings say so: a person was
// told already when the owner was submitted, and a denial leaves the controller retrying. A
// workload that has a controller is never patched. The controller would undo the patch, and both
// would go on for ever; or it would make more and more objects, as a Deployment does with patched
// ReplicaSets. A Pod that exists is not patched either: its containers cannot be changed.
func (r *Reviewer) scopeOf(s Subject, j *judged, owned bool) scope {
	v := j.view
	controlled := v.ControllerOwner() != nil
	switch {
	case j.other != nil: // the webhook patches pod templates alone
		return scope{limit: finding.Deny, patched: s.Operation == Audit}
	case v.IsPod() && s.Operation == Update:
		return scope{limit: updateLimit(s, controlled)}
	case v.IsPod():
		return scope{limit: r.ownedLimit(s, owned), patched: true}
	default:
		return scope{limit: r.ownedLimit(s, owned), patched: !controlled, podsPatched: controlled}
	}
}

// updateLimit returns the strongest level for an update of a Pod. What a controller or kubectl
// debug does to a running Pod goes through, since a refusal helps nobody.
func updateLimit(s Subject, controlled bool) finding.Level {
	if controlled || s.Subresource == ephemeralContainers {
		return finding.Warn
	}
	return finding.Deny
}

func (r *Reviewer) ownedLimit(s Subject, owned bool) finding.Level {
	if owned && s.Operation != Audit {
		return cmp.Or(r.settings.OwnedObjects, finding.Warn)
	}
	return finding.Deny
}

// ownerOf returns the controller of an object where controllers of Kubernetes make such objects
// for such owners; nil for all others.
func ownerOf(namespace string, v *workload.View) *Owner {
	ref := v.BuiltInOwner()
	if ref == nil {
		return nil
	}
	return &Owner{Object: objectOfReference(namespace, ref), UID: string(ref.UID)}
}

func objectOfReference(namespace string, ref *metav1.OwnerReference) finding.Object {
	return finding.Object{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: namespace, Name: ref.Name}
}

// levelInForce returns the lowest of all levels that have a say.
func (r *Reviewer) levelInForce(f *finding.Finding, o Operation, s scope) finding.Level {
	level := finding.Lowest(r.strength(f.Rule, o, s.namespace), s.limit)
	if f.Existing { // the stored object has it too: this update is not to blame
		level = finding.Lowest(level, finding.Warn)
	}
	if s.podsPatched && len(f.Repairs) > 0 { // its Pods get the repair
		level = finding.Lowest(level, finding.Warn)
	}
	return level
}
