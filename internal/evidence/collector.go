// Package evidence makes compact symptoms of what a running cluster reports, and says which predictions they confirm.
// It asks nobody: whoever lists the objects feeds a Collector with them, one after another, and nothing of a healthy
// pod is kept but a count.
package evidence

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/forestall/forestall/internal/finding"
)

const (
	// maxSymptoms bounds the symptoms of one object, and maxMessage their messages in bytes.
	maxSymptoms = 32
	maxMessage  = 512
	// maxWaiting bounds the events that wait for their object, of all objects.
	maxWaiting = 50_000

	// recent is how long after the third end of a container it counts as failing although it runs again, and
	// remembered how long an end may confirm a prediction.
	recent     = time.Hour
	remembered = 24 * time.Hour
	// manyRestarts tells a container that fails from one that has failed.
	manyRestarts = 3
)

// Options of a Collector.
type Options struct {
	// Now is when the cluster was asked; time.Now in the zero value.
	Now time.Time
	// Grace is how long a container may take until it is ready before anybody wonders; 0 for two minutes.
	Grace time.Duration
	// Stuck is how long anything may take that should end by itself, such as an init container or the removal of a pod;
	// 0 for ten minutes.
	Stuck time.Duration
}

// Collector takes what a cluster reports, and keeps what is wrong. Feed it in this order, since each step reads what
// the ones before have left: Event, Node, EndpointSlice, Service, Workload, Pod; a kind that may not be read is left
// out. One goroutine at a time uses it.
type Collector struct {
	o        Options
	objects  map[finding.Object]*observed
	waiting  map[types.UID][]finding.Symptom
	kept     int
	dropped  int
	nodes    map[string]*tally
	flaps    map[flapKey]int
	served   map[types.NamespacedName]endpoints
	unserved map[string][]*service
}

// observed is what is known of one workload.
type observed struct {
	pods     int
	symptoms []finding.Symptom
	// complete is set for a Job that is complete, whatever became of its first pods.
	complete bool
}

// New returns a Collector that has seen nothing.
func New(o Options) *Collector {
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	o.Grace, o.Stuck = cmp.Or(o.Grace, 2*time.Minute), cmp.Or(o.Stuck, 10*time.Minute)
	return &Collector{
		o: o, objects: map[finding.Object]*observed{}, waiting: map[types.UID][]finding.Symptom{}, nodes: map[string]*tally{},
		flaps: map[flapKey]int{}, served: map[types.NamespacedName]endpoints{}, unserved: map[string][]*service{},
	}
}

// Pods is how many pods of the object run, or try to.
func (c *Collector) Pods(of finding.Object) int {
	if known := c.objects[of]; known != nil {
		return known.pods
	}
	return 0
}

// Dropped is how many events were not kept, since too many objects have them.
func (c *Collector) Dropped() int { return c.dropped }

// Symptoms are what is wrong with the object, the causes first. They are complete when everything was fed.
func (c *Collector) Symptoms(of finding.Object) []finding.Symptom {
	if of.Kind == "Service" && of.APIVersion == corev1.SchemeGroupVersion.String() {
		return c.endpointsOf(of)
	}
	known := c.objects[of]
	if known == nil {
		return nil
	}
	all := slices.Clone(known.symptoms)
	for i := range all {
		all[i].Over = all[i].Over || known.complete
	}
	arrange(all)
	return all
}

// of returns what is kept of an object.
func (c *Collector) of(o finding.Object) *observed {
	known := c.objects[o]
	if known == nil {
		known = &observed{}
		c.objects[o] = known
	}
	return known
}

// arrange puts the causes first, those that say most before the others, and what is over last.
func arrange(all []finding.Symptom) {
	over := map[bool]int{true: 1}
	says := map[finding.SymptomKind]int{
		finding.Phase: 6, finding.OnNode: 5, finding.Terminated: 4, finding.Waiting: 3, finding.Event: 2, finding.Condition: 1,
	}
	slices.SortStableFunc(all, func(a, b finding.Symptom) int {
		return cmp.Or(
			cmp.Compare(over[a.Over], over[b.Over]), cmp.Compare(knownOf(&b).weight, knownOf(&a).weight),
			cmp.Compare(a.Container, b.Container), cmp.Compare(says[b.Kind], says[a.Kind]), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Reason, b.Reason),
		)
	})
}

// add takes in what one pod, or the object itself, reports.
func (o *observed) add(symptoms ...finding.Symptom) {
	for _, s := range symptoms {
		o.symptoms = merge(o.symptoms, s, maxSymptoms)
	}
}

// merge puts a symptom into a list. What is alike is one symptom: as many pods, the worst restart count, events added up,
// the last message.
func merge(all []finding.Symptom, s finding.Symptom, most int) []finding.Symptom {
	s.Message = cut(s.Message)
	for i := range all {
		if !alike(&all[i], &s) {
			continue
		}
		with := &all[i]
		if with.Kind == finding.Event {
			with.Count += s.Count
		} else {
			with.Count = max(with.Count, s.Count)
		}
		with.Pods += s.Pods
		with.Over = with.Over && s.Over
		if !s.Last.Before(with.Last) {
			with.Last = s.Last
			with.Message = cmp.Or(s.Message, with.Message)
		}
		return all
	}
	if len(all) >= most {
		return all
	}
	return append(all, s)
}

// alike reports whether two symptoms say the same.
func alike(a, b *finding.Symptom) bool {
	if a.Kind != b.Kind || a.Container != b.Container || a.Reason != b.Reason || (a.ExitCode == nil) != (b.ExitCode == nil) {
		return false
	}
	return (a.ExitCode == nil || *a.ExitCode == *b.ExitCode) && knownOf(a).text == knownOf(b).text
}

// cut bounds a message; it never cuts a character in two.
func cut(message string) string {
	if len(message) <= maxMessage {
		return message
	}
	end := maxMessage - len("…")
	for end > 0 && message[end]&0xC0 == 0x80 {
		end--
	}
	return message[:end] + "…"
}
