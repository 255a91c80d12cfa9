package facts

import (
	"reflect"
	"strings"

	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/workload"
)

// notLookedAt is why something is unknown once the budget is spent.
const notLookedAt = "the object is too large to be looked at whole"

// maxName is how many bytes of a container's name are kept. The API server refuses names of more
// than 63 characters (k8s.io/kubernetes pkg/apis/core/validation/validation.go, a DNS label), but
// only after it has asked mutating webhooks, and each finding of an object may repeat the name.
const maxName = 253

// unseen returns the facts of a container that was not observed, or not to the end: it exists,
// and everything else about it is unknown.
func unseen(c *workload.Container, why string) Container {
	f := Container{
		Name: strings.ToValidUTF8(c.Name[:min(len(c.Name), maxName)], ""),
		Kind: string(c.Kind), Path: c.Path, RestartPolicy: string(c.RestartPolicy),
	}
	observeAll(reflect.ValueOf(&f).Elem(), fact.UnknownAt(c.Path, why))
	return f
}

// observeAll sets every observation within a value, also those that are added to it later.
func observeAll(v reflect.Value, o fact.Observation) {
	if v.Kind() != reflect.Struct {
		return
	}
	if v.Type() == reflect.TypeFor[fact.Observation]() {
		v.Set(reflect.ValueOf(o))
		return
	}
	for i := range v.NumField() {
		observeAll(v.Field(i), o)
	}
}

// unfinished marks as unknown what depends on the whole pod. What each container says by itself
// stands.
func (f *Facts) unfinished() {
	f.Unfinished = true
	for i := range f.Containers {
		c := &f.Containers[i]
		c.Gate = Gate{Observation: fact.UnknownAt(c.Path, notLookedAt)}
		c.Ports.Configured = fact.UnknownAt(c.Path, notLookedAt)
		c.ProbedPorts = nil // where else a number stands is not known
		for _, o := range []*fact.Observation{&c.Memory.Demand.Observation, &c.Memory.Demand.Near} {
			if o.Is(fact.Absent) { // a volume may be its demand
				*o = fact.UnknownAt(c.Path, notLookedAt)
			}
		}
	}
}
