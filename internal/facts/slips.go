package facts

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/facts/command"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/workload"
)

// observeSlips looks at all commands that a container names. On Windows, how a
// command line is put together and looked up is another matter.
func observeSlips(v *workload.View, c *workload.Container, lines []command.Line, known Knowledge) command.Slips {
	if isWindows(&v.PodSpec) {
		unknown := command.SlipList{Observation: fact.UnknownAt(c.Path, "it runs on Windows")}
		return command.Slips{Unrunnable: unknown, Literal: unknown}
	}
	return command.FindSlips(c.Path, lines, known.Programs)
}

// commandLines are all commands that a container names, its own first.
func commandLines(c *workload.Container, in command.Input) []command.Line {
	lines := []command.Line{{Role: command.RoleCommand, Input: in}}
	add := func(role command.Role, action *corev1.ExecAction, path string) {
		if action == nil {
			return
		}
		line := in
		line.Command, line.CommandPath = action.Command, c.Path+path+".exec.command"
		line.Args, line.ArgsPath, line.Stdin = nil, "", false
		lines = append(lines, command.Line{Role: role, Input: line})
	}
	for _, p := range []struct {
		role  command.Role
		probe *corev1.Probe
	}{
		{command.RoleLivenessProbe, c.LivenessProbe},
		{command.RoleReadinessProbe, c.ReadinessProbe},
		{command.RoleStartupProbe, c.StartupProbe},
	} {
		if p.probe != nil {
			add(p.role, p.probe.Exec, "."+string(p.role))
		}
	}
	if c.Lifecycle != nil && c.Lifecycle.PostStart != nil {
		add(command.RolePostStart, c.Lifecycle.PostStart.Exec, ".lifecycle.postStart")
	}
	if c.Lifecycle != nil && c.Lifecycle.PreStop != nil {
		add(command.RolePreStop, c.Lifecycle.PreStop.Exec, ".lifecycle.preStop")
	}
	return lines
}

func isWindows(spec *corev1.PodSpec) bool {
	return spec.OS != nil && spec.OS.Name == corev1.Windows || spec.NodeSelector[corev1.LabelOSStable] == "windows"
}
