package probe_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/facts/probe"
)

func TestObserve(t *testing.T) {
	const path = "spec.containers[0]"
	c := &corev1.Container{
		Ports: []corev1.ContainerPort{{Name: "dns", ContainerPort: 53}, {Name: "http", ContainerPort: 8080}},
		LivenessProbe: &corev1.Probe{
			ProbeHandler:        corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Port: intstr.FromString("http"), Host: "10.0.0.1", Path: "/live"}},
			InitialDelaySeconds: 5, PeriodSeconds: 10, TimeoutSeconds: 1, FailureThreshold: 3,
		},
		ReadinessProbe: &corev1.Probe{}, // a handler newer than these types
	}
	want := probe.Facts{
		Liveness: probe.Probe{
			Observation: fact.PresentAt(path + ".livenessProbe"), Handler: probe.HTTPGet, Port: "http", Host: "10.0.0.1", RequestPath: "/live",
			Target:              probe.Target{Observation: fact.PresentAt(path + ".livenessProbe.httpGet.port"), Number: 8080},
			InitialDelaySeconds: 5, PeriodSeconds: 10, TimeoutSeconds: 1, FailureThreshold: 3,
			Patience: &probe.Patience{AtLeastSeconds: 25, AtMostSeconds: 35},
		},
		Readiness: probe.Probe{
			Observation: fact.UnknownAt(path+".readinessProbe", "it has no handler that is known here"),
			Target:      probe.Target{Observation: fact.UnknownAt(path+".readinessProbe", "nothing asks a port")},
		},
		Startup: probe.Probe{
			Observation: fact.AbsentAt(path + ".startupProbe"),
			Target:      probe.Target{Observation: fact.UnknownAt(path+".startupProbe", "nothing asks a port")},
		},
		DuringStart: probe.DuringStart{
			Observation: fact.PresentAt(path + ".livenessProbe"), Seconds: 35, Once: fact.AbsentAt(path + ".livenessProbe"),
		},
	}
	if diff := cmp.Diff(want, probe.Observe(new(budget.Budget), c, path)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTarget(t *testing.T) {
	const path = "c.startupProbe"
	for _, tt := range []struct {
		name string
		in   corev1.ProbeHandler
		want probe.Target
	}{
		{
			"a number",
			corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromInt32(6379)}},
			probe.Target{Observation: fact.PresentAt(path + ".tcpSocket.port"), Number: 6379},
		},
		{
			"a declared name",
			corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromString("redis")}},
			probe.Target{Observation: fact.PresentAt(path + ".tcpSocket.port"), Number: 6380},
		},
		{
			"a name that is not declared",
			corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Port: intstr.FromString("web")}},
			probe.Target{Observation: fact.AbsentAt(path + ".httpGet.port")},
		},
		{
			"a name that the API server refuses",
			corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Port: intstr.FromString("REDIS")}},
			probe.Target{
				Observation: fact.AbsentAt(path + ".httpGet.port"),
				Refused:     "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-), must contain at least one letter (a-z)",
			},
		},
		{
			"a quoted number",
			corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Port: intstr.FromString("8080")}},
			probe.Target{Observation: fact.PresentAt(path + ".httpGet.port"), Number: 8080},
		},
		{
			"no number of a port",
			corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{}},
			probe.Target{Observation: fact.UnknownAt(path+".tcpSocket.port", "no port has this number")},
		},
		{
			"grpc",
			corev1.ProbeHandler{GRPC: &corev1.GRPCAction{Port: 9000}},
			probe.Target{Observation: fact.PresentAt(path + ".grpc.port"), Number: 9000},
		},
		{
			"exec",
			corev1.ProbeHandler{Exec: &corev1.ExecAction{}},
			probe.Target{Observation: fact.UnknownAt(path+".exec", "a command asks")},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := &corev1.Container{
				Ports:        []corev1.ContainerPort{{Name: "redis", ContainerPort: 6380}},
				StartupProbe: &corev1.Probe{ProbeHandler: tt.in},
			}
			if diff := cmp.Diff(tt.want, probe.Observe(new(budget.Budget), c, "c").Startup.Target); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDuringStart(t *testing.T) {
	tcp := corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromInt32(80)}}
	absent, present := fact.AbsentAt("c.livenessProbe"), fact.PresentAt("c.livenessProbe")
	unknown := fact.UnknownAt("c.startupProbe", "it has no handler that is known here")
	for _, tt := range []struct {
		name              string
		liveness, startup *corev1.Probe
		want              probe.DuringStart
	}{
		{"no liveness probe", nil, nil, probe.DuringStart{Observation: absent, Once: absent}},
		{
			"the API's defaults", &corev1.Probe{ProbeHandler: tcp, PeriodSeconds: 10, FailureThreshold: 3}, nil,
			probe.DuringStart{Observation: present, Seconds: 30, Once: absent},
		},
		{
			"one failure", &corev1.Probe{ProbeHandler: tcp, InitialDelaySeconds: 90, PeriodSeconds: 10, FailureThreshold: 1}, nil,
			probe.DuringStart{Observation: present, Seconds: 100, Once: present},
		},
		{
			"held back", &corev1.Probe{ProbeHandler: tcp, PeriodSeconds: 1, FailureThreshold: 1}, &corev1.Probe{ProbeHandler: tcp},
			probe.DuringStart{Observation: absent, Once: absent},
		},
		{
			"held back by what is not known", &corev1.Probe{ProbeHandler: tcp, PeriodSeconds: 1, FailureThreshold: 1}, &corev1.Probe{},
			probe.DuringStart{Observation: unknown, Once: unknown},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := probe.Observe(new(budget.Budget), &corev1.Container{LivenessProbe: tt.liveness, StartupProbe: tt.startup}, "c").DuringStart
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestPorts(t *testing.T) {
	on := func(h corev1.ProbeHandler) *corev1.Probe { return &corev1.Probe{ProbeHandler: h} }
	f := probe.Observe(new(budget.Budget), &corev1.Container{
		StartupProbe:   on(corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{"curl", "http://127.0.0.1:8500/x"}}}),
		ReadinessProbe: on(corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Port: intstr.FromInt32(80)}}),
		LivenessProbe:  on(corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromInt32(81), Host: "10.0.0.1"}}),
	}, "c")
	want := []probe.PortAsked{
		{Asks: probe.Asks{Probe: "startup", Handler: probe.Exec, Path: "c.startupProbe.exec"}, Number: 8500},
		{Asks: probe.Asks{Probe: "readiness", Handler: probe.HTTPGet, Path: "c.readinessProbe.httpGet.port"}, Number: 80},
	}
	if diff := cmp.Diff(want, f.Ports()); diff != "" {
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
		got := probe.Observe(new(budget.Budget), &corev1.Container{StartupProbe: &corev1.Probe{ProbeHandler: tt.in}}, "c").Startup
		if got.Handler != tt.handler || got.Port != tt.port {
			t.Errorf("got %s on port %q, want %s on %q", got.Handler, got.Port, tt.handler, tt.port)
		}
	}
}
