package review

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"slices"
	"strconv"
	"sync/atomic"

	"k8s.io/utils/lru"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/workload"
)

const (
	// maxKept bounds how many answers are kept. Most are empty, or a few findings that take
	// some kilobytes.
	maxKept = 512
	// maxKeptBytes bounds the size of one answer as JSON, and so that of all answers: 16 MiB.
	// Ten findings take a third of it. An object with more of them, or with very long texts, is
	// not one that comes again and again.
	maxKeptBytes = 32 << 10
)

// Cache keeps what rules have found in objects that come again and again: the pods of one
// ReplicaSet, a Deployment that is applied every few minutes, the object that was just
// patched. What rules find depends on nothing but the object, what concerns it in the
// cluster, and the settings. Levels are not kept. It is safe for concurrent use.
type Cache struct {
	answers      *lru.Cache
	hits, misses atomic.Uint64
	reviewers    atomic.Uint64
}

// NewCache returns an empty Cache. It may serve many Reviewers, one after the other or at once.
func NewCache() *Cache { return &Cache{answers: lru.New(maxKept)} }

// CacheCounts tells how often a Cache knew the answer, and how many answers it keeps.
type CacheCounts struct {
	// Hits counts the objects whose findings were known, Misses those about which the rules
	// were asked. Some rules can tell apart objects that are otherwise alike. Where there are
	// such rules, each object counts twice: once for them, and once for the others.
	Hits, Misses uint64
	// Entries is how many answers are kept now.
	Entries int
}

// Counts returns the counts since the Cache was made.
func (c *Cache) Counts() CacheCounts {
	return CacheCounts{Hits: c.hits.Load(), Misses: c.misses.Load(), Entries: c.answers.Len()}
}

// digest identifies an object, as far as rules can see it.
type digest [sha256.Size]byte

// kept holds the findings of an object, and how many steps it took to find them.
type kept struct {
	findings []finding.Finding
	steps    int64
}

// get returns the findings that are kept. It spends as many steps as it took to find them, so
// that a verdict does not depend on what is kept. Where the budget may be too small for that, the
// rules are asked again.
func (c *Cache) get(d digest, b *budget.Budget) ([]finding.Finding, bool) {
	answer, ok := c.answers.Get(d)
	if !ok || answer.(kept).steps > b.Left()/2 {
		c.misses.Add(1)
		return nil, false
	}
	c.hits.Add(1)
	b.Spend(int(answer.(kept).steps))
	return slices.Clone(answer.(kept).findings), true
}

// put keeps the findings of an object, unless they are too large.
func (c *Cache) put(d digest, findings []finding.Finding, steps int64) {
	if size(findings) <= maxKeptBytes {
		c.answers.Add(d, kept{slices.Clone(findings), steps})
	}
}

// size returns about how many bytes findings take as JSON, with their repairs. Nothing is written to
// find out.
func size(findings []finding.Finding) int {
	total := 0
	for i := range findings {
		f := &findings[i]
		total += perFinding
		for _, text := range []string{
			f.Rule, f.Category, f.Failure, f.Cause, f.Container, f.Path, f.Field, f.Reason, f.What, f.Why, f.Fix,
			f.Object.APIVersion, f.Object.Kind, f.Object.Namespace, f.Object.Name,
		} {
			total += len(text)
		}
		for _, repairs := range [][]finding.Repair{f.Repairs, f.Suggestions} {
			for _, r := range repairs {
				total += perRepair + len(r.Op) + len(r.Path) + sizeOf(r.Value)
			}
		}
	}
	return total
}

// What a finding and a repair take beside their texts: the names of their fields, and quotes.
const (
	perFinding = 256
	perRepair  = 32
)

// sizeOf returns about how many bytes a value of a repair takes as JSON.
func sizeOf(value any) int {
	const scalar = 8
	total := scalar
	switch v := value.(type) {
	case nil, bool:
	case json.Number:
		total += len(v)
	case string:
		total += len(v)
	case []any:
		for _, item := range v {
			total += sizeOf(item)
		}
	case map[string]any:
		for key, item := range v {
			total += len(key) + sizeOf(item)
		}
	default: // not what OPA makes of a report
		return maxKeptBytes + 1
	}
	return total
}

// digest covers everything that the findings of a group of rules depend on: the object, what is
// asked of the cluster, the settings and the request. It returns false where nothing is kept, or
// where the object cannot be read.
func (r *Reviewer) digest(q *question, anonymous bool) (digest, bool) {
	// The facts of what has no pod template come of its name and of the pod templates beside it, and what is odd in a
	// manifest stands in its text.
	if r.cache == nil || q.other != nil || q.manifest != nil && q.manifest.Odd() {
		return digest{}, false
	}
	request := q.request
	if anonymous {
		request = policy.Request{Operation: request.Operation, Kind: request.Kind, Namespace: request.Namespace}
	}
	h := sha256.New()
	head := binary.BigEndian.AppendUint64(make([]byte, 0, 512), r.number)
	head = strconv.AppendBool(q.world.AppendGenerations(head), q.world.HideNames)
	_, err := h.Write(appendRequest(head, request, anonymous))
	if err == nil && anonymous {
		err = workload.WriteContent(h, q.raw)
	} else if err == nil {
		_, err = h.Write(q.raw)
	}
	return digest(h.Sum(nil)), err == nil
}

// appendRequest puts lengths first, so that no two requests look the same.
func appendRequest(b []byte, request policy.Request, anonymous bool) []byte {
	for _, text := range []string{
		request.Operation, request.Kind.Group, request.Kind.Version, request.Kind.Kind,
		request.Namespace, request.Name, request.User,
	} {
		b = append(binary.AppendUvarint(b, uint64(len(text))), text...)
	}
	for _, flag := range []bool{request.DryRun, anonymous} {
		b = strconv.AppendBool(append(b, ' '), flag)
	}
	return b
}
