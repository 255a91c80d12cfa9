package apiserver_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/forestall/forestall/test/apiserver"
)

func TestClusterAnswersAndLeavesNothing(t *testing.T) {
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "the-user's-own"))
	t.Setenv("USE_EXISTING_CLUSTER", "true")
	t.Setenv("ETCD_NAME", "of-the-user")
	skipIfShort(t)
	cluster, err := apiserver.Start(t.Context(), apiserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	stdout, stderr, exit := cluster.Kubectl(t.Context(), "get", "namespaces", "-o", "name")
	if exit != 0 || stderr != "" || !strings.Contains(stdout, "namespace/default\n") {
		t.Errorf("kubectl get namespaces: exit %d, stdout %q, stderr %q", exit, stdout, stderr)
	}
	if _, stderr, exit := cluster.Kubectl(t.Context(), "get", "pod", "absent"); exit != 1 || !strings.Contains(stderr, "NotFound") {
		t.Errorf("kubectl get pod absent: exit %d, stderr %q", exit, stderr)
	}
	pids := processes(t, cluster.Dir)
	if len(pids) != 2 {
		t.Errorf("%d processes in %s, want etcd and kube-apiserver", len(pids), cluster.Dir)
	}
	if err := cluster.Stop(); err != nil {
		t.Error(err)
	}
	wantGone(t, cluster.Dir, pids)
	if err := cluster.Stop(); err != nil {
		t.Errorf("a second Stop: %v", err)
	}
}

func TestStartInterrupted(t *testing.T) {
	skipIfShort(t)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	for _, after := range []time.Duration{0, 200 * time.Millisecond, time.Second} {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		begin := time.Now()
		_, err := apiserver.Start(ctx, apiserver.Options{})
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("interrupted after %s: %v", after, err)
		}
		if late := time.Since(begin) - after; late > 10*time.Second {
			t.Errorf("interrupted after %s: returned %s later", after, late)
		}
		if left, err := filepath.Glob(filepath.Join(temp, "forestall-*")); err != nil || len(left) > 0 {
			t.Errorf("interrupted after %s: left %v (%v)", after, left, err)
		}
	}
}

func TestStartSaysWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	_, err := apiserver.Start(t.Context(), apiserver.Options{Assets: dir})
	if err == nil || !strings.Contains(err.Error(), "run make kube-binaries") {
		t.Errorf("without binaries: %v", err)
	}
}

func TestStartQuotesTheLogOfWhatFailed(t *testing.T) {
	assets := t.TempDir()
	for _, name := range []string{"etcd", "kube-apiserver", "kubectl"} {
		script := "#!/bin/sh\necho \"$0 is broken\" >&2\nexit 3\n"
		if err := os.WriteFile(filepath.Join(assets, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	_, err := apiserver.Start(t.Context(), apiserver.Options{Assets: assets})
	if err == nil || !strings.Contains(err.Error(), "etcd is broken") {
		t.Errorf("with a broken etcd: %v", err)
	}
}

func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts an API server")
	}
}
