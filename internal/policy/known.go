package policy

import (
	"slices"
	"sync/atomic"

	"k8s.io/utils/lru"
)

const (
	// maxKnown bounds how many answers are kept. One is a few findings: some kilobytes.
	maxKnown = 1024
	// maxKnownFindings bounds an answer that is kept: an object with so many findings is
	// not one that comes again and again, and holds much.
	maxKnownFindings = 64
)

// CacheCounts is what became of the answers of rules that are kept.
type CacheCounts struct {
	// Hits are the inputs whose findings were known, Misses those about which the
	// rules were asked.
	Hits, Misses uint64
	// Entries is how many answers are kept now.
	Entries int
}

// known keeps what rules have found in inputs that come again and again: the pods
// of one ReplicaSet, a Deployment that is applied every few minutes. Rules are pure,
// so what they find depends on nothing else. It is safe for concurrent use.
type known struct {
	answers      *lru.Cache
	hits, misses atomic.Uint64
}

func newKnown() *known { return &known{answers: lru.New(maxKnown)} }

func (k *known) counts() CacheCounts {
	return CacheCounts{Hits: k.hits.Load(), Misses: k.misses.Load(), Entries: k.answers.Len()}
}

// get returns the findings of an input that was seen before.
func (k *known) get(d digest) ([]Finding, bool) {
	found, ok := k.answers.Get(d)
	if !ok {
		k.misses.Add(1)
		return nil, false
	}
	k.hits.Add(1)
	return slices.Clone(found.([]Finding)), true
}

// put remembers the findings of an input, unless they are too many.
func (k *known) put(d digest, findings []Finding) {
	if len(findings) <= maxKnownFindings {
		k.answers.Add(d, slices.Clone(findings))
	}
}
