package apiserver

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// assetsEnv names the folder of the control plane binaries; envtest and
// setup-envtest use the same variable.
const assetsEnv = "KUBEBUILDER_ASSETS"

// kubeVersion finds the release of Kubernetes that test/kube/go.mod pins.
var kubeVersion = regexp.MustCompile(`(?m)^\s*k8s\.io/kubernetes (v\S+)`)

// findAssets returns the folder that holds etcd, kube-apiserver and kubectl:
// the one asked for, else KUBEBUILDER_ASSETS, else what the Makefile built.
func findAssets(asked string) (string, error) {
	dir := asked
	if dir == "" {
		dir = os.Getenv(assetsEnv)
	}
	if dir == "" {
		root, err := repositoryRoot()
		if err != nil {
			return "", fmt.Errorf("%s is not set and %w", assetsEnv, err)
		}
		if dir, err = builtAssets(root); err != nil {
			return "", err
		}
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("resolving the folder of the control plane binaries: %w", err)
	}
	for _, name := range []string{"etcd", "kube-apiserver", "kubectl"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return "", fmt.Errorf("no %s in %s: run make kube-binaries, or set %s to a folder that has it", name, dir, assetsEnv)
		}
	}
	return dir, nil
}

// builtAssets names the folder that make kube-binaries fills.
func builtAssets(root string) (string, error) {
	file := filepath.Join(root, "test", "kube", "go.mod")
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("reading the version of Kubernetes to run: %w", err)
	}
	match := kubeVersion.FindSubmatch(text)
	if match == nil {
		return "", fmt.Errorf("%s does not require k8s.io/kubernetes", file)
	}
	return filepath.Join(root, "bin", "kube-"+string(match[1])), nil
}

// repositoryRoot looks for forestall's repository from the working directory
// upwards. Tests run in their package's folder, the demo in the root.
func repositoryRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("finding the working directory: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "test", "kube", "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("the working directory is not in forestall's repository")
		}
		dir = parent
	}
}
