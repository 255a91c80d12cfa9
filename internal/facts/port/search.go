// Package port finds where the containers of a pod mention a port number, and
// which of their own flags and variables name a port to listen on.
package port

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/facts/fact"
)

// maxPort is the largest port number, and maxDigits how long it is.
const (
	maxPort   = 65535
	maxDigits = 5
)

// perStep is how many bytes are searched for numbers in one step.
const perStep = 32

// Container is one container to search, and its place in the submitted object.
type Container struct {
	*corev1.Container
	Path string
	// Listens says that it may open a port.
	Listens bool
}

// Mentions are the places where a number stands, one of each container.
type Mentions struct {
	fact.Observation
	Places []Place `json:"places,omitempty"`
	// Elsewhere are the first containers that get values from outside the pod, which may hold the
	// number, too. If one of these containers may listen, such a one is among them.
	Elsewhere []string `json:"elsewhere,omitempty"`
}

// Place is one place where a number stands.
type Place struct {
	// Container that mentions it; empty for the annotations of the pod.
	Container string `json:"container,omitempty"`
	Path      string `json:"path"`
}

// Search looks for numbers in a pod. The zero value looks for none.
type Search struct {
	// Budget bounds the work; nil for the default. Once it is spent, what was not found is unknown.
	Budget *budget.Budget
	found  map[int32]*mentions
	// added are the annotations that name a number to what is put into the pod later.
	added map[int32]string
	// open is where a value comes from outside that may hold any number, and openIn
	// the containers that have such values.
	open   string
	openIn places
}

// For adds a number to look for.
func (s *Search) For(number int32) {
	if s.found == nil {
		s.found = map[int32]*mentions{}
	}
	s.found[number] = &mentions{}
}

// In searches the containers of a pod and its annotations.
func (s *Search) In(containers []Container, annotations map[string]string) {
	if len(s.found) == 0 {
		return
	}
	s.Budget = s.Budget.OrDefault()
	for _, c := range containers {
		s.container(c)
	}
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		path := "metadata.annotations[" + key + "]"
		s.text(annotations[key], kept{Place: Place{Path: path}}, false)
		if injects(key) {
			s.add(annotations[key], path)
		}
	}
}

// Mentions tells what was found of a number. The commands of probes and hooks
// count as said wants it.
func (s *Search) Mentions(number int32, exec bool) Mentions {
	f := s.found[number]
	if f == nil {
		return Mentions{Observation: fact.UnknownAt("", "nobody looked for it")}
	}
	all := f.said.places()
	if exec {
		all = append(all, f.exec.places()...)
	}
	switch {
	case s.Budget.Err() != nil:
		return Mentions{Observation: fact.UnknownAt("", s.Budget.Err().Error())}
	case len(all) > 0:
		return Mentions{Observation: fact.PresentAt(all[0].Path), Places: all, Elsewhere: s.openIn.containers()}
	case s.open != "":
		return Mentions{
			Observation: fact.UnknownAt(s.open, "a value comes from elsewhere, and may hold it"),
			Elsewhere:   s.openIn.containers(),
		}
	}
	return Mentions{Observation: fact.AbsentAt("")}
}

func (s *Search) container(c Container) {
	for i, p := range c.Ports {
		if s.Budget.Spend(1) && s.found[p.ContainerPort] != nil {
			s.number(p.ContainerPort, c.place(indexed(c.Path, "ports", i)), false)
		}
	}
	s.words(c, "command", c.Command, false)
	s.words(c, "args", c.Args, false)
	for i, v := range c.Env {
		at := indexed(c.Path, "env", i)
		if elsewhere(v) {
			s.opened(c, at)
		}
		s.text(v.Value, c.place(at), false)
	}
	for i := range c.EnvFrom {
		s.opened(c, indexed(c.Path, "envFrom", i))
	}
	for _, run := range commands(c.Container) {
		s.words(c, run.field, run.Command, true)
	}
}

func (s *Search) opened(c Container, at string) {
	s.open = at
	s.openIn.add(c.place(at))
}

func (s *Search) words(c Container, field string, words []string, exec bool) {
	for i, word := range words {
		s.text(word, c.place(indexed(c.Path, field, i)), exec)
	}
}

func (s *Search) text(text string, at kept, exec bool) {
	if !s.Budget.Spend(1 + len(text)/perStep) {
		return
	}
	for n := range Numbers(text) {
		s.number(n, at, exec)
	}
}

func (s *Search) number(n int32, at kept, exec bool) {
	f := s.found[n]
	if f == nil {
		return
	}
	if exec {
		f.exec.add(at)
	} else {
		f.said.add(at)
	}
}

// Numbers yields the numbers within a text that can be ports.
func Numbers(text string) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		for {
			start := strings.IndexAny(text, "0123456789")
			if start < 0 {
				return
			}
			text = text[start:]
			end := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
			if end < 0 {
				end = len(text)
			}
			if n := parse(text[:end]); n > 0 && !yield(n) {
				return
			}
			text = text[end:]
		}
	}
}

// parse reads a port number; 0 where the text is none.
func parse(text string) int32 {
	if len(text) > maxDigits {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 1 || n > maxPort {
		return 0
	}
	return int32(n)
}

// elsewhere tells that a variable is filled in by the cluster with what may be a
// port: by a ConfigMap or a Secret, under a name that speaks of one.
func elsewhere(v corev1.EnvVar) bool {
	if v.ValueFrom == nil || v.ValueFrom.FieldRef != nil || v.ValueFrom.ResourceFieldRef != nil {
		return false
	}
	name := strings.ToUpper(v.Name)
	return slices.ContainsFunc([]string{"PORT", "ADDR", "LISTEN", "BIND", "URL", "ARGS", "OPTS", "OPTIONS", "CONFIG"},
		func(part string) bool { return strings.Contains(name, part) })
}

// ran is a command that is run in a container beside its process.
type ran struct {
	field string
	*corev1.ExecAction
}

// commands lists the commands of a container's probes and hooks.
func commands(c *corev1.Container) []ran {
	var all []ran
	add := func(field string, run *corev1.ExecAction) {
		if run != nil {
			all = append(all, ran{field + ".exec.command", run})
		}
	}
	probe := func(field string, p *corev1.Probe) {
		if p != nil {
			add(field, p.Exec)
		}
	}
	probe("livenessProbe", c.LivenessProbe)
	probe("readinessProbe", c.ReadinessProbe)
	probe("startupProbe", c.StartupProbe)
	if c.Lifecycle == nil {
		return all
	}
	if h := c.Lifecycle.PostStart; h != nil {
		add("lifecycle.postStart", h.Exec)
	}
	if h := c.Lifecycle.PreStop; h != nil {
		add("lifecycle.preStop", h.Exec)
	}
	return all
}

func indexed(path, field string, i int) string {
	return path + "." + field + "[" + strconv.Itoa(i) + "]"
}
