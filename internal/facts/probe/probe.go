// Package probe observes the probes of a container: how they ask, whom, and when.
package probe

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/facts/fact"
)

// Handler is the way in which a probe asks.
type Handler string

// The handlers of the core API.
const (
	HTTPGet   Handler = "httpGet"
	TCPSocket Handler = "tcpSocket"
	GRPC      Handler = "grpc"
	Exec      Handler = "exec"
)

// Facts are the three probes of one container.
type Facts struct {
	Liveness  Probe `json:"liveness"`
	Readiness Probe `json:"readiness"`
	Startup   Probe `json:"startup"`
	// DuringStart is liveness where it can end the container while it starts.
	DuringStart DuringStart `json:"duringStart"`
}

// Probe is one probe, with the API's defaults applied.
type Probe struct {
	fact.Observation
	Handler Handler `json:"handler,omitempty" jsonschema:"enum=httpGet,enum=tcpSocket,enum=grpc,enum=exec"`
	// Port is the number or name that the probe asks; empty for exec.
	Port string `json:"port,omitempty"`
	// Host is another address than the pod's own, where the probe asks one.
	Host string `json:"host,omitempty"`
	// RequestPath is what an HTTP probe asks for.
	RequestPath string `json:"requestPath,omitempty"`
	// Target is the port as a number.
	Target Target `json:"target"`
	// InitialDelaySeconds is the time from the container's start to the first probe, in seconds.
	InitialDelaySeconds int32 `json:"initialDelaySeconds,omitempty"`
	// PeriodSeconds is the time between two probes, in seconds.
	PeriodSeconds int32 `json:"periodSeconds,omitempty"`
	// TimeoutSeconds is the time after which one probe counts as failed, in seconds.
	TimeoutSeconds int32 `json:"timeoutSeconds,omitempty"`
	// FailureThreshold is the number of failures in a row after which the kubelet acts.
	FailureThreshold int32 `json:"failureThreshold,omitempty"`
	// Patience is how long the probe may fail from the container's start on before the
	// kubelet acts.
	Patience *Patience `json:"patience,omitempty"`
	// Loopback are the ports that the command of an exec probe asks on the address of its own container.
	Loopback []int32 `json:"loopback,omitempty"`
	// Fails says whether its command is known to fail each time.
	Fails Fails `json:"fails"`
}

// Fails says of the command of an exec probe that it fails each time, whatever goes on in the container. It is unknown
// of what asks in another way.
type Fails struct {
	// Path is the command.
	fact.Observation
	// ExitCode is that of the command, where it ends.
	ExitCode *int `json:"exitCode,omitempty"`
	// Never says that it never ends: each probe fails by its timeout.
	Never bool `json:"never,omitempty"`
	// Because is one clause that says why, for a person to read.
	Because string `json:"because,omitempty"`
}

// Observe returns the facts about the probes of the container at path.
func Observe(b *budget.Budget, c *corev1.Container, path string) Facts {
	b = b.OrDefault()
	f := Facts{
		Liveness:  observe(b, c, c.LivenessProbe, path+".livenessProbe"),
		Readiness: observe(b, c, c.ReadinessProbe, path+".readinessProbe"),
		Startup:   observe(b, c, c.StartupProbe, path+".startupProbe"),
	}
	f.DuringStart = duringStart(&f)
	return f
}

// Unknown returns the facts about the probes of the container at path when nothing is known of
// them.
func Unknown(path, reason string) Facts {
	unknown := func(field string) Probe {
		at := path + "." + field
		return Probe{Observation: fact.UnknownAt(at, reason), Target: Target{Observation: fact.UnknownAt(at, reason)}}
	}
	f := Facts{Liveness: unknown("livenessProbe"), Readiness: unknown("readinessProbe"), Startup: unknown("startupProbe")}
	f.DuringStart = duringStart(&f)
	return f
}

func observe(b *budget.Budget, c *corev1.Container, p *corev1.Probe, path string) Probe {
	if p == nil {
		return Probe{Observation: fact.AbsentAt(path), Target: nowhere(path)}
	}
	handler, port, ok := handlerOf(p)
	if !ok {
		return Probe{Observation: fact.UnknownAt(path, "it has no handler that is known here"), Target: nowhere(path)}
	}
	return Probe{
		Observation:         fact.PresentAt(path),
		Handler:             handler,
		Port:                port,
		Host:                host(p),
		RequestPath:         requestPath(p),
		Target:              target(b, c, p, path),
		InitialDelaySeconds: p.InitialDelaySeconds,
		PeriodSeconds:       p.PeriodSeconds,
		TimeoutSeconds:      p.TimeoutSeconds,
		FailureThreshold:    p.FailureThreshold,
		Patience:            patience(p),
		Loopback:            loopback(b, p),
	}
}

func handlerOf(p *corev1.Probe) (h Handler, port string, ok bool) {
	switch {
	case p.HTTPGet != nil:
		return HTTPGet, p.HTTPGet.Port.String(), true
	case p.TCPSocket != nil:
		return TCPSocket, p.TCPSocket.Port.String(), true
	case p.GRPC != nil:
		return GRPC, strconv.Itoa(int(p.GRPC.Port)), true
	case p.Exec != nil:
		return Exec, "", true
	}
	return "", "", false
}

func host(p *corev1.Probe) string {
	switch {
	case p.HTTPGet != nil:
		return p.HTTPGet.Host
	case p.TCPSocket != nil:
		return p.TCPSocket.Host
	}
	return ""
}

func requestPath(p *corev1.Probe) string {
	if p.HTTPGet == nil {
		return ""
	}
	return p.HTTPGet.Path
}

// nowhere is the target of what asks no port.
func nowhere(path string) Target {
	return Target{Observation: fact.UnknownAt(path, "nothing asks a port")}
}
