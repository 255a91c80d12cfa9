package facts_test

import (
	"testing"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/fact"
)

func TestOutlastsDeadline(t *testing.T) {
	const startup = "template: {spec: {containers: [{name: c, image: c:1, startupProbe: {tcpSocket: {port: 1}, periodSeconds: 10, failureThreshold: 60}}]}}"
	for _, tt := range []struct {
		name, object string
		want         fact.State
	}{
		{"equal to the default", "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {" + startup + "}}", fact.Present},
		{"longer", "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {progressDeadlineSeconds: 60, " + startup + "}}", fact.Present},
		{"shorter", "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {progressDeadlineSeconds: 601, " + startup + "}}", fact.Absent},
		{"no deadline", "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {progressDeadlineSeconds: 2147483647, " + startup + "}}", fact.Absent},
		{"no Deployment", "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {" + startup + "}}", fact.Absent},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := facts.Of(new(budget.Budget), view(t, tt.object), cluster.Context{}, facts.Knowledge{})
			if got := f.Containers[0].OutlastsDeadline.State; got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
