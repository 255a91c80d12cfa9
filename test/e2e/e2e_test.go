// Package e2e_test tries forestall-webhook as a process behind a real API server,
// with both webhook configurations registered.
package e2e_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/test/apiserver"
	"github.com/forestall/forestall/test/apiserver/apiservertest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// denied is what the API server puts before the message of a denial.
const denied = `admission webhook "validate.forestall.dev" denied the request: `

// TestAPIServer shares one API server among its parts: each takes namespaces of
// its own, and the parts that exchange the webhook come last.
func TestAPIServer(t *testing.T) {
	cluster := apiservertest.Start(t)
	before := &api{t: t, cluster: cluster, unasked: true}
	createBeforehand(before)
	hook, err := cluster.StartWebhook(t.Context(), apiserver.WebhookOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []struct {
		name string
		run  func(*api)
	}{
		{"verdicts are those of the audit", verdictsAreThoseOfTheAudit},
		{"every kind is judged", everyKindIsJudged},
		{"what is not served is refused", unservedIsRefused},
		{"kubectl shows the reason", kubectlShowsTheReason},
		{"repaired manifests are let through", repairedManifestsAreLetThrough},
		{"names may still be generated", namesMayStillBeGenerated},
		{"what was there already can still be edited", existingObjectsCanBeEdited},
		{"owned objects are not denied", ownedObjectsAreNotDenied},
		{"running pods are judged", runningPodsAreJudged},
		{"mirror pods are left alone", mirrorPodsAreLeftAlone},
		{"nobody is a mirror pod by annotation", nobodyIsAMirrorPodByAnnotation},
		{"owners are not forged", ownersAreNotForged},
		{"verdicts are not poisoned", verdictsAreNotPoisoned},
		{"running pods are not broken", runningPodsAreNotBroken},
		{"a namespace can be left out", namespacesCanBeLeftOut},
		{"a namespace can be capped", namespacesCanBeCapped},
	} {
		t.Run(part.name, func(t *testing.T) { part.run(&api{t: t, cluster: cluster}) })
	}
	if t.Failed() {
		t.Logf("log of the webhook:\n%s", hook.Logs())
	}
	t.Run("a default limit is added", func(t *testing.T) { defaultLimitIsAdded(&api{t: t, cluster: cluster}) })
	t.Run("custom kinds are judged", func(t *testing.T) { customKindsAreJudged(&api{t: t, cluster: cluster}) })
	t.Run("without the webhook everything is admitted", func(t *testing.T) {
		withoutWebhookAllIsAdmitted(&api{t: t, cluster: cluster})
	})
}

// api is the API server as one part of the test uses it.
type api struct {
	t       *testing.T
	cluster *apiserver.Cluster
	// unasked is true while no webhook is registered.
	unasked bool
}

// namespace makes a namespace with the given labels. Where it has no cap it waits until the
// webhook has seen it: before that, nothing is denied in it.
func (a *api) namespace(name string, labels map[string]string) string {
	a.t.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
	if err := a.cluster.Client.Create(a.t.Context(), ns); err != nil {
		a.t.Fatal(err)
	}
	if _, capped := labels["forestall.dev/mode"]; capped || a.unasked {
		return name
	}
	const never = `{apiVersion: v1, kind: Pod, metadata: {name: never-runs}, spec: {containers: [
		{name: web, image: "web:1", command: ["sleep 1000"], resources: {limits: {memory: 64Mi}}}]}}`
	a.eventually(func() error {
		if got := a.create(a.object(never, name), client.DryRunAll); !strings.HasPrefix(got.message(), denied) {
			return fmt.Errorf("in the namespace %s the API server says %q to what never runs", name, got.message())
		}
		return nil
	})
	return name
}

// answer is what the API server says to one request.
type answer struct {
	err      error
	warnings []string
}

// message of a refusal; empty when the request went through.
func (r answer) message() string {
	var status apierrors.APIStatus
	if errors.As(r.err, &status) {
		return status.Status().Message
	}
	if r.err != nil {
		return r.err.Error()
	}
	return ""
}

// do runs one request with a client that records warnings.
func (a *api) do(request func(context.Context, client.Client) error) answer {
	a.t.Helper()
	return a.doAs("", request)
}

func (a *api) doAs(user string, request func(context.Context, client.Client) error) answer {
	a.t.Helper()
	recorded := &warnings{}
	config := rest.CopyConfig(a.cluster.Config)
	if user != "" {
		config.Impersonate = rest.ImpersonationConfig{UserName: user, Groups: []string{"system:masters"}}
	}
	config.WarningHandlerWithContext = recorded
	c, err := client.New(config, client.Options{})
	if err != nil {
		a.t.Fatal(err)
	}
	err = request(a.t.Context(), c)
	return answer{err: err, warnings: recorded.texts}
}

func (a *api) create(o *unstructured.Unstructured, opts ...client.CreateOption) answer {
	a.t.Helper()
	return a.do(func(ctx context.Context, c client.Client) error { return c.Create(ctx, o, opts...) })
}

// createAs creates an object as somebody else who may do everything.
func (a *api) createAs(user string, o *unstructured.Unstructured, opts ...client.CreateOption) answer {
	a.t.Helper()
	return a.doAs(user, func(ctx context.Context, c client.Client) error { return c.Create(ctx, o, opts...) })
}

func (a *api) merge(o *unstructured.Unstructured, patch string, opts ...client.PatchOption) answer {
	a.t.Helper()
	return a.do(func(ctx context.Context, c client.Client) error {
		return c.Patch(ctx, o, client.RawPatch("application/strategic-merge-patch+json", []byte(patch)), opts...)
	})
}

// eventually runs the check until it passes: what the webhook knows of the cluster
// reaches it a moment later.
func (a *api) eventually(check func() error) {
	a.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		err := check()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			a.t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

type warnings struct {
	mu    sync.Mutex
	texts []string
}

func (w *warnings) HandleWarningHeaderWithContext(_ context.Context, _ int, _, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.texts = append(w.texts, text)
}

// object reads one object from YAML and puts it into the namespace.
func (a *api) object(text, namespace string) *unstructured.Unstructured {
	a.t.Helper()
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &o.Object); err != nil {
		a.t.Fatal(err)
	}
	o.SetNamespace(namespace)
	return o
}

// golden compares text with a file in testdata.
func (a *api) golden(name, got string) {
	a.t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			a.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		a.t.Fatal(err)
	}
	if string(want) != got {
		a.t.Errorf("%s differs\n--- wanted\n%s--- got\n%s", file, want, got)
	}
}

func want(t *testing.T, r answer, message string) {
	t.Helper()
	if !strings.HasPrefix(r.message(), message) || (message == "") != (r.err == nil) {
		t.Errorf("the API server says %q, want %q first", fmt.Sprint(r.message()), message)
	}
}
