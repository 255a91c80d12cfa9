package memory

import (
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/facts/command"
	"github.com/forestall/forestall/internal/facts/fact"
)

// Need is what the container is known to need where its limit is below that.
type Need struct {
	fact.Observation
	// Bytes is the least that it is known to work with.
	Bytes int64 `json:"bytes,omitempty"`
	// Because is one clause that says why, Shows what kubectl shows, Source where that is written.
	Because string `json:"because,omitempty"`
	Shows   string `json:"shows,omitempty"`
	Source  string `json:"source,omitempty"`
}

// ObserveNeed compares the limit in force with what the program or the image is known to need.
func ObserveNeed(p Process, limit Quantity, known Table) Need {
	absent := Need{Observation: limit.below(limit.Path)}
	// A limit of the pod is shared, and only bounds what one container may use.
	if !limit.Is(fact.Present) || len(known.needs) == 0 || limit.Bytes >= known.needs[0].Bytes {
		return absent
	}
	p.Budget = p.Budget.OrDefault()
	var started *command.Invocation
	repository, tag := splitImage(p.Container.Image)
	for _, n := range known.needs {
		if limit.Bytes >= n.Bytes {
			return absent
		}
		if p.RuntimeChosen && n.ofRuntimes() {
			continue
		}
		program := ""
		if len(n.Programs) > 0 {
			if started == nil {
				started = new(p.started(known))
			}
			program = started.Program()
		}
		if n.belongs(p, program, repository, tag) {
			return Need{Observation: fact.PresentAt(limit.Path), Bytes: n.Bytes, Because: n.Because, Shows: n.Shows, Source: n.Source}
		}
	}
	return absent
}

// ofRuntimes says whether it is what common runtimes need, whatever runs in the container.
func (n need) ofRuntimes() bool { return len(n.Programs) == 0 && len(n.Images) == 0 }

func (n need) belongs(p Process, program, repository, tag string) bool {
	for i := range p.Container.Env {
		if !p.Budget.Spend(1) {
			return false
		}
		if slices.Contains(n.UnlessVariables, p.Container.Env[i].Name) {
			return false
		}
	}
	switch {
	case len(n.Programs) > 0:
		return slices.Contains(n.Programs, program)
	case len(n.Images) == 0:
		return true
	case len(p.Container.Command) > 0, len(p.Container.Args) > 0, len(n.UnlessVariables) > 0 && len(p.Container.EnvFrom) > 0:
		return false // something else may run
	}
	return slices.ContainsFunc(n.Images, func(image string) bool {
		return isRepository(repository, image)
	}) && (len(n.Tags) == 0 || slices.ContainsFunc(n.Tags, func(t string) bool { return strings.HasPrefix(tag, t) }))
}

// splitImage returns the repository of an image reference and its tag.
func splitImage(image string) (string, string) {
	name, _, _ := strings.Cut(image, "@")
	colon := strings.LastIndexByte(name, ':')
	if colon < strings.LastIndexByte(name, '/') {
		return name, ""
	}
	if colon < 0 {
		return name, ""
	}
	return name[:colon], name[colon+1:]
}
