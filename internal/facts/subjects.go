package facts

import (
	"slices"

	"github.com/forestall/forestall/internal/facts/fact"
)

// subjects returns the subjects whose facts rules may judge.
func subjects() map[Subject]subject {
	return map[Subject]subject{
		OfContainer: each(containerFacts(), func(f *Facts) []Container { return f.Containers }),
		OfPod:       one(podFacts(), func(f *Facts) *Pod { return &f.Pod }),
		OfWorkload:  one(workloadFacts(), func(f *Facts) *Workload { return &f.Workload }),
		OfManifest:  one(manifestFacts(), func(f *Facts) *Manifest { return &f.Manifest }),
		OfService:   each(serviceFacts(), func(f *Facts) []*Service { return present(f.Service) }),
	}
}

// present is a list of what there is, if there is something.
func present[T any](it *T) []*T {
	if it == nil {
		return nil
	}
	return []*T{it}
}

func serviceFacts() map[string]judged[*Service] {
	return map[string]judged[*Service]{
		"selects": seen(func(s **Service) fact.Observation { return (*s).Selects.Observation }),
		"targets": seen(func(s **Service) fact.Observation { return (*s).Targets }),
	}
}

func workloadFacts() map[string]judged[Workload] {
	return map[string]judged[Workload]{
		"unserved":         seen(func(w *Workload) fact.Observation { return w.Unserved.Observation }),
		"outlastsDeadline": seen(func(w *Workload) fact.Observation { return w.OutlastsDeadline.Observation }),
	}
}

func podFacts() map[string]judged[Pod] {
	return map[string]judged[Pod]{
		"activeDeadline": numbered(func(p *Pod) (fact.Observation, int64) {
			return p.ActiveDeadline.Observation, p.ActiveDeadline.Seconds
		}),
	}
}

func containerFacts() map[string]judged[Container] {
	return map[string]judged[Container]{
		"command.argv":      seen(func(c *Container) fact.Observation { return c.Command.Argv.Observation }),
		"command.detaches":  seen(func(c *Container) fact.Observation { return c.Command.Detaches.Observation }),
		"command.ends":      seen(func(c *Container) fact.Observation { return c.Command.Ends.Observation }),
		"command.listens":   seen(func(c *Container) fact.Observation { return c.Command.Listens.Observation }),
		"completion.never":  seen(func(c *Container) fact.Observation { return c.Completion.Never }),
		"cpu.request":       numbered(func(c *Container) (fact.Observation, int64) { return c.CPU.Request.Observation, c.CPU.Request.Cores }),
		"gate":              seen(func(c *Container) fact.Observation { return c.Gate.Observation }),
		"image":             seen(func(c *Container) fact.Observation { return c.Image.Observation }),
		"image.invalid":     seen(func(c *Container) fact.Observation { return c.Image.Invalid.Observation }),
		"image.mutable":     seen(func(c *Container) fact.Observation { return c.Image.Mutable }),
		"image.neverPulled": seen(func(c *Container) fact.Observation { return c.Image.NeverPulled }),
		"keepAlive":         seen(func(c *Container) fact.Observation { return c.KeepAlive.Observation }),
		"memory.demand": numbered(func(c *Container) (fact.Observation, int64) {
			return c.Memory.Demand.Observation, c.Memory.Demand.Percent
		}),
		"memory.demand.near": seen(func(c *Container) fact.Observation { return c.Memory.Demand.Near }),
		"memory.limit":       numbered(func(c *Container) (fact.Observation, int64) { return c.Memory.Limit.Observation, c.Memory.Limit.Bytes }),
		"memory.need":        seen(func(c *Container) fact.Observation { return c.Memory.Need.Observation }),
		"memory.request": numbered(func(c *Container) (fact.Observation, int64) {
			return c.Memory.Request.Observation, c.Memory.Request.Bytes
		}),
		"memory.unit": seen(func(c *Container) fact.Observation { return c.Memory.Unit.Observation }),
		"postStart":   seen(func(c *Container) fact.Observation { return c.PostStart.Observation }),
		"ports":       seen(func(c *Container) fact.Observation { return c.Ports.Observation }),
		"probes.duringStart": numbered(func(c *Container) (fact.Observation, int64) {
			return c.Probes.DuringStart.Observation, c.Probes.DuringStart.Seconds
		}),
		"probes.duringStart.once": seen(func(c *Container) fact.Observation { return c.Probes.DuringStart.Once }),
		"probes.liveness":         seen(func(c *Container) fact.Observation { return c.Probes.Liveness.Observation }),
		"probes.liveness.fails":   seen(func(c *Container) fact.Observation { return c.Probes.Liveness.Fails.Observation }),
		"probes.liveness.target":  seen(func(c *Container) fact.Observation { return c.Probes.Liveness.Target.Observation }),
		"probes.readiness":        seen(func(c *Container) fact.Observation { return c.Probes.Readiness.Observation }),
		"probes.readiness.fails":  seen(func(c *Container) fact.Observation { return c.Probes.Readiness.Fails.Observation }),
		"probes.readiness.target": seen(func(c *Container) fact.Observation { return c.Probes.Readiness.Target.Observation }),
		"probes.startup":          seen(func(c *Container) fact.Observation { return c.Probes.Startup.Observation }),
		"probes.startup.fails":    seen(func(c *Container) fact.Observation { return c.Probes.Startup.Fails.Observation }),
		"probes.startup.target":   seen(func(c *Container) fact.Observation { return c.Probes.Startup.Target.Observation }),
		"restartAlways":           seen(func(c *Container) fact.Observation { return c.RestartAlways }),
		"slips.literal":           seen(func(c *Container) fact.Observation { return c.Slips.Literal.Observation }),
		"slips.unrunnable":        seen(func(c *Container) fact.Observation { return c.Slips.Unrunnable.Observation }),

		"probedPorts.listener": {is: func(c *Container, s fact.State) bool {
			return len(c.ProbedPorts) > 0 && c.Listens.State == s
		}},
		"probedPorts.mentioned": {is: func(c *Container, s fact.State) bool {
			return slices.ContainsFunc(c.ProbedPorts, func(p ProbedPort) bool { return p.Mentioned.State == s })
		}},
	}
}

// judged tells how a rule judges one fact of a T: whether it has a state and, for some facts, its
// number.
type judged[T any] struct {
	is     func(*T, fact.State) bool
	number func(*T) int64
}

// seen is a fact without a number.
func seen[T any](of func(*T) fact.Observation) judged[T] {
	return judged[T]{is: func(t *T, s fact.State) bool { return of(t).State == s }}
}

// numbered is a fact with a number.
func numbered[T any](of func(*T) (fact.Observation, int64)) judged[T] {
	return judged[T]{
		is: func(t *T, s fact.State) bool {
			seen, _ := of(t)
			return seen.State == s
		},
		number: func(t *T) int64 {
			_, n := of(t)
			return n
		},
	}
}

func (j judged[T]) holds(t *T, s fact.State, within bounds) bool {
	return j.is(t, s) && (j.number == nil || within.hold(j.number(t)))
}

// subject tells which facts a Subject has, and looks for them.
type subject struct {
	// numbers says of each fact, by name, whether it has a number.
	numbers map[string]bool
	// test returns a function that looks for a fact in a state, with its number within bounds.
	test func(name string, s fact.State, within bounds) func(*Facts) bool
}

// each returns a subject that an object may have several of. It is enough that one of them has
// the fact.
func each[T any](known map[string]judged[T], all func(*Facts) []T) subject {
	return subject{numbersOf(known), func(name string, s fact.State, within bounds) func(*Facts) bool {
		j := known[name]
		return func(f *Facts) bool {
			list := all(f)
			for i := range list {
				if j.holds(&list[i], s, within) {
					return true
				}
			}
			return false
		}
	}}
}

// one returns a subject that every object has once.
func one[T any](known map[string]judged[T], the func(*Facts) *T) subject {
	return subject{numbersOf(known), func(name string, s fact.State, within bounds) func(*Facts) bool {
		j := known[name]
		return func(f *Facts) bool { return j.holds(the(f), s, within) }
	}}
}

func numbersOf[T any](known map[string]judged[T]) map[string]bool {
	numbers := make(map[string]bool, len(known))
	for name, j := range known {
		numbers[name] = j.number != nil
	}
	return numbers
}
