package apiserver_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/forestall/forestall/test/apiserver"
	"github.com/forestall/forestall/test/apiserver/apiservertest"
)

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard()) // controller-runtime complains where none is set
	os.Exit(m.Run())
}

// aPodThatEnds is refused by forestall in its default configuration.
const aPodThatEnds = `apiVersion: v1
kind: Pod
metadata: {name: ends}
spec:
  containers:
    - name: once
      image: busybox:1.37
      command: ["true"]
      resources: {limits: {memory: 16Mi}}
`

func TestStartWebhook(t *testing.T) {
	cluster := apiservertest.Start(t)
	t.Run("quotes the log of what failed", func(t *testing.T) {
		_, err := cluster.StartWebhook(t.Context(), apiserver.WebhookOptions{Args: []string{"--no-such-flag"}})
		if err == nil || !strings.Contains(err.Error(), "no-such-flag") {
			t.Errorf("with an unknown flag: %v", err)
		}
	})
	t.Run("is called from start to stop", func(t *testing.T) { calledFromStartToStop(t, cluster) })
}

func calledFromStartToStop(t *testing.T, cluster *apiserver.Cluster) {
	pod := filepath.Join(t.TempDir(), "pod.yaml")
	if err := os.WriteFile(pod, []byte(aPodThatEnds), 0o600); err != nil {
		t.Fatal(err)
	}
	create := func() (stderr string, exit int) {
		_, stderr, exit = cluster.Kubectl(t.Context(), "create", "--dry-run=server", "-f", pod)
		return stderr, exit
	}

	hook, err := cluster.StartWebhook(t.Context(), apiserver.WebhookOptions{Unregistered: true})
	if err != nil {
		t.Fatal(err)
	}
	if stderr, exit := create(); exit != 0 {
		t.Errorf("before it is registered: exit %d, %s", exit, stderr)
	}
	if err := hook.Register(t.Context()); err != nil {
		t.Fatal(err)
	}
	if stderr, exit := create(); exit != 1 || !strings.Contains(stderr, "denied the request") {
		t.Errorf("registered: exit %d, %s", exit, stderr)
	}
	pids := processes(t, cluster.Dir)
	if len(pids) != 3 {
		t.Errorf("%d processes in %s, want etcd, kube-apiserver and forestall-webhook", len(pids), cluster.Dir)
	}
	if err := hook.Stop(t.Context()); err != nil {
		t.Errorf("stopping: %v\n%s", err, hook.Logs())
	}
	if left := processes(t, cluster.Dir); len(left) != 2 {
		t.Errorf("%d processes in %s after Stop, want etcd and kube-apiserver", len(left), cluster.Dir)
	}

	// A second one takes the first one's place, and the cluster ends it.
	if _, err := cluster.StartWebhook(t.Context(), apiserver.WebhookOptions{}); err != nil {
		t.Fatal(err)
	}
	if stderr, exit := create(); exit != 1 || !strings.Contains(stderr, "denied the request") {
		t.Errorf("with a second one: exit %d, %s", exit, stderr)
	}
	pids = processes(t, cluster.Dir)
	if err := cluster.Stop(); err != nil {
		t.Error(err)
	}
	wantGone(t, cluster.Dir, pids)
}
