package memory

import (
	"cmp"
	"math"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/facts/command"
	"github.com/forestall/forestall/internal/facts/fact"
)

// Demand is the memory that a container is told to take, or that its program is
// told it may take: by its command line, its literal environment or a volume in memory.
type Demand struct {
	fact.Observation
	// Asks are the demands, those of one program in the form that is in force.
	Asks []Ask `json:"asks,omitempty"`
	// Percent is the largest demand as a percentage of the limit in force, rounded up; 0 without a limit.
	Percent int64 `json:"percent,omitempty"`
	// Near says whether one of them is more than half of the limit in force. Without a limit none is.
	Near fact.Observation `json:"near"`
}

// Kind says what memory is asked for.
type Kind string

// The kinds of demand.
const (
	// Heap is the largest heap of a JVM.
	Heap Kind = "heap"
	// OldSpace is the largest old generation of the heap of Node.js.
	OldSpace Kind = "oldSpace"
	// Data is what a database such as redis keeps before it evicts or refuses.
	Data Kind = "data"
	// Workers is what a load generator such as stress takes in all its workers.
	Workers Kind = "workers"
	// GoLimit is the soft limit of the Go runtime.
	GoLimit Kind = "goLimit"
	// Volume is the size of a volume in memory.
	Volume Kind = "volume"
)

// Ask is one demand.
type Ask struct {
	Kind Kind `json:"kind" jsonschema:"enum=heap,enum=oldSpace,enum=data,enum=workers,enum=goLimit,enum=volume"`
	// Bytes is the amount. For a share of the limit it is computed from the limit in force.
	Bytes int64 `json:"bytes"`
	// Percent is the share of the limit, where the demand is one.
	Percent float64 `json:"percent,omitempty"`
	// Text is the demand as it was written: "-Xmx2g", "stress --vm 2 --vm-bytes 300M".
	Text string `json:"text"`
	// Flag is the name of what has to be changed: "-Xmx", "--vm-bytes", "sizeLimit".
	Flag string `json:"flag"`
	// Variable is the environment variable that holds it, where one does.
	Variable string `json:"variable,omitempty"`
	// Path is the word, the variable's value or the field that it was read from.
	Path string `json:"path"`
	// Taken says that the program takes all of it as soon as it runs. Any other demand is a ceiling, which
	// the program may never reach.
	Taken bool `json:"taken"`
	// Assumed says that a variable holds it, and that it is not known whether what runs here reads it.
	Assumed bool `json:"assumed"`
	// Start is the heap that a JVM begins with, in bytes: the most may not be less. 0 where it is not given.
	Start int64 `json:"start,omitempty"`
	// Most is what the same program may grow to, in bytes, where that is more than Bytes.
	Most int64 `json:"most,omitempty"`
}

// Process is what is known of the process of a container.
type Process struct {
	Container *corev1.Container
	Path      string
	// Env holds the variables with a literal value, references among them resolved.
	Env map[string]string
	// Budget bounds the work; nil for the default.
	Budget *budget.Budget
	// Invoked says how the main program is started. It is called only where something hints at memory.
	Invoked func() command.Invocation
	// RuntimeChosen says that the pod chooses a container runtime, whose own need is not known.
	RuntimeChosen bool
}

// hints are the pieces of text of which one stands in each demand of a command line.
func hints() []string {
	return []string{
		"-Xm", "-XX:", "stress", "--vm", "old-space-size", "old_space_size", "maxmemory",
		"malloc,", "wiredTigerCacheSizeGB", "innodb", "shared_buffers", "memory-limit", "-mem-total",
	}
}

// perStep is how many bytes are searched for all hints in one step.
const perStep = 64

func hasHint(b *budget.Budget, lists ...[]string) bool {
	for _, words := range lists {
		for _, w := range words {
			if !b.Spend(1 + len(w)/perStep) {
				return false
			}
			for _, hint := range hints() {
				if strings.Contains(w, hint) || w == "-m" {
					return true
				}
			}
		}
	}
	return false
}

// ObserveDemand returns what the process asks for, under the limit in force.
func ObserveDemand(p Process, limit Quantity, known Table) Demand {
	p.Budget = p.Budget.OrDefault()
	e := environment(p, known)
	var started command.Invocation
	if e.relevant || hasHint(p.Budget, p.Container.Command, p.Container.Args) {
		started = p.started(known)
	}
	var asks []Ask
	if program := started.Program(); program == "" || !started.Open {
		r := p.reader(started, e, known)
		asks = slices.Concat(javaAsks(started, e, r, limit), nodeAsks(started, e, r), goAsks(e, r))
	}
	return demandOf(slices.Concat(asks, stressAsks(started), known.ceilingAsks(started)), p.Path, limit)
}

// demandOf lists the largest first: it is the one that is told.
func demandOf(asks []Ask, path string, limit Quantity) Demand {
	if len(asks) == 0 {
		return Demand{Observation: fact.AbsentAt(path), Near: fact.AbsentAt(path)}
	}
	slices.SortFunc(asks, func(a, b Ask) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Text, b.Text))
	})
	d := Demand{Observation: fact.PresentAt(asks[0].Path), Asks: asks, Near: limit.below(path)}
	if limit.Bytes > 0 {
		d.Percent = percentOf(asks[0].Bytes, limit.Bytes)
	}
	if limit.Bytes > 0 && asks[0].Bytes > limit.Bytes/2 {
		d.Near = fact.PresentAt(asks[0].Path)
	}
	return d
}

// percentOf rounds up, so that a number which is a given share of the limit has at least that
// percentage.
func percentOf(part, whole int64) int64 {
	return int64(min(math.Ceil(float64(part)/float64(whole)*100), math.MaxInt32))
}

// With adds the demand of volumes to what the process asks for.
func (d Demand) With(asks []Ask, limit Quantity) Demand {
	if len(asks) == 0 {
		return d
	}
	return demandOf(slices.Concat(d.Asks, asks), d.Path, limit)
}
