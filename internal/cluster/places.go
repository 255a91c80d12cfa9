package cluster

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// places tell whether objects of files write their namespace. Where some do and others do not,
// kubectl's -n may bring them into one namespace, so that neither is known to be alone in its own.
// The zero value knows of no objects.
type places struct {
	mu sync.RWMutex
	// written and unwritten name the first object with a namespace, and without one.
	written, unwritten string
	// missed is true when an answer was unknown for that reason alone.
	missed atomic.Bool
}

// add notes where an object is; the namespace is empty where it is not written.
func (p *places) add(namespace, kind, name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	first := &p.written
	if namespace == "" {
		first = &p.unwritten
	}
	if *first == "" {
		*first = fmt.Sprintf("%s %q", kind, name)
	}
}

// why says why one of the objects may belong to a namespace that it does not name; empty where none
// may. The namespace is empty where the object that asks does not write it.
func (p *places) why(namespace string) string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	switch {
	case namespace == "" && p.written != "":
		return "this object has no namespace, and " + p.written + " has"
	case namespace != "" && p.unwritten != "":
		return p.unwritten + " has no namespace: it may be meant for this one"
	}
	return ""
}

// miss notes that an answer is unknown, if there is a reason.
func (p *places) miss(reason string) {
	if reason != "" {
		p.missed.Store(true)
	}
}

// Unsettled tells which questions could not be answered because some objects of the files write their
// namespace and others do not.
type Unsettled struct {
	// Pods that a Service selects.
	Pods bool
	// MemoryLimits that LimitRanges give.
	MemoryLimits bool
}

// Unsettled returns the questions so far.
func (s *Store) Unsettled() Unsettled {
	return Unsettled{Pods: s.podsIn.missed.Load(), MemoryLimits: s.limitsIn.missed.Load()}
}
