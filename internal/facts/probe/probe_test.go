package probe_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/facts/probe"
)

func TestObserve(t *testing.T) {
	const path = "spec.containers[0]"
	c := &corev1.Container{
		LivenessProbe: &corev1.Probe{
			ProbeHandler:        corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Port: intstr.FromString("http")}},
			InitialDelaySeconds: 5, PeriodSeconds: 10, TimeoutSeconds: 1, FailureThreshold: 3,
		},
		ReadinessProbe: &corev1.Probe{}, // a handler newer than these types
	}
	want := probe.Facts{
		Liveness: probe.Probe{
			Observation: fact.PresentAt(path + ".livenessProbe"), Handler: probe.HTTPGet, Port: "http",
			InitialDelaySeconds: 5, PeriodSeconds: 10, TimeoutSeconds: 1, FailureThreshold: 3,
		},
		Readiness: probe.Probe{Observation: fact.UnknownAt(path+".readinessProbe", "it has no handler that is known here")},
		Startup:   probe.Probe{Observation: fact.AbsentAt(path + ".startupProbe")},
	}
	if diff := cmp.Diff(want, probe.Observe(c, path)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestHandlers(t *testing.T) {
	for _, tt := range []struct {
		in      corev1.ProbeHandler
		handler probe.Handler
		port    string
	}{
		{corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Port: intstr.FromInt32(80)}}, probe.HTTPGet, "80"},
		{corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromInt32(6379)}}, probe.TCPSocket, "6379"},
		{corev1.ProbeHandler{GRPC: &corev1.GRPCAction{Port: 9000}}, probe.GRPC, "9000"},
		{corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{"true"}}}, probe.Exec, ""},
	} {
		got := probe.Observe(&corev1.Container{StartupProbe: &corev1.Probe{ProbeHandler: tt.in}}, "c").Startup
		if got.Handler != tt.handler || got.Port != tt.port {
			t.Errorf("got %s on port %q, want %s on %q", got.Handler, got.Port, tt.handler, tt.port)
		}
	}
}
