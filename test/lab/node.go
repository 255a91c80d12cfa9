package lab

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"
)

// pauseImage is what the sandbox of every pod runs.
const pauseImage = "lab.forestall.dev/pause:1"

//go:embed config
var configs embed.FS

// settings are what the node's configuration files are filled in with.
type settings struct {
	Dir, Pause, Socket, Shim, Runc, Node, NodeIP, Cgroup string
	Pods, DNS                                            string
	CA, Cert, Key, ProxyKubeconfig                       string
	ReservedMemory                                       string
}

// node is what makes a node of this machine, in the order of its start.
func (l *Lab) runtime() daemon {
	return daemon{name: "containerd", program: filepath.Join(l.options.Binaries.Containerd, "containerd"), args: []string{"--config", l.configFile("containerd.toml")}}
}

func (l *Lab) node() []daemon {
	return []daemon{
		l.kube("kubelet",
			"--config="+l.configFile("kubelet.yaml"), "--kubeconfig="+l.kubeconfig("kubelet"),
			"--root-dir=/var/lib/kubelet", "--hostname-override="+l.nodeName(), "--node-ip="+l.addresses.node.String()),
		l.kube("kube-proxy", "--config="+l.configFile("kube-proxy.yaml")),
	}
}

// configure writes the node's configuration files.
func (l *Lab) configure() error {
	total, err := machineMemory()
	if err != nil {
		return err
	}
	s := settings{
		Dir: l.Dir, Pause: pauseImage, Socket: l.socket(), Shim: l.options.Binaries.shim(), Runc: l.options.Binaries.runc(), Node: l.nodeName(),
		NodeIP: l.addresses.node.String(), Cgroup: "/" + l.cgroups.name, Pods: l.addresses.pods.String(), DNS: l.addresses.dns.String(),
		CA: l.ca.certFile("ca"), Cert: l.ca.certFile("kubelet-serving"), Key: l.ca.keyFile("kubelet-serving"),
		ProxyKubeconfig: l.kubeconfig("proxy"),
		// What is reserved is what the pods do not get: the kubelet bounds their cgroup.
		ReservedMemory: strconv.FormatInt(max(0, total-l.options.PodsMemory), 10),
	}
	all, err := template.ParseFS(configs, "config/*")
	if err != nil {
		return fmt.Errorf("reading the node's configuration: %w", err)
	}
	for _, dir := range []string{filepath.Dir(l.configFile("cni/x")), l.tmp()} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("making the folders of the node: %w", err)
		}
	}
	files := map[string]string{"bridge.conflist": "cni/10-lab.conflist"}
	for _, t := range all.Templates() {
		var b bytes.Buffer
		if err := t.Execute(&b, s); err != nil {
			return fmt.Errorf("filling in %s: %w", t.Name(), err)
		}
		name := t.Name()
		if other, ok := files[name]; ok {
			name = other
		}
		if err := os.WriteFile(l.configFile(name), b.Bytes(), 0o600); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
	}
	return nil
}

// machineMemory is all memory of this machine, in bytes.
func machineMemory() (int64, error) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, fmt.Errorf("reading the size of the machine: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemTotal:" {
			kib, err := strconv.ParseInt(f[1], 10, 64)
			return kib * 1024, err
		}
	}
	return 0, fmt.Errorf("reading the size of the machine: no MemTotal")
}

func (l *Lab) nodeName() string              { return "lab-" + l.record.Name }
func (l *Lab) configFile(name string) string { return filepath.Join(l.Dir, "config", name) }
func (l *Lab) tmp() string                   { return filepath.Join(l.Dir, "tmp") }
func (l *Lab) socket() string                { return "/run/containerd/containerd.sock" }
