package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/command"
	"github.com/forestall/forestall/internal/facts/fact"
)

const everyCommand = `
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
    - name: web
      image: web:1
      command: [""]
      livenessProbe: {exec: {command: ["a -b"]}}
      readinessProbe: {exec: {command: ["-b"]}}
      startupProbe: {exec: {command: ["/app/check"]}}
      lifecycle:
        postStart: {exec: {command: ["a -c"]}}
        preStop: {exec: {command: ["mkdir", "a", "&&", "b"]}}
`

func TestSlipsOfEveryCommand(t *testing.T) {
	const path = "spec.containers[0]"
	got := factsOf(view(t, everyCommand), alone(), facts.Knowledge{}).Containers[0].Slips
	want := command.Slips{
		Unrunnable: command.SlipList{Observation: fact.PresentAt(path), Found: []command.Slip{
			{Role: command.RoleCommand, Form: "empty", Path: path + ".command[0]", Meant: []string{}},
			{
				Role: command.RoleLivenessProbe, Form: "line", Path: path + ".livenessProbe.exec.command[0]",
				Word: "a -b", Meant: []string{"a", "-b"}, Sure: true,
			},
			{
				Role: command.RoleReadinessProbe, Form: "option", Path: path + ".readinessProbe.exec.command[0]",
				Word: "-b", Meant: []string{"-b"},
			},
			{
				Role: command.RolePostStart, Form: "line", Path: path + ".lifecycle.postStart.exec.command[0]",
				Word: "a -c", Meant: []string{"a", "-c"}, Sure: true,
			},
		}},
		Literal: command.SlipList{Observation: fact.PresentAt(path), Found: []command.Slip{
			{
				Role: command.RolePreStop, Form: "operator", Path: path + ".lifecycle.preStop.exec.command[2]",
				Word: "&&", Program: "mkdir", Meant: []string{"sh", "-c", "mkdir a && b"}, Shell: fact.Unknown,
			},
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSlipsOnWindows(t *testing.T) {
	for _, spec := range []string{"os: {name: windows}", "nodeSelector: {kubernetes.io/os: windows}"} {
		object := "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec: {" + spec + `, containers: [{name: x, image: "x:1", command: ["cmd /c x"]}]}`
		got := factsOf(view(t, object), alone(), facts.Knowledge{}).Containers[0].Slips
		unknown := command.SlipList{Observation: fact.UnknownAt("spec.containers[0]", "it runs on Windows")}
		if diff := cmp.Diff(command.Slips{Unrunnable: unknown, Literal: unknown}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", spec, diff)
		}
	}
}
