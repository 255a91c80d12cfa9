package cluster

import (
	"cmp"
	"iter"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/facts/fact"
)

// entry is an object that a Table can hold: a pointer to something that nobody changes any
// more.
type entry interface {
	comparable
	// place is the namespace of the object, empty where it has none, and its name there.
	place() (namespace, name string)
	// order is what objects are sorted by: the kind where a Table holds several, and the name.
	order() (kind, name string)
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
	// sorted holds all objects by name, from the first time that somebody asks until the next change.
	sorted atomic.Pointer[[]T]
}

func (s *shelf[T]) change(n uint64) {
	s.changed = n
	s.sorted.Store(nil)
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
	s.change(t.changes)
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
	s.change(t.changes)
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

// In returns the objects of a namespace. It is the same list for everybody who asks before the
// next change.
func (t *Table[T]) In(namespace string) List[T] {
	t.mu.RLock()
	defer t.mu.RUnlock()
	l := List[T]{Unknown: t.unknown()}
	s := t.namespaces[namespace]
	if s == nil || !t.read {
		return l
	}
	known := s.sorted.Load()
	if known == nil { // nobody changes the shelf now; others may sort it as well
		all := slices.SortedFunc(maps.Values(s.objects), byName)
		known = &all
		s.sorted.Store(known)
	}
	l.Objects = *known
	return l
}

// selected returns the objects of a namespace that stand under one of the labels and match: of
// more than most the first by name. No object may stand under two of these labels. It takes a step
// for each that stands there.
func (t *Table[T]) selected(b *budget.Budget, namespace string, labels iter.Seq2[string, string], most int, match func(T) bool) List[T] {
	var l List[T]
	found := 0
	l.Unknown = t.visit(b, namespace, labels, func(o T) {
		if !match(o) {
			return
		}
		found++
		if l.Objects = append(l.Objects, o); len(l.Objects) >= 2*most {
			l.Objects = first(l.Objects, most)
		}
	})
	l.Objects = first(l.Objects, most)
	l.More = found - len(l.Objects)
	return l
}

// visit calls a function for each object of a namespace that stands under one of the labels, as far
// as the budget suffices. The Table is locked meanwhile. It returns why there may be others.
func (t *Table[T]) visit(b *budget.Budget, namespace string, labels iter.Seq2[string, string], do func(T)) (unknown string) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	s := t.namespaces[namespace]
	if s == nil || !t.read {
		return t.unknown()
	}
	for key, value := range labels {
		for _, o := range s.under[label{key, value}] {
			if !b.Spend(1) {
				return b.Err().Error()
			}
			do(o)
		}
	}
	return t.unknown()
}

// first sorts objects by name, and returns the first of them.
func first[T entry](objects []T, most int) []T {
	slices.SortFunc(objects, byName)
	return objects[:min(len(objects), most)]
}

// rarest returns the one of these labels under which fewest objects of a namespace stand; none of no labels.
func (t *Table[T]) rarest(namespace string, labels map[string]string) map[string]string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	var one map[string]string
	fewest := 0
	for key, value := range labels {
		n := 0
		if s := t.namespaces[namespace]; s != nil {
			n = len(s.under[label{key, value}])
		}
		if one == nil || n < fewest {
			one, fewest = map[string]string{key: value}, n
		}
		if n == 0 {
			break
		}
	}
	return one
}

// shared counts under how many of these labels each object of a namespace stands, as far as the budget suffices.
// Labels under which more than most of them stand are left out. It takes a step for each label and object.
func (t *Table[T]) shared(b *budget.Budget, namespace string, labels map[string]string, most int) map[T]int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	s := t.namespaces[namespace]
	if s == nil || !t.read {
		return nil
	}
	counts := map[T]int{}
	for key, value := range labels {
		under := s.under[label{key, value}]
		if len(under) > most {
			under = nil
		}
		if !b.Spend(1 + len(under)) {
			break
		}
		for _, o := range under {
			counts[o]++
		}
	}
	return counts
}

func byName[T entry](a, b T) int {
	oneKind, one := a.order()
	otherKind, other := b.order()
	return cmp.Or(cmp.Compare(oneKind, otherKind), cmp.Compare(one, other))
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
