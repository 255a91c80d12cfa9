package probe_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/facts/probe"
)

// FuzzObserve holds for any numbers, names and commands: patience is a period wide, a port that is
// known is asked by what asks a port, and liveness counts during start only where it is there.
func FuzzObserve(f *testing.F) {
	f.Add(byte(0), "http", int32(8080), int32(0), int32(10), int32(3), "")
	f.Add(byte(1), "8080", int32(-1), int32(1<<31-1), int32(1<<31-1), int32(1<<31-1), "")
	f.Add(byte(2), "", int32(0), int32(-1<<31), int32(-1<<31), int32(-1<<31), "")
	f.Add(byte(3), "", int32(0), int32(5), int32(1), int32(1), "curl\nhttp://localhost:8080/\n127.0.0.1:70000")
	f.Add(byte(3), "", int32(0), int32(5), int32(1), int32(1), "sh\n-c\nnc -z localhost 99999999999999999999 && wget -q [::1]:80")
	f.Add(byte(4), "x", int32(0), int32(0), int32(0), int32(0), "")
	f.Fuzz(func(t *testing.T, handler byte, name string, number, delay, period, failures int32, command string) {
		p := corev1.Probe{ProbeHandler: asks(handler, name, number, command), InitialDelaySeconds: delay, PeriodSeconds: period, FailureThreshold: failures}
		c := corev1.Container{Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: number}}, LivenessProbe: &p, StartupProbe: &p}
		got := probe.Observe(new(budget.Budget), &c, "c")
		if handler%5 == 4 {
			if !got.Liveness.Is(fact.Unknown) || got.Liveness.Patience != nil || got.DuringStart.Is(fact.Present) {
				t.Errorf("without a handler: %+v", got)
			}
			return
		}
		if w := got.Liveness.Patience; !got.Liveness.Is(fact.Present) || w.AtMostSeconds-w.AtLeastSeconds != int64(period) {
			t.Errorf("%+v, %+v", got.Liveness, w)
		}
		if !got.Readiness.Is(fact.Absent) || got.DuringStart.Is(fact.Present) { // the startup probe holds it back
			t.Errorf("%+v", got)
		}
		for _, asked := range got.Ports() {
			if asked.Handler == probe.Exec && (asked.Number < 1 || asked.Number > 65535) {
				t.Errorf("a command asks port %d", asked.Number)
			}
			if asked.Probe == "readiness" || asked.Path == "" {
				t.Errorf("%+v", asked)
			}
		}
	})
}

func asks(handler byte, name string, number int32, command string) corev1.ProbeHandler {
	port := intstr.FromInt32(number)
	if name != "" {
		port = intstr.FromString(name)
	}
	return [...]corev1.ProbeHandler{
		{HTTPGet: &corev1.HTTPGetAction{Port: port}},
		{TCPSocket: &corev1.TCPSocketAction{Port: port}},
		{GRPC: &corev1.GRPCAction{Port: number}},
		{Exec: &corev1.ExecAction{Command: strings.Split(command, "\n")}},
		{},
	}[handler%5]
}
