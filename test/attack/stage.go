package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/forestall/forestall/test/apiserver"
)

const (
	// limit is the memory that an installation would give the container, in bytes.
	limit = 256 << 20
	// services is how many Services there are in a large cluster.
	services = 10_000
)

// The namespaces: of the honest user, of the tenant who attacks, and of 10,000 Services.
const (
	shop   = "shop"
	tenant = "tenant"
	large  = "default"
)

// stage is the cluster in which all attacks take place.
type stage struct {
	cluster *apiserver.Cluster
	hook    *apiserver.Webhook
	// honest may do in shop what tenant may do in its own namespace.
	honest, tenant user
	// post reaches the webhook as a pod of the cluster does, past the API server.
	post *outsider
	span time.Duration
}

// raise starts the cluster and the webhook.
func raise(ctx context.Context, o options) (*stage, error) {
	tell("starting an API server, and a webhook that knows 10,000 Services")
	cluster, err := apiserver.Start(ctx, apiserver.Options{})
	if err != nil {
		return nil, err
	}
	s := &stage{cluster: cluster, span: o.span}
	if err := s.furnish(ctx, o); err != nil {
		s.lower()
		return nil, err
	}
	return s, nil
}

func (s *stage) furnish(ctx context.Context, o options) (err error) {
	if err := createServices(ctx, s.cluster); err != nil {
		return err
	}
	if s.honest, err = newUser(ctx, s.cluster, "honest", shop); err != nil {
		return err
	}
	if s.tenant, err = newUser(ctx, s.cluster, "mallory", tenant); err != nil {
		return err
	}
	s.hook, err = s.cluster.StartWebhook(ctx, apiserver.WebhookOptions{
		Binary: o.webhook,
		Env:    []string{"GOMAXPROCS=1", fmt.Sprintf("GOMEMLIMIT=%d", limit/8*5)}, // as docs/operating.md says
	})
	if err != nil {
		return err
	}
	s.post, err = newOutsider(s.hook)
	if err != nil {
		return err
	}
	return s.honest.untilDenied(ctx)
}

func (s *stage) lower() {
	if err := s.cluster.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "attack:", err)
	}
}

// createServices fills the cluster. They are headless: a cluster has fewer addresses.
func createServices(ctx context.Context, cluster *apiserver.Cluster) error {
	const writers = 16
	errs := make([]error, writers)
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := w; i < services && errs[w] == nil; i += writers {
				name := fmt.Sprintf("service-%d", i)
				errs[w] = cluster.Client.Create(ctx, &corev1.Service{
					ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: large, Labels: map[string]string{"app": name, "team": "shop"}},
					Spec: corev1.ServiceSpec{
						ClusterIP: corev1.ClusterIPNone,
						Selector:  map[string]string{"app": name},
						Ports:     []corev1.ServicePort{{Name: "http", Port: 80, TargetPort: intstr.FromString("http")}},
					},
				})
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return fmt.Errorf("creating Services: %w", err)
		}
	}
	return nil
}

var (
	highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)
	ofFiles   = regexp.MustCompile(`RssFile:\s+(\d+) kB`)
)

// memory is what the webhook had resident, in bytes.
type memory struct {
	// peak is the most since forget.
	peak int64
	// files is the part of it that are pages of files, now: the program itself, which takes the same all the
	// time. A container's limit counts them, but the kernel drops them before it kills anything (Linux,
	// Documentation/admin-guide/cgroup-v2.rst, memory.max).
	files int64
}

// kills reports whether a container with the limit would have been killed.
func (m memory) kills() bool { return m.peak-m.files >= limit }

// memory fails where the system does not tell, or the webhook has ended.
func (s *stage) memory() (m memory, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.hook.PID()))
	if err != nil {
		return m, fmt.Errorf("the webhook has ended, or this is no Linux: %w", err)
	}
	m.peak, err = kibibytes(text, highWater)
	if err == nil {
		m.files, err = kibibytes(text, ofFiles)
	}
	return m, err
}

// kibibytes returns in bytes what a line says in kB.
func kibibytes(text []byte, line *regexp.Regexp) (int64, error) {
	match := line.FindSubmatch(text)
	if match == nil {
		return 0, fmt.Errorf("no %s in\n%s", line, text)
	}
	n, err := strconv.ParseInt(string(match[1]), 10, 64)
	return n << 10, err
}

// forget makes the peak what is resident now (Linux, Documentation/filesystems/proc.rst,
// clear_refs).
func (s *stage) forget() error {
	return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", s.hook.PID()), []byte("5"), 0)
}
