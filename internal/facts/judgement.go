package facts

import (
	"maps"
	"slices"

	"github.com/forestall/forestall/internal/facts/fact"
)

// Judgement names one observation that a rule judges: a fact and its state. A
// rule is asked only about objects in which one of its judgements holds.
type Judgement struct {
	Fact  string     `json:"fact"`
	State fact.State `json:"state"`
}

// Names lists the facts that a rule may judge, sorted.
func Names() []string { return slices.Sorted(maps.Keys(judged())) }

// Condition tells whether any of some judgements holds in an object. It is made once
// for each rule; every request asks it.
type Condition struct {
	any []func(*Container) bool
}

// ConditionOf returns the Condition of these judgements. None of a fact that is not in Names holds.
func ConditionOf(judges []Judgement) Condition {
	known := judged()
	var c Condition
	for _, j := range judges {
		if holds, ok := known[j.Fact]; ok {
			c.any = append(c.any, func(in *Container) bool { return holds(in, j.State) })
		}
	}
	return c
}

// Holds reports whether one of the judgements holds in one of the containers.
func (c Condition) Holds(f Facts) bool {
	for i := range f.Containers {
		for _, holds := range c.any {
			if holds(&f.Containers[i]) {
				return true
			}
		}
	}
	return false
}

// judged are the facts that a rule may judge, by name.
func judged() map[string]func(*Container, fact.State) bool {
	one := func(of func(*Container) fact.Observation) func(*Container, fact.State) bool {
		return func(c *Container, s fact.State) bool { return of(c).State == s }
	}
	return map[string]func(*Container, fact.State) bool{
		"command.argv":            one(func(c *Container) fact.Observation { return c.Command.Argv.Observation }),
		"command.detaches":        one(func(c *Container) fact.Observation { return c.Command.Detaches.Observation }),
		"command.ends":            one(func(c *Container) fact.Observation { return c.Command.Ends.Observation }),
		"command.listens":         one(func(c *Container) fact.Observation { return c.Command.Listens.Observation }),
		"completion.never":        one(func(c *Container) fact.Observation { return c.Completion.Never }),
		"cpu.large":               one(func(c *Container) fact.Observation { return c.CPU.Large.Observation }),
		"gate":                    one(func(c *Container) fact.Observation { return c.Gate.Observation }),
		"image":                   one(func(c *Container) fact.Observation { return c.Image.Observation }),
		"image.invalid":           one(func(c *Container) fact.Observation { return c.Image.Invalid.Observation }),
		"image.mutable":           one(func(c *Container) fact.Observation { return c.Image.Mutable }),
		"image.neverPulled":       one(func(c *Container) fact.Observation { return c.Image.NeverPulled }),
		"keepAlive":               one(func(c *Container) fact.Observation { return c.KeepAlive.Observation }),
		"memory.demand.near":      one(func(c *Container) fact.Observation { return c.Memory.Demand.Near }),
		"memory.limit":            one(func(c *Container) fact.Observation { return c.Memory.Limit.Observation }),
		"memory.need":             one(func(c *Container) fact.Observation { return c.Memory.Need.Observation }),
		"memory.request":          one(func(c *Container) fact.Observation { return c.Memory.Request.Observation }),
		"memory.small":            one(func(c *Container) fact.Observation { return c.Memory.Small.Observation }),
		"outlastsDeadline":        one(func(c *Container) fact.Observation { return c.OutlastsDeadline }),
		"ports":                   one(func(c *Container) fact.Observation { return c.Ports.Observation }),
		"probes.hasty":            one(func(c *Container) fact.Observation { return c.Probes.Hasty }),
		"probes.liveness":         one(func(c *Container) fact.Observation { return c.Probes.Liveness.Observation }),
		"probes.liveness.target":  one(func(c *Container) fact.Observation { return c.Probes.Liveness.Target.Observation }),
		"probes.readiness":        one(func(c *Container) fact.Observation { return c.Probes.Readiness.Observation }),
		"probes.readiness.target": one(func(c *Container) fact.Observation { return c.Probes.Readiness.Target.Observation }),
		"probes.startup":          one(func(c *Container) fact.Observation { return c.Probes.Startup.Observation }),
		"probes.startup.target":   one(func(c *Container) fact.Observation { return c.Probes.Startup.Target.Observation }),
		"restartAlways":           one(func(c *Container) fact.Observation { return c.RestartAlways }),
		"slips.literal":           one(func(c *Container) fact.Observation { return c.Slips.Literal.Observation }),
		"slips.unrunnable":        one(func(c *Container) fact.Observation { return c.Slips.Unrunnable.Observation }),

		"probedPorts.listener": func(c *Container, s fact.State) bool {
			return len(c.ProbedPorts) > 0 && c.Listens.State == s
		},
		"probedPorts.mentioned": func(c *Container, s fact.State) bool {
			return slices.ContainsFunc(c.ProbedPorts, func(p ProbedPort) bool { return p.Mentioned.State == s })
		},
	}
}
