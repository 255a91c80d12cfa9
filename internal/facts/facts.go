// Package facts turns a View into observations that rules can judge: what a
// command does, how much memory a container may use, what its probes ask. It
// observes and never judges; judgement is written in Rego, where users can read
// and change it.
package facts

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts/command"
	"github.com/forestall/forestall/internal/facts/cpu"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/facts/image"
	"github.com/forestall/forestall/internal/facts/memory"
	"github.com/forestall/forestall/internal/facts/probe"
	"github.com/forestall/forestall/internal/workload"
)

// Knowledge is what is known beforehand, from the data beside the rules. The
// zero value knows nothing.
type Knowledge struct {
	Programs command.Programs
	Images   command.Images
	Memory   memory.Table
}

// Facts is everything observed about one object.
type Facts struct {
	Workload   Workload
	Pod        Pod
	Containers []Container
	// Service is set for a Service, which has none of the above.
	Service *Service
	// Manifest is what the text says that brought the object.
	Manifest Manifest
	// Unfinished says that the budget was spent before everything was looked at. The rest is unknown.
	Unfinished bool
}

// Container is what is observed about one container.
type Container struct {
	Name string `json:"name"`
	Kind string `json:"kind" jsonschema:"enum=init,enum=sidecar,enum=regular,enum=ephemeral"`
	// Path is the place of the container in the submitted object.
	Path string `json:"path"`
	// RestartPolicy is the one in force for this container.
	RestartPolicy string `json:"restartPolicy" jsonschema:"enum=Always,enum=OnFailure,enum=Never"`
	// RestartAlways says whether the container is started again whenever it ends;
	// its path is the field that decides. Unknown for init containers, which are
	// meant to end, and ephemeral ones.
	RestartAlways fact.Observation `json:"restartAlways"`
	Image         image.Facts      `json:"image"`
	Command       command.Facts    `json:"command"`
	Memory        memory.Facts     `json:"memory"`
	CPU           cpu.Facts        `json:"cpu"`
	Probes        probe.Facts      `json:"probes"`
	Ports         Ports            `json:"ports"`
	// Listens says whether anything that the manifest starts in the container opens a
	// port: its command, or a postStart hook.
	Listens fact.Observation `json:"listens"`
	// Gate says whether this container's readiness decides over Services that send to others.
	Gate Gate `json:"gate"`
	// ProbedPorts are the ports of the pod that this container's probes ask, each once.
	ProbedPorts []ProbedPort `json:"probedPorts,omitempty"`
	// Slips are command lines that do not say what was meant, in the command, exec probes and hooks.
	Slips command.Slips `json:"slips"`
	// KeepAlive says whether the command only keeps the container running.
	KeepAlive command.KeepAlive `json:"keepAlive"`
	// Completion says whether something waits for the container to end.
	Completion Completion `json:"completion"`
	// PostStart says whether its postStart hook is known to fail each time, or never to end.
	PostStart PostStart `json:"postStart"`
}

// perContainer is how many steps it takes to look at a container, whatever is in it.
const perContainer = 16

// Of observes the View in its world, as far as the budget suffices; a nil budget stands for the
// default one. It asks the world only for what an observation needs.
func Of(b *budget.Budget, v *workload.View, w cluster.World, known Knowledge) Facts {
	b = b.OrDefault()
	f := Facts{Workload: observeWorkload(v), Pod: observePod(v), Manifest: sent()}
	if !b.Spend(perContainer * len(v.Containers)) {
		f.Unfinished = true // what stands beside a container is not known: nothing is said of any
		return f
	}
	given := defaultLimit(w)
	f.Containers = make([]Container, 0, len(v.Containers))
	replaced := readTriggers(b, v)
	plain := observePlainVolumes(b, v)
	for i := range v.Containers {
		c := observe(b, v, withoutReplaced(&v.Containers[i], w), given, plain, known)
		c.Image = observeImage(b, v, &v.Containers[i], w, replaced)
		switch {
		case b.Err() != nil:
			c = unseen(&v.Containers[i], notLookedAt)
		case len(v.Containers[i].Name) > maxName:
			c = unseen(&v.Containers[i], "its name is longer than any name")
		default:
			c.Listens = observeListens(&v.Containers[i], &c.Command)
		}
		f.Containers = append(f.Containers, c)
	}
	f.Workload.OutlastsDeadline = observeDeadline(v, f.Workload.Rollout, f.Containers)
	addVolumes(b, v, &f)
	observeProbedPorts(b, v, w, f.Containers)
	observeGates(b, v, w, f.Containers)
	if b.Err() != nil {
		f.unfinished()
	}
	return f
}

func observe(b *budget.Budget, v *workload.View, c *workload.Container, given defaulting, plain plainVolumes, known Knowledge) Container {
	if b.Err() != nil {
		return Container{}
	}
	in := commandInput(b, v, c, plain)
	if in.ImagePath = c.Path + ".image"; !isWindows(&v.PodSpec) {
		in.Image = known.Images.Find(c.Image)
	}
	observed, lines := command.Analyze(in, known.Programs), commandLines(c, in)
	f := Container{
		Name:          c.Name,
		Kind:          string(c.Kind),
		Path:          c.Path,
		RestartPolicy: string(c.RestartPolicy), RestartAlways: observeRestart(v, c, &observed.Ends),
		Command: observed,
		Memory:  observeMemory(v, c, in, given, known),
		CPU:     cpu.Observe(c.Resources, c.Path),
		Probes:  observeProbes(b, v, c),
		Ports:   observePorts(b, c),

		Slips:      observeSlips(v, c, lines, known),
		KeepAlive:  command.FindKeepAlive(in, known.Programs),
		Completion: observeCompletion(v, c, observed.Ends),
	}
	observeExecs(v, c, lines, known, &f)
	return f
}

func observeRestart(v *workload.View, c *workload.Container, ends *command.Ends) fact.Observation {
	path := v.SpecPath + ".restartPolicy"
	if c.Container.RestartPolicy != nil {
		path = c.Path + ".restartPolicy"
	}
	switch {
	case c.Kind != workload.Regular && c.Kind != workload.Sidecar:
		return fact.UnknownAt(path, "the container is meant to end")
	case c.RestartPolicy == corev1.RestartPolicyAlways:
		return fact.PresentAt(path)
	case restartsAfter(c.RestartPolicyRules, ends):
		return fact.PresentAt(c.Path + ".restartPolicyRules")
	}
	return fact.AbsentAt(path)
}

// restartsAfter reports whether rules start a container again after the one exit code that it can end with. The first
// rule that fits counts (k8s.io/kubernetes pkg/kubelet/container/helpers.go, ShouldContainerBeRestarted).
func restartsAfter(rules []corev1.ContainerRestartRule, ends *command.Ends) bool {
	if ends.ExitCode == nil {
		return false
	}
	code := int32(*ends.ExitCode) //nolint:gosec // at most 255
	for _, rule := range rules {
		if rule.ExitCodes == nil {
			continue
		}
		listed := slices.Contains(rule.ExitCodes.Values, code)
		if listed == (rule.ExitCodes.Operator == corev1.ContainerRestartRuleOnExitCodesOpIn) {
			return rule.Action == corev1.ContainerRestartRuleActionRestart
		}
	}
	return false
}

// observeProbes observes the probes of a container. What its controller completes or moves is
// unknown.
func observeProbes(b *budget.Budget, v *workload.View, c *workload.Container) probe.Facts {
	if v.Fills.Probes {
		return probe.Unknown(c.Path, v.Kind+" completes or moves it")
	}
	if c.Kind == workload.Init && (c.LivenessProbe != nil || c.ReadinessProbe != nil || c.StartupProbe != nil) {
		return probe.Unknown(c.Path, "the API server refuses probes of init containers")
	}
	if c.Image == meshPlaceholder {
		return probe.Unknown(c.Path, "a service mesh completes the container") // and declares the ports
	}
	return probe.Observe(b, &c.Container, c.Path)
}

func commandInput(b *budget.Budget, v *workload.View, c *workload.Container, plain plainVolumes) command.Input {
	in := command.Input{
		Budget: b, Parsed: new(command.Scripts),
		Command: c.Command, CommandPath: c.Path + ".command",
		Args: c.Args, ArgsPath: c.Path + ".args",
		EnvOpen: len(c.EnvFrom) > 0 || v.Fills.Env,
		Stdin:   c.Stdin || c.TTY, ImageText: c.Image,
	}
	vars := make([]command.Variable, 0, len(c.Env))
	for _, e := range c.Env {
		vars = append(vars, command.Variable{Name: e.Name, Value: e.Value, Elsewhere: e.ValueFrom != nil})
	}
	in.SetEnv(vars)
	b.Spend(len(c.VolumeMounts))
	in.Mounts = make([]string, 0, len(c.VolumeMounts))
	for i := range c.VolumeMounts {
		in.Mounts = append(in.Mounts, c.VolumeMounts[i].MountPath)
		if !plain[c.VolumeMounts[i].Name] {
			in.AddPipes(c.VolumeMounts[i].MountPath)
		}
	}
	return in
}
