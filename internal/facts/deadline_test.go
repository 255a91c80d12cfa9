package facts_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/fact"
)

func TestOutlastsDeadline(t *testing.T) {
	const (
		slow    = "{name: c, image: c:1, startupProbe: {tcpSocket: {port: 1}, periodSeconds: 10, failureThreshold: 60}}"
		slower  = "{name: d, image: d:1, startupProbe: {tcpSocket: {port: 2}, periodSeconds: 10, failureThreshold: 90}}"
		unknown = "{name: u, image: u:1, startupProbe: {}}"
		path    = "spec.progressDeadlineSeconds"
		probe0  = "spec.template.spec.containers[0].startupProbe"
		probe1  = "spec.template.spec.containers[1].startupProbe"
	)
	absent := facts.OutlastsDeadline{Observation: fact.AbsentAt(path)}
	none := facts.OutlastsDeadline{Observation: fact.Observation{State: fact.Absent}}
	present := func(probes ...facts.SlowStart) facts.OutlastsDeadline {
		return facts.OutlastsDeadline{Observation: fact.PresentAt(path), Probes: probes}
	}
	for _, tt := range []struct {
		name, kind, deadline, containers string
		want                             facts.OutlastsDeadline
	}{
		{"equal to the default", "Deployment", "", slow, present(facts.SlowStart{Container: "c", Path: probe0, Seconds: 600})},
		{"longer", "Deployment", "progressDeadlineSeconds: 60,", slow, present(facts.SlowStart{Container: "c", Path: probe0, Seconds: 600})},
		{"shorter", "Deployment", "progressDeadlineSeconds: 601,", slow, absent},
		{"one of two", "Deployment", "progressDeadlineSeconds: 601,", slow + ", " + slower, present(facts.SlowStart{Container: "d", Path: probe1, Seconds: 900})},
		{"both", "Deployment", "", slow + ", " + slower, present(
			facts.SlowStart{Container: "c", Path: probe0, Seconds: 600}, facts.SlowStart{Container: "d", Path: probe1, Seconds: 900},
		)},
		{"one that is not known", "Deployment", "", unknown, facts.OutlastsDeadline{
			Observation: fact.UnknownAt(probe0, "it has no handler that is known here"),
		}},
		{"one that is not known before another", "Deployment", "", unknown + ", " + slow, present(facts.SlowStart{Container: "c", Path: probe1, Seconds: 600})},
		{"one that is not known behind another", "Deployment", "", slow + ", " + unknown, present(facts.SlowStart{Container: "c", Path: probe0, Seconds: 600})},
		{"no deadline", "Deployment", "progressDeadlineSeconds: 2147483647,", slow, none},
		{"paused", "Deployment", "paused: true,", slow, none},
		{"switched off", "Deployment", "", strings.Replace(slow, "failureThreshold: 60", "failureThreshold: 2147483647", 1), absent},
		{"no Deployment", "StatefulSet", "", slow, none},
	} {
		t.Run(tt.name, func(t *testing.T) {
			object := "{apiVersion: apps/v1, kind: " + tt.kind + ", metadata: {name: web}, spec: {" + tt.deadline +
				"template: {spec: {containers: [" + tt.containers + "]}}}}"
			f := factsOf(view(t, object), alone(), facts.Knowledge{})
			if diff := cmp.Diff(tt.want, f.Workload.OutlastsDeadline); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestPod(t *testing.T) {
	f := factsOf(view(t, `
apiVersion: batch/v1
kind: Job
metadata: {name: once}
spec: {template: {spec: {activeDeadlineSeconds: 60, restartPolicy: Never, nodeName: node-1, runtimeClassName: crun, nodeSelector: {type: kwok}, containers: [{name: c, image: "c:1"}]}}}
`), alone(), facts.Knowledge{})
	const spec = "spec.template.spec"
	want := facts.Pod{
		RestartPolicy: "Never", NodeName: "node-1",
		ActiveDeadline: facts.ActiveDeadline{Observation: fact.PresentAt(spec + ".activeDeadlineSeconds"), Seconds: 60},
		VirtualNode:    fact.PresentAt(spec + ".nodeSelector"),
		RuntimeClass:   fact.PresentAt(spec + ".runtimeClassName"),
	}
	if diff := cmp.Diff(want, f.Pod); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
