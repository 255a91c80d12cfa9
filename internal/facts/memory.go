package facts

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/facts/command"
	"github.com/forestall/forestall/internal/facts/memory"
	"github.com/forestall/forestall/internal/workload"
)

func observeMemory(v *workload.View, c *workload.Container, in command.Input, limit *resource.Quantity, known Knowledge) memory.Facts {
	f := memory.Observe(memory.Input{
		Container: c.Resources, ContainerPath: c.Path,
		Pod: v.PodSpec.Resources, PodPath: v.SpecPath,
		DefaultLimit: limit,
	})
	p := memory.Process{
		Container: &c.Container, Path: c.Path, Env: in.Env, Budget: in.Budget,
		Invoked: func() command.Invocation { return command.Invoked(in, known.Programs) },
	}
	f.Need = memory.ObserveNeed(p, f.Limit, known.Memory)
	f.Demand = memory.ObserveDemand(p, f.Limit, known.Memory)
	return f
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
