package cluster

import (
	"cmp"
	"iter"
	"reflect"
	"slices"
	"sync"

	"github.com/forestall/forestall/internal/facts/fact"
)

// entry is an object that a Table can hold, a pointer that nobody changes any more.
type entry interface {
	comparable
	// place is the namespace of the object, empty where it has none, and its name there.
	place() (namespace, name string)
	// found lists the labels under which the object is found by selector.
	found() []label
}

// label is a label of a pod, or one that a selector asks for.
type label struct{ key, value string }

// Table holds the objects of one kind. It is safe for concurrent use: many requests ask
// while one feeder writes. The zero value has not been read.
type Table[T entry] struct {
	mu         sync.RWMutex
	namespaces map[string]*shelf[T]
	// read is true once the kind has been read, and stands.
	read bool
	// reason says why it has not been read, or why there may be more than was.
	reason string
	// changes counts all changes. The others are its values at the last change of read and
	// reason, and when a namespace was last left without objects.
	changes, turned, emptied uint64
}

// shelf holds the objects of one namespace. An object is under each of its labels.
type shelf[T entry] struct {
	objects map[string]T
	under   map[label][]T
	changed uint64 // the value of changes at its last change
}

// Generation tells what a Table says of one namespace from what it said before: it never
// comes back once something has changed.
type Generation struct{ Objects, Kind uint64 }

// Known says that the kind has been read. There may be more objects where mayBe says why;
// where it is empty, an object that is not in the Table does not exist.
func (t *Table[T]) Known(mayBe string) { t.turn(true, mayBe) }

// Unknown says that the kind has not been read, or does not stand any more, and why. What
// the Table holds is kept, and not told.
func (t *Table[T]) Unknown(reason string) { t.turn(false, reason) }

func (t *Table[T]) turn(read bool, reason string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.read != read || t.reason != reason {
		t.changes++
		t.read, t.reason, t.turned = read, reason, t.changes
	}
}

// count returns how often something has changed, which is more than there are objects.
func (t *Table[T]) count() uint64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.changes
}

// Put takes in an object, in the place of the one that has its name.
func (t *Table[T]) Put(o T) {
	namespace, name := o.place()
	t.put(namespace, name, o)
}

// put does so under a name that may be another than the object's own.
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

// Delete takes out the object that has the name of this one.
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

// Replace makes these the objects of the Table. Who asks meanwhile is told of each as it
// is or as it was: nobody waits for all of them.
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

// selected returns the objects of a namespace under one of the labels that match. None
// may stand under two of these labels.
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

// unknown says why there may be more than the Table holds.
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
