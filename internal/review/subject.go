package review

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/forestall/forestall/internal/facts"
)

// Operation is what is done to the object.
type Operation string

// The operations that are reviewed. Audit means that nothing is done to the
// object: it is there, in a cluster or a file.
const (
	Create Operation = "CREATE"
	Update Operation = "UPDATE"
	Audit  Operation = "AUDIT"
)

// Subject is one object under review and what is done to it. It is the same for
// an admission request and for a document of a file.
type Subject struct {
	Operation Operation
	// Kind of the object as it was submitted.
	Kind schema.GroupVersionKind
	// Namespace and Name as the request has them; Name may be empty at creation.
	Namespace, Name string
	// Subresource of the request (status, scale, resize); empty for the object itself.
	Subresource string
	// Object and OldObject are JSON. OldObject is set for Update alone.
	Object, OldObject []byte
	// Repeated are the fields that stood twice in the text that Object was made of, in an audit.
	Repeated []facts.RepeatedField
	// Stored says, in an audit, that the object was read from an API server: nothing of what somebody wrote is left in it
	// that the server did not store, and it is whole.
	Stored bool
	// Part says, in an audit, why the object is known to be a part of one, such as a patch. It is not judged.
	Part   string
	DryRun bool
	// User who sent the request.
	User string
	// Verified says that the request came from a client which is known to be the API server. Of
	// others nobody knows whether they may see what else is in the namespace.
	Verified bool
}
