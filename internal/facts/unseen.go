package facts

import (
	"reflect"

	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/workload"
)

// notLookedAt is why something is unknown once the budget is spent.
const notLookedAt = "the object is too large to be looked at whole"

// unseen is a container that was not looked at, or not to the end: it is there, and all else is unknown.
func unseen(c *workload.Container) Container {
	f := Container{Name: c.Name, Kind: string(c.Kind), Path: c.Path, RestartPolicy: string(c.RestartPolicy)}
	observeAll(reflect.ValueOf(&f).Elem(), fact.UnknownAt(c.Path, notLookedAt))
	return f
}

// observeAll sets every observation in a value, whatever facts there will be.
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

// unfinished makes unknown what depends on the whole pod. What each container says by itself stands.
func (f *Facts) unfinished() {
	f.Unfinished = true
	for i := range f.Containers {
		c := &f.Containers[i]
		c.Gate = Gate{Observation: fact.UnknownAt(c.Path, notLookedAt)}
		c.ProbedPorts = nil // where else a number stands is not known
		for _, o := range []*fact.Observation{&c.Memory.Demand.Observation, &c.Memory.Demand.Near} {
			if o.Is(fact.Absent) { // a volume may be its demand
				*o = fact.UnknownAt(c.Path, notLookedAt)
			}
		}
	}
}
