package lab

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Versions are those of what ran the pods.
type Versions struct {
	Kubernetes, Containerd, Runc, Kernel string
	Cgroups                              int
}

// Versions asks the node.
func (l *Lab) Versions(ctx context.Context) (Versions, error) {
	node := &corev1.Node{}
	if err := l.Client.Get(ctx, client.ObjectKey{Name: l.nodeName()}, node); err != nil {
		return Versions{}, fmt.Errorf("asking for the node's versions: %w", err)
	}
	out, err := exec.CommandContext(ctx, l.options.Binaries.runc(), "--version").Output()
	if err != nil {
		return Versions{}, fmt.Errorf("asking runc for its version: %w", err)
	}
	runc, _, _ := strings.Cut(string(out), "\n")
	return Versions{
		Kubernetes: node.Status.NodeInfo.KubeletVersion,
		Containerd: strings.TrimPrefix(node.Status.NodeInfo.ContainerRuntimeVersion, "containerd://"),
		Runc:       strings.TrimPrefix(runc, "runc version "),
		Kernel:     node.Status.NodeInfo.KernelVersion,
		Cgroups:    l.cgroups.version,
	}, nil
}

// Logs returns what a daemon of the lab has logged so far, for error messages.
func (l *Lab) Logs(name string) string {
	text, err := os.ReadFile(l.configFile("../" + name + ".log"))
	if err != nil {
		return err.Error()
	}
	return string(text)
}
