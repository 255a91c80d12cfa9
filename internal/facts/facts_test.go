package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/cluster/clustertest"
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/command"
	"github.com/forestall/forestall/internal/facts/cpu"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/facts/image"
	"github.com/forestall/forestall/internal/facts/memory"
	"github.com/forestall/forestall/internal/facts/port"
	"github.com/forestall/forestall/internal/facts/probe"
	"github.com/forestall/forestall/internal/workload"
)

const cronJob = `
apiVersion: batch/v1
kind: CronJob
metadata: {name: import}
spec:
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: OnFailure
          initContainers:
            - {name: fetch, image: "fetch:1"}
            - {name: proxy, image: "proxy:1", restartPolicy: Always}
          containers:
            - name: import
              image: import:1
              command: ["/app/import", "$(TARGET)"]
              env: [{name: HOST, value: db}, {name: TARGET, value: "$(HOST):5432"}]
              ports: [{containerPort: 9090, name: metrics}]
              livenessProbe: {tcpSocket: {port: metrics}}
              resources: {requests: {memory: 64Mi}}
`

func view(t *testing.T, object string) *workload.View {
	t.Helper()
	return viewOf(t, workload.Table{}, object)
}

// viewOf returns the View of an object of a kind in the table.
func viewOf(t *testing.T, kinds workload.Table, object string) *workload.View {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(object))
	if err != nil {
		t.Fatal(err)
	}
	v, err := kinds.FromObject(raw)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// factsOf observes a View with the default budget.
func factsOf(v *workload.View, w cluster.World, known facts.Knowledge) facts.Facts {
	return facts.Of(new(budget.Budget), v, w, known)
}

// alone is a world in which nothing else exists.
func alone() cluster.World { return cluster.World{Store: cluster.OfFiles(true)} }

// world is one that files with these objects describe.
func world(t *testing.T, complete bool, objects ...string) cluster.World {
	t.Helper()
	return cluster.World{Store: clustertest.OfFiles(t, complete, objects...)}
}

func TestOf(t *testing.T) {
	const spec = "spec.jobTemplate.spec.template.spec"
	const path = spec + ".containers[0]"
	w := world(t, true, "{apiVersion: v1, kind: LimitRange, metadata: {name: most}, spec: {limits: [{type: Container, default: {memory: 1Gi}}]}}")
	f := factsOf(view(t, cronJob), w, facts.Knowledge{})
	if diff := cmp.Diff(facts.Workload{
		Kind: "CronJob", Name: "import", SpecPath: spec, BackoffLimit: ptr(int32(6)), ConcurrencyPolicy: "Allow",
		Unserved:         facts.Unserved{Observation: fact.Observation{State: fact.Absent}},
		OutlastsDeadline: facts.OutlastsDeadline{Observation: fact.Observation{State: fact.Absent}},
	}, f.Workload); diff != "" {
		t.Errorf("workload (-want +got):\n%s", diff)
	}
	pod := facts.Pod{
		RestartPolicy:  "OnFailure",
		ActiveDeadline: facts.ActiveDeadline{Observation: fact.AbsentAt(spec + ".activeDeadlineSeconds")},
		VirtualNode:    fact.AbsentAt(spec + ".nodeSelector"), RuntimeClass: fact.AbsentAt(spec + ".runtimeClassName"),
	}
	if diff := cmp.Diff(pod, f.Pod); diff != "" {
		t.Errorf("pod (-want +got):\n%s", diff)
	}
	want := facts.Container{
		Name: "import", Kind: "regular", Path: path, RestartPolicy: "OnFailure",
		RestartAlways: fact.AbsentAt(spec + ".restartPolicy"),
		Image: image.Facts{
			Observation: fact.PresentAt(path + ".image"), Text: "import:1", Name: "docker.io/library/import", Tag: "1", PullPolicy: "IfNotPresent",
			Invalid: image.Invalid{Observation: fact.AbsentAt(path + ".image")}, Mutable: fact.AbsentAt(path + ".image"),
			NeverPulled: fact.AbsentAt(path + ".imagePullPolicy"),
		},
		Command: f.Containers[2].Command, // held below
		Memory: memory.Facts{
			Limit:   memory.Quantity{Observation: fact.PresentAt(path + ".resources.limits.memory"), Bytes: 1 << 30, Text: "1Gi", From: memory.FromLimitRange},
			Request: memory.Quantity{Observation: fact.PresentAt(path + ".resources.requests.memory"), Bytes: 64 << 20, Text: "64Mi", From: memory.FromContainer},
			Written: memory.WrittenResources,
			Unit:    memory.Unit{Observation: fact.AbsentAt(path + ".resources.limits.memory")},
			Need:    memory.Need{Observation: fact.AbsentAt(path + ".resources.limits.memory")},
			Demand:  memory.Demand{Observation: fact.AbsentAt(path), Near: fact.AbsentAt(path)},
		},
		CPU: cpu.Facts{Request: cpu.Request{Observation: fact.AbsentAt(path + ".resources.requests.cpu")}},
		Probes: probe.Facts{
			Liveness: probe.Probe{
				Observation: fact.PresentAt(path + ".livenessProbe"), Handler: probe.TCPSocket, Port: "metrics",
				Target:        probe.Target{Observation: fact.PresentAt(path + ".livenessProbe.tcpSocket.port"), Number: 9090},
				PeriodSeconds: 10, TimeoutSeconds: 1, FailureThreshold: 3,
				Patience: &probe.Patience{AtLeastSeconds: 20, AtMostSeconds: 30},
				Fails:    noCommand(path + ".livenessProbe"),
			},
			Readiness: probe.Probe{
				Observation: fact.AbsentAt(path + ".readinessProbe"), Target: nothing(path + ".readinessProbe"),
				Fails: noCommand(path + ".readinessProbe"),
			},
			Startup: probe.Probe{
				Observation: fact.AbsentAt(path + ".startupProbe"), Target: nothing(path + ".startupProbe"),
				Fails: noCommand(path + ".startupProbe"),
			},
			DuringStart: probe.DuringStart{
				Observation: fact.PresentAt(path + ".livenessProbe"), Seconds: 30, Once: fact.AbsentAt(path + ".livenessProbe"),
			},
		},
		Ports: facts.Ports{
			Observation: fact.PresentAt(path + ".ports"),
			Declared:    []facts.Port{{Number: 9090, Name: "metrics", Protocol: "TCP"}},
			Configured:  fact.AbsentAt(path),
		},
		Listens: f.Containers[2].Command.Listens.Observation,
		Gate:    facts.Gate{Observation: fact.AbsentAt(path + ".readinessProbe")},
		ProbedPorts: []facts.ProbedPort{{
			Number: 9090,
			Probes: []probe.Asks{{Probe: "liveness", Handler: probe.TCPSocket, Path: path + ".livenessProbe.tcpSocket.port"}},
			Mentioned: port.Mentions{
				Observation: fact.PresentAt(path + ".ports[0]"),
				Places:      []port.Place{{Container: "import", Path: path + ".ports[0]"}},
			},
			Expected: fact.AbsentAt(""),
		}},
		Slips: command.Slips{
			Unrunnable: command.SlipList{Observation: fact.AbsentAt(path)},
			Literal:    command.SlipList{Observation: fact.AbsentAt(path)},
		},
		KeepAlive: command.KeepAlive{Observation: fact.AbsentAt(path + ".command")},
		Completion: facts.Completion{
			Observation: fact.PresentAt(spec),
			Never:       fact.UnknownAt(path+".command", "it is not known whether import ends"),
		},
		PostStart: facts.PostStart{Observation: fact.AbsentAt(path + ".lifecycle.postStart")},
	}
	if diff := cmp.Diff(want, f.Containers[2]); diff != "" {
		t.Errorf("container (-want +got):\n%s", diff)
	}
	argv := command.Argv{Observation: fact.PresentAt(path + ".command"), Words: []string{"/app/import", "db:5432"}}
	if diff := cmp.Diff(argv, f.Containers[2].Command.Argv); diff != "" {
		t.Errorf("argv (-want +got):\n%s", diff)
	}
	var restarts []fact.State
	for _, c := range f.Containers {
		restarts = append(restarts, c.RestartAlways.State)
	}
	if diff := cmp.Diff([]fact.State{fact.Unknown, fact.Present, fact.Absent}, restarts); diff != "" {
		t.Errorf("restartAlways of the init container, the sidecar, the main one (-want +got):\n%s", diff)
	}
}

func noCommand(path string) probe.Fails {
	return probe.Fails{Observation: fact.UnknownAt(path, "no command is followed")}
}

func nothing(path string) probe.Target {
	return probe.Target{Observation: fact.UnknownAt(path, "nothing asks a port")}
}
