package cluster

import (
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/apijson"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/quantity"
)

// OfFiles returns a Store that Add then feeds with the objects of files. The files are taken to
// hold all LimitRanges and Namespaces of the cluster that they are meant for. If complete is true
// they also hold everything that runs in their namespaces: Services, and whatever makes pods.
func OfFiles(complete bool) *Store {
	s := &Store{complete: complete}
	rest := "there may be others beside those in the files"
	if complete {
		rest = ""
	}
	s.LimitRanges.Known("")
	s.Namespaces.Known("")
	s.Services.Known(rest)
	s.PodTemplates.Known(rest)
	return s
}

// Add takes in one object of a file, as JSON. It passes over kinds that say nothing about pods.
// If an object cannot be read, its kind is not complete any more.
func (s *Store) Add(apiVersion, kind string, raw []byte) error {
	var err error
	switch apiVersion + " " + kind {
	case "v1 Service":
		s.addService(raw)
	case "v1 LimitRange":
		err = s.addLimitRange(raw)
	case "v1 Namespace":
		err = s.addNamespace(raw)
	default:
		if s.complete { // else there may be others, whatever is here
			s.addPodTemplate(apiVersion, kind, raw)
		}
	}
	if err != nil {
		return fmt.Errorf("decoding %s: %w", kind, err)
	}
	return nil
}

// unread is why a kind is not complete: an object of it could not be read.
const unread = "one of those in the files cannot be read"

// add takes in an object of a file, and keeps it beside others of the same name: the files of
// several clusters may be read at once.
func add[T entry](t *Table[T], o T) {
	namespace, name := o.place()
	if t.Get(namespace, name).State == fact.Present {
		name += " " + strconv.FormatUint(t.count(), 10) // no name has a space
	}
	t.put(namespace, name, o)
}

// addService takes in a Service. What cannot be read of it is reported when it is judged.
func (s *Store) addService(raw []byte) {
	o, strange, err := decodeService(raw)
	if err != nil {
		s.Services.Known(unread)
		return
	}
	service := ServiceOf(o)
	service.MoreTargets = service.MoreTargets || strange
	add(&s.Services, service)
}

func (s *Store) addLimitRange(raw []byte) error {
	var o corev1.LimitRange
	// Only one that the fast decoder refuses, and that holds such a number anywhere, is refused unread.
	if err := apijson.UnmarshalQuantities(raw, &o, func() error { return quantity.ErrHuge }); err != nil {
		s.LimitRanges.Known(unread)
		return err
	}
	written := o.Namespace
	o.Namespace = orDefault(o.Namespace)
	kept := LimitRangeOf(&o)
	if kept.Default != nil {
		s.limitsIn.add(written, "LimitRange", o.Name)
	}
	add(&s.LimitRanges, kept)
	return nil
}

func (s *Store) addNamespace(raw []byte) error {
	var o struct {
		metav1.ObjectMeta `json:"metadata"`
	}
	if err := apijson.Unmarshal(raw, &o); err != nil {
		s.Namespaces.Known(unread)
		return err
	}
	n := NamespaceOf(&corev1.Namespace{ObjectMeta: o.ObjectMeta})
	if n.Mode != "" || s.Namespaces.Get("", n.Name).State != fact.Present {
		s.Namespaces.Put(n) // one without the label takes nothing back
	}
	return nil
}
