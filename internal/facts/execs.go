package facts

import (
	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/facts/command"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/facts/probe"
	"github.com/forestall/forestall/internal/workload"
)

// PostStart says of a postStart hook that it fails each time, or never ends.
type PostStart struct {
	// Path is the command, or the port that the hook asks.
	fact.Observation
	// Port is a name that the hook asks and its container does not declare; it is looked up as that of a
	// probe (k8s.io/kubernetes pkg/kubelet/lifecycle/handlers.go, runHTTPHandler).
	Port string `json:"port,omitempty"`
	// Refused is why the API server refuses the name; empty for a name that it accepts.
	Refused string `json:"refused,omitempty"`
	// ExitCode is that of its command, where it ends.
	ExitCode *int `json:"exitCode,omitempty"`
	// Never says that its command never ends.
	Never bool `json:"never,omitempty"`
	// Because is one clause that says why, for a person to read; empty where a port is at fault.
	Because string `json:"because,omitempty"`
}

// observeExecs adds what the commands of probes and of the postStart hook are known to come to each time. Of a command
// that does not say what was meant, that is told.
func observeExecs(v *workload.View, c *workload.Container, lines []command.Line, known Knowledge, f *Container) {
	probes := map[command.Role]*probe.Probe{
		command.RoleLivenessProbe: &f.Probes.Liveness, command.RoleReadinessProbe: &f.Probes.Readiness,
		command.RoleStartupProbe: &f.Probes.Startup,
	}
	for _, p := range probes {
		p.Fails.Observation = fact.UnknownAt(p.Path, "no command is followed")
	}
	f.PostStart = observePostStart(lines[0].Input.Budget, v, c)
	if isWindows(&v.PodSpec) {
		return
	}
	for _, line := range lines {
		if f.Slips.Has(line.Role) {
			continue
		}
		p := probes[line.Role]
		switch {
		case p != nil && p.Is(fact.Present):
			ends := command.Analyze(line.Input, known.Programs).Ends
			p.Fails = probe.Fails{Observation: failing(ends), ExitCode: ends.ExitCode, Never: ends.Is(fact.Absent), Because: ends.Because}
		case line.Role == command.RolePostStart:
			ends := command.Analyze(line.Input, known.Programs).Ends
			f.PostStart = PostStart{Observation: failing(ends), ExitCode: ends.ExitCode, Never: ends.Is(fact.Absent), Because: ends.Because}
		}
	}
}

// failing is present where a command is known to fail, or never to end.
func failing(ends command.Ends) fact.Observation {
	switch {
	case ends.Is(fact.Absent), ends.ExitCode != nil && *ends.ExitCode != 0:
		return fact.PresentAt(ends.Path)
	case ends.Is(fact.Present) && ends.ExitCode != nil:
		return fact.AbsentAt(ends.Path)
	case ends.Is(fact.Present):
		return fact.UnknownAt(ends.Path, "its exit code is not known")
	}
	return ends.Observation
}

// observePostStart observes the hook where it asks a port. What its controller or a service mesh completes is unknown.
func observePostStart(b *budget.Budget, v *workload.View, c *workload.Container) PostStart {
	at := c.Path + ".lifecycle.postStart"
	if c.Lifecycle == nil || c.Lifecycle.PostStart == nil {
		return PostStart{Observation: fact.AbsentAt(at)}
	}
	get := c.Lifecycle.PostStart.HTTPGet
	if get != nil && !v.Fills.Probes && c.Image != meshPlaceholder {
		target := probe.TargetOf(b.OrDefault(), &c.Container, get.Port, at+".httpGet.port")
		if target.Is(fact.Absent) {
			return PostStart{Observation: fact.PresentAt(target.Path), Port: get.Port.StrVal, Refused: target.Refused}
		}
	}
	return PostStart{Observation: fact.UnknownAt(at, "it is not known whether it passes")}
}
