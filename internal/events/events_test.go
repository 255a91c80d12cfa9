package events_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/forestall/forestall/internal/events"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/test/apiserver"
	"github.com/forestall/forestall/test/apiserver/apiservertest"
)

// TestRecorder tries Recorders against a real API server.
func TestRecorder(t *testing.T) {
	c := apiservertest.Start(t)
	for _, name := range []string{"shop", "cart"} {
		create(t, c, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}})
	}
	t.Run("forged owners", func(t *testing.T) { forgedOwners(t, c) })
	t.Run("without the verb get", func(t *testing.T) { withoutGet(t, c) })
}

// forgedOwners: of 1,500 invented owners in each of three namespaces none has an Event, and they do
// not keep the Event of a real one away.
func forgedOwners(t *testing.T, c *apiserver.Cluster) {
	real := replicaSet(t, c, "cart")
	r := start(t, c.Config, logr.Discard())
	for i := range 1500 {
		for _, namespace := range []string{metav1.NamespaceSystem, "shop", "invented"} {
			r.Tell(owner(namespace, fmt.Sprint("web-", i), "1-2-3"), finding.Object{Kind: "Pod", Name: "web"}, findings())
		}
	}
	r.Tell(owner("cart", real.Name, "another-uid"), finding.Object{Kind: "Pod", Name: "forged"}, findings())
	r.Tell(owner("cart", real.Name, string(real.UID)), finding.Object{Kind: "Pod", Name: "web"}, findings())
	eventually(t, func() error {
		if got := r.of(events.Confirmed); got != 1 {
			return fmt.Errorf("%d are confirmed", got)
		}
		return told(t, c, []string{`cart ReplicaSet/web: Pod "web" would fail: a reason (1 problem). Fix: a fix More: forestall explain a-rule`})
	})
	if got := r.of(events.Unjudged); got != 1500 {
		t.Errorf("%d are unjudged", got)
	}
	// 20 at once, and those of the seconds that this took; invented namespaces share one share.
	if limited, unconfirmed := r.of(events.Limited), r.of(events.Unconfirmed); limited+unconfirmed != 3001 || unconfirmed > 200 {
		t.Errorf("%d are limited, %d unconfirmed", limited, unconfirmed)
	}
}

// withoutGet: credentials that cannot ask for owners write nothing, and the log says so once.
func withoutGet(t *testing.T, c *apiserver.Cluster) {
	config := rest.CopyConfig(c.Config)
	config.Impersonate = rest.ImpersonationConfig{UserName: "nobody-special"}
	role := &rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{Name: "events"},
		Rules:      []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"events"}, Verbs: []string{"create", "patch"}}},
	}
	create(t, c, role)
	create(t, c, &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: role.Name}, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name},
		Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: "nobody-special"}},
	})
	var mu sync.Mutex
	var lines []string
	r := start(t, config, funcr.New(func(_, line string) {
		mu.Lock()
		defer mu.Unlock()
		lines = append(lines, line)
	}, funcr.Options{}))
	for range 3 {
		r.Tell(owner("shop", "web", "1-2-3"), finding.Object{Kind: "Pod", Name: "web"}, findings())
	}
	eventually(t, func() error {
		if got := r.of(events.Failed); got != 3 {
			return fmt.Errorf("%d have failed", got)
		}
		return nil
	})
	mu.Lock()
	defer mu.Unlock()
	if len(lines) != 1 || !strings.Contains(lines[0], `cannot get resource \"replicasets\"`) {
		t.Errorf("logged: %q", lines)
	}
}

func owner(namespace, name, uid string) review.Owner {
	return review.Owner{Object: finding.Object{APIVersion: "apps/v1", Kind: "ReplicaSet", Namespace: namespace, Name: name}, UID: uid}
}

func findings() []finding.Finding {
	return []finding.Finding{{Rule: "a-rule", Certainty: finding.Certain, Reason: "a reason", Fix: "a fix"}}
}

// recorder counts what became of Events.
type recorder struct {
	*events.Recorder
	mu     sync.Mutex
	counts map[events.Result]int
}

func (r *recorder) of(result events.Result) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.counts[result]
}

func start(t *testing.T, config *rest.Config, log logr.Logger) *recorder {
	t.Helper()
	r := &recorder{counts: map[events.Result]int{}}
	var err error
	r.Recorder, err = events.New(events.Options{
		Config: config, Unjudged: []string{metav1.NamespaceSystem}, Log: log,
		Known: func(namespace string) bool { return namespace == "shop" || namespace == "cart" },
		Count: func(result events.Result) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.counts[result]++
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- r.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return r
}

// told compares all Events of forestall.
func told(t *testing.T, c *apiserver.Cluster, want []string) error {
	t.Helper()
	var list corev1.EventList
	if err := c.Client.List(t.Context(), &list); err != nil {
		return err
	}
	var got []string
	for i := range list.Items {
		if e := &list.Items[i]; e.Reason == "FailurePredicted" {
			got = append(got, fmt.Sprintf("%s %s/%s: %s", e.Namespace, e.InvolvedObject.Kind, e.InvolvedObject.Name, e.Message))
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		return fmt.Errorf("events (-want +got):\n%s", diff)
	}
	return nil
}

func replicaSet(t *testing.T, c *apiserver.Cluster, namespace string) *appsv1.ReplicaSet {
	t.Helper()
	labels := map[string]string{"app": "web"}
	o := &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "web"},
		Spec: appsv1.ReplicaSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:1"}}}},
		},
	}
	create(t, c, o)
	return o
}

func create(t *testing.T, c *apiserver.Cluster, o client.Object) {
	t.Helper()
	if err := c.Client.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
}

// eventually runs the check until it passes.
func eventually(t *testing.T, check func() error) {
	t.Helper()
	deadline := time.Now().Add(60 * time.Second)
	for err := check(); err != nil; err = check() {
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
