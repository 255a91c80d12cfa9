package facts

import (
	"sync"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts/command"
	"github.com/forestall/forestall/internal/facts/memory"
	"github.com/forestall/forestall/internal/workload"
)

// defaulting tells what is given to a container without a limit, and why that is not known, where it
// is not.
type defaulting func() (limit *resource.Quantity, unknown string)

func observeMemory(v *workload.View, c *workload.Container, in command.Input, given defaulting, known Knowledge) memory.Facts {
	resources := memory.Input{
		Container: c.Resources, ContainerPath: c.Path,
		Pod: v.PodSpec.Resources, PodPath: v.SpecPath, Written: v.Written,
	}
	if resources.Unlimited() {
		resources.DefaultLimit, resources.DefaultUnknown = given()
	}
	f := memory.Observe(resources)
	p := memory.Process{
		Container: &c.Container, Path: c.Path, Env: in.Env, Budget: in.Budget,
		Invoked:       func() command.Invocation { return command.Invoked(in, known.Programs) },
		RuntimeChosen: v.PodSpec.RuntimeClassName != nil,
	}
	f.Need = memory.ObserveNeed(p, f.Limit, known.Memory)
	f.Demand = memory.ObserveDemand(p, f.Limit, known.Memory)
	return f
}

// defaultLimit is what the LimitRanges of the namespace give to a container without a limit. They are
// looked at when the first container asks, and once for all.
func defaultLimit(w cluster.World) defaulting {
	return sync.OnceValues(func() (*resource.Quantity, string) { return readDefaultLimit(w) })
}

func readDefaultLimit(w cluster.World) (limit *resource.Quantity, unknown string) {
	given, unknown := w.DefaultMemoryLimit()
	if unknown != "" {
		return nil, "the namespace may have a LimitRange that sets one: " + unknown
	}
	if given == nil {
		return nil, ""
	}
	q, err := resource.ParseQuantity(given.Text)
	if err != nil {
		return nil, "the default limit of LimitRange " + given.LimitRange + " cannot be read"
	}
	return &q, ""
}

// addVolumes adds the volumes in memory to the demands of the containers.
func addVolumes(b *budget.Budget, v *workload.View, f *Facts) {
	if len(v.PodSpec.Volumes) == 0 || b.Err() != nil {
		return
	}
	mounts := memory.Mounts{Budget: b}
	for i := range v.Containers {
		mounts.Containers = append(mounts.Containers, &v.Containers[i].Container)
		mounts.Limits = append(mounts.Limits, f.Containers[i].Memory.Limit)
	}
	for i, asks := range memory.VolumeAsks(v.PodSpec.Volumes, v.SpecPath, mounts) {
		m := &f.Containers[i].Memory
		m.Demand = m.Demand.With(asks, m.Limit)
	}
}
