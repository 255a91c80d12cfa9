package facts

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts/command"
	"github.com/forestall/forestall/internal/facts/memory"
	"github.com/forestall/forestall/internal/workload"
)

func observeMemory(v *workload.View, c *workload.Container, in command.Input, w cluster.World, known Knowledge) memory.Facts {
	resources := memory.Input{
		Container: c.Resources, ContainerPath: c.Path,
		Pod: v.PodSpec.Resources, PodPath: v.SpecPath,
	}
	if resources.Unlimited() {
		resources.DefaultLimit, resources.DefaultUnknown = defaultLimit(w)
	}
	f := memory.Observe(resources)
	p := memory.Process{
		Container: &c.Container, Path: c.Path, Env: in.Env, Budget: in.Budget,
		Invoked: func() command.Invocation { return command.Invoked(in, known.Programs) },
	}
	f.Need = memory.ObserveNeed(p, f.Limit, known.Memory)
	f.Demand = memory.ObserveDemand(p, f.Limit, known.Memory)
	return f
}

// defaultLimit is what the LimitRanges of the namespace give to a container without a limit.
func defaultLimit(w cluster.World) (limit *resource.Quantity, unknown string) {
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
