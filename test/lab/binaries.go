package lab

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// Binaries are the folders of the programs that a lab runs. Where one is empty,
// it is the folder that make lab-binaries fills.
type Binaries struct {
	Kubernetes string // etcd, the control plane, kubelet and kube-proxy
	Containerd string // containerd, its shim and ctr
	Runc       string
}

// complete fills in the folders that were left out.
func (b Binaries) complete() (Binaries, error) {
	for _, built := range []struct {
		folder       *string
		name, module string // bin/NAME-VERSION; test/NAME/go.mod pins the version of the module
	}{
		{&b.Kubernetes, "kube", "k8s.io/kubernetes"},
		{&b.Containerd, "containerd", "github.com/containerd/containerd/v2"},
		{&b.Runc, "runc", "github.com/opencontainers/runc"},
	} {
		if *built.folder != "" {
			continue
		}
		root, err := repositoryRoot()
		if err != nil {
			return b, err
		}
		version, err := required(filepath.Join(root, "test", built.name, "go.mod"), built.module)
		if err != nil {
			return b, err
		}
		*built.folder = filepath.Join(root, "bin", built.name+"-"+version)
	}
	return b, nil
}

// missing lists the files that are not there.
func (b Binaries) missing() []string {
	var out []string
	for folder, names := range map[string][]string{
		b.Kubernetes: {"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kube-proxy"},
		b.Containerd: {"containerd", "containerd-shim-runc-v2", "ctr"},
		b.Runc:       {"runc"},
	} {
		for _, name := range names {
			if file := filepath.Join(folder, name); !exists(file) {
				out = append(out, file)
			}
		}
	}
	return out
}

func (b Binaries) ctr() string  { return filepath.Join(b.Containerd, "ctr") }
func (b Binaries) shim() string { return filepath.Join(b.Containerd, "containerd-shim-runc-v2") }
func (b Binaries) runc() string { return filepath.Join(b.Runc, "runc") }

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// required is the version of a module that a go.mod requires.
func required(file, module string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("reading the version of %s to run: %w", module, err)
	}
	match := regexp.MustCompile(`(?m)^(?:require )?\s*` + regexp.QuoteMeta(module) + ` (v\S+)`).FindSubmatch(text)
	if match == nil {
		return "", fmt.Errorf("%s does not require %s", file, module)
	}
	return string(match[1]), nil
}

// repositoryRoot looks for forestall's repository from the working directory
// upwards.
func repositoryRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("finding the working directory: %w", err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if exists(filepath.Join(dir, "test", "kube", "go.mod")) {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("the working directory is not in forestall's repository")
		}
	}
}
