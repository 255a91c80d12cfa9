package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/facts/probe"
)

func TestExecs(t *testing.T) {
	const at = "spec.containers[0]"
	one := 1
	for _, tt := range []struct {
		name, container string
		probe           probe.Fails
		hook            facts.PostStart
	}{
		{
			"it fails",
			"readinessProbe: {exec: {command: ['false']}}, lifecycle: {postStart: {exec: {command: [sh, -c, exit 1]}}}",
			probe.Fails{Observation: fact.PresentAt(at + ".readinessProbe.exec.command"), ExitCode: &one, Because: "false fails and ends"},
			facts.PostStart{
				Observation: fact.PresentAt(at + ".lifecycle.postStart.exec.command[2]"), ExitCode: &one, Because: `the script ends with "exit 1"`,
			},
		},
		{
			"it never ends, and standard input is that of the container alone",
			"stdin: true, readinessProbe: {exec: {command: [cat]}}, lifecycle: {postStart: {exec: {command: [sleep, infinity]}}}",
			probe.Fails{Observation: fact.AbsentAt(at + ".readinessProbe.exec.command"), ExitCode: new(int), Because: "cat prints its input and ends"},
			facts.PostStart{
				Observation: fact.PresentAt(at + ".lifecycle.postStart.exec.command"), Never: true, Because: "sleep waits, without end",
			},
		},
		{
			"a command that does not say what was meant, and a name that is not declared",
			"readinessProbe: {exec: {command: [sh, -c, test, -f, /tmp/ready]}}, lifecycle: {postStart: {httpGet: {port: http}}}",
			probe.Fails{Observation: fact.UnknownAt(at+".readinessProbe", "no command is followed")},
			facts.PostStart{Observation: fact.PresentAt(at + ".lifecycle.postStart.httpGet.port"), Port: "http"},
		},
		{
			"a name that is declared",
			"ports: [{containerPort: 80, name: http}], lifecycle: {postStart: {httpGet: {port: http}}}",
			probe.Fails{Observation: fact.UnknownAt(at+".readinessProbe", "no command is followed")},
			facts.PostStart{Observation: fact.UnknownAt(at+".lifecycle.postStart", "it is not known whether it passes")},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := view(t, "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, image: 'c:1', "+tt.container+"}]}}")
			got := factsOf(v, alone(), known(t)).Containers[0]
			if diff := cmp.Diff(tt.probe, got.Probes.Readiness.Fails); diff != "" {
				t.Errorf("readiness (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.hook, got.PostStart); diff != "" {
				t.Errorf("postStart (-want +got):\n%s", diff)
			}
		})
	}
}
