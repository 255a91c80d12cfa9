package probe

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/facts/port"
)

// Target is the port number that a probe asks. It is absent where the probe names a
// port that its container does not declare: a name is looked up there alone
// (k8s.io/kubernetes pkg/probe/util.go, ResolveContainerPort).
type Target struct {
	fact.Observation
	Number int32 `json:"number,omitempty"`
	// Refused is why the API server refuses the name, whether it is declared or not; empty for a name that it accepts
	// (k8s.io/apimachinery pkg/util/validation, IsValidPortName).
	Refused string `json:"refused,omitempty"`
}

// Asks is a probe that asks a port.
type Asks struct {
	Probe   string  `json:"probe" jsonschema:"enum=startup,enum=readiness,enum=liveness"`
	Handler Handler `json:"handler" jsonschema:"enum=httpGet,enum=tcpSocket,enum=grpc,enum=exec"`
	Path    string  `json:"path"`
}

// PortAsked is a probe and a port that it asks at the pod's own address.
type PortAsked struct {
	Asks
	Number int32
}

// Ports lists what the probes of a container ask of its own pod, commands that ask
// the loopback address among them.
func (f *Facts) Ports() []PortAsked {
	var all []PortAsked
	for _, p := range []struct {
		name  string
		probe *Probe
	}{{"startup", &f.Startup}, {"readiness", &f.Readiness}, {"liveness", &f.Liveness}} {
		asks := Asks{Probe: p.name, Handler: p.probe.Handler, Path: p.probe.Target.Path}
		if p.probe.Target.Is(fact.Present) && p.probe.Host == "" {
			all = append(all, PortAsked{asks, p.probe.Target.Number})
		}
		for _, n := range p.probe.Loopback {
			all = append(all, PortAsked{asks, n})
		}
	}
	return all
}

// target resolves the port as the kubelet does.
func target(b *budget.Budget, c *corev1.Container, p *corev1.Probe, path string) Target {
	if p.GRPC != nil {
		return numbered(path+".grpc.port", p.GRPC.Port)
	}
	switch {
	case p.HTTPGet != nil:
		return TargetOf(b, c, p.HTTPGet.Port, path+".httpGet.port")
	case p.TCPSocket != nil:
		return TargetOf(b, c, p.TCPSocket.Port, path+".tcpSocket.port")
	}
	return Target{Observation: fact.UnknownAt(path+".exec", "a command asks")}
}

// TargetOf resolves the port that stands at path in a probe or a hook of the container.
func TargetOf(b *budget.Budget, c *corev1.Container, port intstr.IntOrString, path string) Target {
	name := port.StrVal
	if name == "" {
		return numbered(path, port.IntVal)
	}
	_, err := strconv.ParseInt(name, 10, 32)
	if wrong := validation.IsValidPortName(name); err != nil && len(wrong) > 0 {
		return Target{Observation: fact.AbsentAt(path), Refused: strings.Join(wrong, ", ")}
	}
	for _, declared := range c.Ports {
		if !b.Spend(1) {
			return Target{Observation: fact.UnknownAt(path, b.Err().Error())}
		}
		if declared.Name == name {
			return Target{Observation: fact.PresentAt(path), Number: declared.ContainerPort}
		}
	}
	if n, err := strconv.ParseInt(name, 10, 32); err == nil {
		return numbered(path, int32(n))
	}
	return Target{Observation: fact.AbsentAt(path)}
}

// numbered is the target of a probe with a number, unless no port has it: part of a patch, or refused by the API server.
func numbered(path string, number int32) Target {
	if len(validation.IsValidPortNum(int(number))) > 0 {
		return Target{Observation: fact.UnknownAt(path, "no port has this number")}
	}
	return Target{Observation: fact.PresentAt(path), Number: number}
}

// loopback is what a command asks of its own container.
func loopback(b *budget.Budget, p *corev1.Probe) []int32 {
	if p.Exec == nil {
		return nil
	}
	return port.Loopback(b, p.Exec.Command)
}
