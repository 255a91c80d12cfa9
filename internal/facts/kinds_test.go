package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/workload"
)

// observedKnown observes an object of a kind that is known.
func observedKnown(t *testing.T, object string) facts.Facts {
	t.Helper()
	table, err := workload.NewTable(workload.Known()...)
	if err != nil {
		t.Fatal(err)
	}
	return factsOf(viewOf(t, table, object), cluster.World{}, facts.Knowledge{})
}

// TestWorkloadOfCustomKinds: numbers that stand there are known, defaults and strategies are not, also
// where the name of the kind is that of a built-in one.
func TestWorkloadOfCustomKinds(t *testing.T) {
	const template = "template: {spec: {containers: [{name: web}]}}"
	for object, want := range map[string]facts.Workload{
		"{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: x}, spec: {replicas: 3, strategy: {canary: {}}, " + template + "}}": {
			Kind: "Rollout", Like: "Deployment", Name: "x", SpecPath: "spec.template.spec", Replicas: new(int32(3)),
		},
		"{apiVersion: apps.kruise.io/v1beta1, kind: StatefulSet, metadata: {name: x}, spec: {updateStrategy: {type: RollingUpdate}, " + template + "}}": {
			Kind: "StatefulSet", Name: "x", SpecPath: "spec.template.spec",
		},
		"{apiVersion: keda.sh/v1alpha1, kind: ScaledJob, metadata: {name: x}, spec: {jobTargetRef: {activeDeadlineSeconds: 60, " + template + "}}}": {
			Kind: "ScaledJob", Like: "Job", Name: "x", SpecPath: "spec.jobTargetRef.template.spec", ActiveDeadlineSeconds: new(int64(60)),
		},
	} {
		want.Unserved.State = fact.Absent
		want.OutlastsDeadline.Observation = fact.UnknownAt("", "the roll-out of a "+want.Kind+" is not known")
		if diff := cmp.Diff(want, observedKnown(t, object).Workload); diff != "" {
			t.Errorf("%s (-want +got):\n%s", object, diff)
		}
	}
}

// TestWhatAControllerFillsInIsUnknown holds the same template in a CloneSet against one in a Knative Service.
func TestWhatAControllerFillsInIsUnknown(t *testing.T) {
	const spec = `spec: {template: {spec: {containers: [{name: web, image: "web:latest", command: [sleep, "$(K_REVISION)"],
		readinessProbe: {tcpSocket: {port: 80}}}]}}}}`
	states := func(object string) map[string]fact.State {
		c := observedKnown(t, object).Containers[0]
		return map[string]fact.State{
			"argv": c.Command.Argv.State, "invalid": c.Image.Invalid.State, "mutable": c.Image.Mutable.State,
			"readiness": c.Probes.Readiness.State, "target": c.Probes.Readiness.Target.State,
			"liveness": c.Probes.Liveness.State, "duringStart": c.Probes.DuringStart.State,
		}
	}
	want := map[string]fact.State{
		"argv": fact.Present, "invalid": fact.Absent, "mutable": fact.Present,
		"readiness": fact.Present, "target": fact.Present, "liveness": fact.Absent, "duringStart": fact.Absent,
	}
	if diff := cmp.Diff(want, states("{apiVersion: apps.kruise.io/v1beta1, kind: CloneSet, "+spec)); diff != "" {
		t.Errorf("a CloneSet (-want +got):\n%s", diff)
	}
	for field := range want {
		want[field] = fact.Unknown
	}
	if diff := cmp.Diff(want, states("{apiVersion: serving.knative.dev/v1, kind: Service, "+spec)); diff != "" {
		t.Errorf("a Service of Knative (-want +got):\n%s", diff)
	}
}
