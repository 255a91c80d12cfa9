package policy

import (
	"slices"

	"k8s.io/utils/lru"
)

// maxKnown bounds how many answers are kept. One is a few findings: some kilobytes.
const maxKnown = 1024

// known keeps what rules have found in inputs that come again and again: the pods
// of one ReplicaSet, a Deployment that is applied every few minutes. Rules are pure,
// so what they find depends on nothing else. It is safe for concurrent use.
type known struct{ answers *lru.Cache }

func newKnown() *known { return &known{lru.New(maxKnown)} }

// get returns the findings of an input that was seen before.
func (k *known) get(d digest) ([]Finding, bool) {
	found, ok := k.answers.Get(d)
	if !ok {
		return nil, false
	}
	return slices.Clone(found.([]Finding)), true
}

// put remembers the findings of an input.
func (k *known) put(d digest, findings []Finding) { k.answers.Add(d, slices.Clone(findings)) }
