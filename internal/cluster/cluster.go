// Package cluster holds what else exists beside the object under review. A Store keeps of each
// object only what facts read, and answers from memory; nothing here calls an API. The documents
// of an audit feed it (OfFiles, Add), or reflectors that watch a running cluster do (package
// live).
//
// What a Store has not read is unknown and never absent: each Table knows whether it holds all
// objects of its kind.
package cluster

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/workload"
)

// ModeLabel is the label of a namespace that caps what is done in it.
const ModeLabel = "forestall.dev/mode"

// Store holds what else exists, a Table for each kind. It is safe for concurrent use. The zero
// value has read nothing.
//
// To add a kind, write the struct of what is kept of it, the function that makes the struct from
// an API object, and a line for each feeder that reads it: in Add, and in the table of package
// live.
type Store struct {
	Services     Table[*Service]
	LimitRanges  Table[*LimitRange]
	Namespaces   Table[*Namespace]
	PodTemplates Table[*PodTemplate]
	// Kinds tells where the pod templates stand in files that are added.
	Kinds workload.Table

	complete bool
	makers   makers
	// podsIn tells where the objects of files are that make pods.
	podsIn places
	// limitsIn tells where the LimitRanges of files are that give a memory limit.
	limitsIn places
	// images are those that kustomizations of the files replace.
	images images
}

// Answer is what is known of the object with a given name.
type Answer[T any] struct {
	// Object is set where State is Present.
	Object T
	State  fact.State
	// Reason says why State is Unknown.
	Reason string
}

// List holds the objects that answer a question, sorted by name. Nobody may change them.
type List[T any] struct {
	Objects []T
	// More is how many others answer the question: they are not looked at.
	More int
	// Unknown says why there may be others that nobody knows of; empty where there are none.
	Unknown string
}

// NoCluster returns the Store of a webhook that was given no cluster to ask. LimitRanges are
// unknown, since pods of a Deployment may get a limit from one. Namespaces count as known, and
// none of them has a cap: whoever runs forestall in this way has chosen it, and the API server
// itself keeps out the namespaces whose label says off (namespaceSelector).
func NoCluster() *Store {
	const reason = "there is no cluster to ask"
	s := &Store{}
	s.Services.Unknown(reason)
	s.LimitRanges.Unknown(reason)
	s.PodTemplates.Unknown(reason)
	s.Namespaces.Known("")
	return s
}

// Namespace returns what is known of a namespace.
func (s *Store) Namespace(name string) Answer[*Namespace] {
	return s.Namespaces.Get("", orDefault(name))
}

// orDefault returns the namespace that kubectl uses for an object without one.
func orDefault(namespace string) string {
	if namespace == "" {
		return metav1.NamespaceDefault
	}
	return namespace
}
