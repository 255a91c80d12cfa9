package cluster

import (
	"cmp"
	"iter"
	"reflect"
	"slices"
	"sync"

	"github.com/forestall/forestall/internal/facts/fact"
)

// entry is an object that a Table can hold: a pointer to something that nobody changes any
// more.
type entry interface {
	comparable
	// place is the namespace of the object, empty where it has none, and its name there.
	place() (namespace, name string)
	// found returns the labels under which a selector finds the object.
	found() []label
}

// label is a label of a pod, or one that a selector asks for.
type label struct{ key, value string }

// Table holds the objects of one kind. It is safe for concurrent use: many requests read it
// while one feeder writes. In the zero value the kind has not been read.
type Table[T entry] struct {
	mu         sync.RWMutex
	namespaces map[string]*shelf[T]
	// read is true while what was read of the kind counts.
	read bool
	// reason says why the kind is not known, or why there may be more objects than were read.
	reason string
	// changes counts all changes. turned is its value when read or reason last changed, emptied
	// its value when a namespace last lost all of its objects.
	changes, turned, emptied uint64
}

// shelf holds the objects of one namespace, and lists each of them under its labels.
type shelf[T entry] struct {
	objects map[string]T
	under   map[label][]T
	changed uint64 // the value of changes at its last change
}

// Generation identifies what a Table says of one namespace. After a change it never has an
// earlier value again.
type Generation struct{ Objects, Kind uint64 }

// Known says that the kind has been read. If mayBe is empty, an object that is not in the Table
// does not exist; otherwise mayBe says why there may be more objects.
func (t *Table[T]) Known(mayBe string) { t.turn(true, mayBe) }

// Unknown says that the kind could not be read, or that what was read does not count any more,
// and why. The Table keeps its objects but does not tell them.
func (t *Table[T]) Unknown(reason string) { t.turn(false, reason) }

func (t *Table[T]) turn(read bool, reason string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.read != read || t.reason != reason {
		t.changes++
		t.read, t.reason, t.turned = read, reason, t.changes
	}
}

// count returns how many changes there were. There are never more objects than changes.
func (t *Table[T]) count() uint64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.changes
}

// Put takes in an object, and replaces the one with the same name.
func (t *Table[T]) Put(o T) {
	namespace, name := o.place()
	t.put(namespace, name, o)
}

// put is Put under a name that may differ from the object's own.
func (t *Table[T]) put(namespace, name string, o T) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.namespaces[namespace]
	if s == nil {
		s = &shelf[T]{objects: map[string]T{}, under: map[label][]T{}}
		if t.namespaces == nil {
			t.namespaces = map[string]*shelf[T]{}
		}
		t.namespaces[namespace] = s
	}
	if old, ok := s.objects[name]; ok {
		if reflect.DeepEqual(old, o) {
			return // a status has changed, or something else that nobody asks about
		}
		s.remove(old)
	}
	s.objects[name] = o
	for _, l := range o.found() {
		s.under[l] = append(s.under[l], o)
	}
	t.changes++
	s.changed = t.changes
}

// Delete takes out the object that has the name of o.
func (t *Table[T]) Delete(o T) {
	namespace, name := o.place()
	t.delete(namespace, name)
}

func (t *Table[T]) delete(namespace, name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.namespaces[namespace]
	if s == nil {
		return
	}
	old, ok := s.objects[name]
	if !ok {
		return
	}
	s.remove(old)
	delete(s.objects, name)
	t.changes++
	s.changed = t.changes
	if len(s.objects) == 0 {
		t.emptied = t.changes
		delete(t.namespaces, namespace)
	}
}

// remove takes an object from under its labels.
func (s *shelf[T]) remove(o T) {
	for _, l := range o.found() {
		list := s.under[l]
		last := len(list) - 1
		list[slices.Index(list, o)] = list[last]
		clear(list[last:])
		s.under[l] = list[:last]
		if last == 0 {
			delete(s.under, l)
		}
	}
}

// Replace makes these the objects of the Table. Readers do not wait for the whole list:
// meanwhile they get each object as it is, or as it was.
func (t *Table[T]) Replace(objects []T) {
	type place struct{ namespace, name string }
	stay := make(map[place]bool, len(objects))
	for _, o := range objects {
		namespace, name := o.place()
		stay[place{namespace, name}] = true
		t.put(namespace, name, o)
	}
	var gone []place
	t.mu.RLock()
	for namespace, s := range t.namespaces {
		for name := range s.objects {
			if at := (place{namespace, name}); !stay[at] {
				gone = append(gone, at)
			}
		}
	}
	t.mu.RUnlock()
	for _, at := range gone {
		t.delete(at.namespace, at.name)
	}
}

// Get returns what is known of the object with this name.
func (t *Table[T]) Get(namespace, name string) Answer[T] {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.read {
		if s := t.namespaces[namespace]; s != nil {
			if o, ok := s.objects[name]; ok {
				return Answer[T]{Object: o, State: fact.Present}
			}
		}
	}
	if unknown := t.unknown(); unknown != "" {
		return Answer[T]{State: fact.Unknown, Reason: unknown}
	}
	return Answer[T]{State: fact.Absent}
}

// In returns the objects of a namespace.
func (t *Table[T]) In(namespace string) List[T] {
	return t.list(namespace, func(s *shelf[T]) []T {
		all := make([]T, 0, len(s.objects))
		for _, o := range s.objects {
			all = append(all, o)
		}
		return all
	})
}

// selected returns the objects of a namespace that stand under one of the labels and match. No
// object may stand under two of these labels.
func (t *Table[T]) selected(namespace string, labels iter.Seq2[string, string], match func(T) bool) List[T] {
	return t.list(namespace, func(s *shelf[T]) []T {
		var all []T
		for key, value := range labels {
			for _, o := range s.under[label{key, value}] {
				if match(o) {
					all = append(all, o)
				}
			}
		}
		return all
	})
}

func (t *Table[T]) list(namespace string, pick func(*shelf[T]) []T) List[T] {
	t.mu.RLock()
	defer t.mu.RUnlock()
	l := List[T]{Unknown: t.unknown()}
	if s := t.namespaces[namespace]; s != nil && t.read {
		l.Objects = pick(s)
	}
	slices.SortFunc(l.Objects, func(a, b T) int {
		_, one := a.place()
		_, other := b.place()
		return cmp.Compare(one, other)
	})
	return l
}

// unknown says why there may be more objects than the Table holds.
func (t *Table[T]) unknown() string {
	if !t.read {
		return cmp.Or(t.reason, "they have not been read yet")
	}
	return t.reason
}

// Generation returns the generation of a namespace.
func (t *Table[T]) Generation(namespace string) Generation {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if s := t.namespaces[namespace]; s != nil {
		return Generation{Objects: s.changed, Kind: t.turned}
	}
	return Generation{Objects: t.emptied, Kind: t.turned}
}
