package live_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/cluster/live"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/test/apiserver"
	"github.com/forestall/forestall/test/apiserver/apiservertest"
)

// patience of the Feeders: long enough that what can be read is read within it.
const patience = 3 * time.Second

// TestFeeder tries Feeders against a real API server.
func TestFeeder(t *testing.T) {
	c := apiservertest.Start(t)
	t.Run("follows the cluster", func(t *testing.T) { followsTheCluster(t, c) })
	t.Run("does without what it must not read", func(t *testing.T) { doesWithout(t, c) })
}

// followsTheCluster: what is created, changed and deleted reaches the store.
func followsTheCluster(t *testing.T, c *apiserver.Cluster) {
	const shop = "shop"
	create(t, c, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: shop, Labels: map[string]string{cluster.ModeLabel: "warn"}}})
	service := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: shop, Annotations: map[string]string{"a": "b"}},
		Spec: corev1.ServiceSpec{Selector: map[string]string{"app": "web"}, Ports: []corev1.ServicePort{
			{Name: "http", Port: 80, TargetPort: intstr.FromString("web")}, {Name: "admin", Port: 9000},
		}},
	}
	create(t, c, service)
	f, logged := start(t, c.Config)
	eventually(t, f.Ready)
	if diff := cmp.Diff(map[string]bool{"Service": true, "LimitRange": true, "Namespace": true}, f.Synced()); diff != "" {
		t.Errorf("synced (-want +got):\n%s", diff)
	}
	s := f.Store()
	want := cluster.List[*cluster.Service]{Objects: []*cluster.Service{{
		Namespace: shop, Name: "web", Selector: map[string]string{"app": "web"}, Targets: []cluster.Target{{Number: 9000}, {Name: "web"}},
	}}}
	if diff := cmp.Diff(want, s.ServicesOf(nil, shop, map[string]string{"app": "web", "tier": "x"})); diff != "" {
		t.Errorf("Services (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(cluster.Answer[*cluster.Namespace]{State: fact.Present, Object: &cluster.Namespace{Name: shop, Mode: "warn"}}, s.Namespace(shop)); diff != "" {
		t.Errorf("namespace (-want +got):\n%s", diff)
	}
	tooNew := cluster.Answer[*cluster.Namespace]{State: fact.Unknown, Reason: "the namespace has not been seen yet"}
	if diff := cmp.Diff(tooNew, s.Namespace("made-a-moment-ago")); diff != "" {
		t.Errorf("a namespace that is not there (-want +got):\n%s", diff)
	}
	world := cluster.World{Store: s, Namespace: shop}
	if given, unknown := world.DefaultMemoryLimit(); given != nil || unknown != "" {
		t.Errorf("the default limit is %v, %q", given, unknown)
	}

	create(t, c, &corev1.LimitRange{
		ObjectMeta: metav1.ObjectMeta{Name: "most", Namespace: shop},
		Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{
			Type: corev1.LimitTypeContainer, Max: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1Gi")},
		}}},
	})
	eventually(t, func() error {
		given, unknown := world.DefaultMemoryLimit()
		if diff := cmp.Diff(&cluster.LimitRangeDefault{LimitRange: "most", Text: "1Gi"}, given); diff != "" || unknown != "" {
			return fmt.Errorf("%s %s", diff, unknown)
		}
		return nil
	})
	if err := c.Client.Delete(t.Context(), service); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() error {
		if got := s.ServicesOf(nil, shop, map[string]string{"app": "web"}); len(got.Objects) > 0 || got.Unknown != "" {
			return fmt.Errorf("after the Service is deleted: %+v", got)
		}
		return nil
	})
	if lines := logged(); len(lines) > 0 {
		t.Errorf("it logs %q", lines)
	}
}

// doesWithout: a kind that the credentials cannot read stays unknown and keeps nobody
// waiting for ever; the others are known, and so is this one once it can be read.
func doesWithout(t *testing.T, c *apiserver.Cluster) {
	const user = "forestall"
	allow(t, c, user, "services", "namespaces")
	config := rest.CopyConfig(c.Config)
	config.Impersonate = rest.ImpersonationConfig{UserName: user}
	f, logged := start(t, config)
	if err := f.Ready(); err == nil {
		t.Error("it is ready at once")
	}
	begin := time.Now()
	eventually(t, f.Ready)
	if took := time.Since(begin); took < patience/2 {
		t.Errorf("it is ready after %s", took)
	}
	if diff := cmp.Diff(map[string]bool{"Service": true, "LimitRange": false, "Namespace": true}, f.Synced()); diff != "" {
		t.Errorf("synced (-want +got):\n%s", diff)
	}
	if got := f.Unknown(); len(got) != 1 || !strings.HasPrefix(got[0].Error(), `LimitRange: limitranges is forbidden: User "forestall" cannot list`) {
		t.Errorf("unknown: %v", got)
	}
	s := f.Store()
	if got := s.Services.In("default"); got.Unknown != "" || len(got.Objects) != 1 {
		t.Errorf("Services: %+v", got)
	}
	world := cluster.World{Store: s, Namespace: "default"}
	eventually(t, func() error {
		if given, unknown := world.DefaultMemoryLimit(); given != nil || unknown != "they cannot be read: Forbidden" {
			return fmt.Errorf("the default limit is %v, %q", given, unknown)
		}
		return nil
	})
	const lost, found = "Objects of this kind are not known: nothing is denied because of them", "Objects of this kind are known again"
	if diff := cmp.Diff([]string{"LimitRange: " + lost}, logged()); diff != "" {
		t.Errorf("logged (-want +got):\n%s", diff)
	}

	allow(t, c, user, "limitranges")
	eventually(t, func() error { return errors.Join(f.Unknown()...) })
	if given, unknown := world.DefaultMemoryLimit(); given != nil || unknown != "" {
		t.Errorf("the default limit is %v, %q", given, unknown)
	}
	if diff := cmp.Diff([]string{"LimitRange: " + lost, "LimitRange: " + found}, logged()); diff != "" {
		t.Errorf("logged (-want +got):\n%s", diff)
	}
}

// allow lets a user list and watch.
func allow(t *testing.T, c *apiserver.Cluster, user string, resources ...string) {
	t.Helper()
	name := user + "-" + strings.Join(resources, "-")
	create(t, c, &rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Rules:      []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: resources, Verbs: []string{"list", "watch"}}},
	})
	create(t, c, &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: name},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: user}},
	})
}

func create(t *testing.T, c *apiserver.Cluster, o client.Object) {
	t.Helper()
	if err := c.Client.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
}

// start starts a Feeder for one test, and returns what it logs: the kind and the message.
func start(t *testing.T, config *rest.Config) (f *live.Feeder, logged func() []string) {
	t.Helper()
	return startPatient(t, config, patience)
}

func startPatient(t *testing.T, config *rest.Config, patience time.Duration) (f *live.Feeder, logged func() []string) {
	t.Helper()
	var mu sync.Mutex
	var lines []string
	to := funcr.NewJSON(func(line string) {
		mu.Lock()
		defer mu.Unlock()
		lines = append(lines, line)
	}, funcr.Options{})
	f, err := live.New(live.Options{Config: config, Patience: patience, Log: to})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- f.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return f, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return messages(t, slices.Clone(lines))
	}
}

// messages are the lines of a log, each as its kind and its message.
func messages(t *testing.T, lines []string) []string {
	t.Helper()
	var all []string
	for _, line := range lines {
		var entry struct{ Kind, Msg string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatal(err, line)
		}
		all = append(all, entry.Kind+": "+entry.Msg)
	}
	return all
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
