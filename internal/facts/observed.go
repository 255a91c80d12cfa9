package facts

import "github.com/forestall/forestall/internal/facts/fact"

// Judgement names one observation that a rule judges: a fact and its state. A
// rule is asked only about objects in which one of its judgements holds.
type Judgement struct {
	Fact  string     `json:"fact"`
	State fact.State `json:"state"`
}

// Names lists the facts that a rule may judge, sorted.
func Names() []string {
	return []string{
		"command.argv", "command.detaches", "command.ends", "command.listens",
		"completion.never",
		"cpu.large",
		"gate",
		"image", "image.invalid", "image.mutable", "image.neverPulled",
		"keepAlive",
		"memory.demand.near", "memory.limit", "memory.need", "memory.request", "memory.small",
		"outlastsDeadline",
		"ports",
		"probedPorts.listener", "probedPorts.mentioned",
		"probes.hasty", "probes.liveness", "probes.liveness.target",
		"probes.readiness", "probes.readiness.target",
		"probes.startup", "probes.startup.target",
		"restartAlways",
		"slips.literal", "slips.unrunnable",
	}
}

// Observed is the set of judgements that hold somewhere in an object.
type Observed map[Judgement]struct{}

// Holds reports whether any of the judgements holds.
func (o Observed) Holds(judges []Judgement) bool {
	for _, j := range judges {
		if _, ok := o[j]; ok {
			return true
		}
	}
	return false
}

// Observed returns what holds in at least one container.
func (f Facts) Observed() Observed {
	o := Observed{}
	for i := range f.Containers {
		for name, observation := range f.Containers[i].observations() {
			o[Judgement{Fact: name, State: observation.State}] = struct{}{}
		}
		for _, p := range f.Containers[i].ProbedPorts {
			o[Judgement{Fact: "probedPorts.listener", State: f.Containers[i].Listens.State}] = struct{}{}
			o[Judgement{Fact: "probedPorts.mentioned", State: p.Mentioned.State}] = struct{}{}
		}
	}
	return o
}

func (c *Container) observations() map[string]fact.Observation {
	return map[string]fact.Observation{
		"command.argv":       c.Command.Argv.Observation,
		"command.detaches":   c.Command.Detaches.Observation,
		"command.ends":       c.Command.Ends.Observation,
		"command.listens":    c.Command.Listens.Observation,
		"gate":               c.Gate.Observation,
		"completion.never":   c.Completion.Never,
		"image":              c.Image.Observation,
		"image.invalid":      c.Image.Invalid.Observation,
		"image.mutable":      c.Image.Mutable,
		"image.neverPulled":  c.Image.NeverPulled,
		"cpu.large":          c.CPU.Large.Observation,
		"keepAlive":          c.KeepAlive.Observation,
		"memory.demand.near": c.Memory.Demand.Near,
		"memory.limit":       c.Memory.Limit.Observation,
		"memory.need":        c.Memory.Need.Observation,
		"memory.small":       c.Memory.Small.Observation,
		"memory.request":     c.Memory.Request.Observation,
		"ports":              c.Ports.Observation,
		"probes.liveness":    c.Probes.Liveness.Observation,
		"probes.readiness":   c.Probes.Readiness.Observation,
		"probes.startup":     c.Probes.Startup.Observation,

		"probes.liveness.target":  c.Probes.Liveness.Target.Observation,
		"probes.readiness.target": c.Probes.Readiness.Target.Observation,
		"probes.startup.target":   c.Probes.Startup.Target.Observation,
		"probes.hasty":            c.Probes.Hasty,
		"outlastsDeadline":        c.OutlastsDeadline,
		"restartAlways":           c.RestartAlways,
		"slips.literal":           c.Slips.Literal.Observation,
		"slips.unrunnable":        c.Slips.Unrunnable.Observation,
	}
}
