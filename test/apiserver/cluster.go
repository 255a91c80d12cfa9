package apiserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	// startTimeout bounds the wait for each process to become ready. On a free
	// machine etcd and the API server take about three seconds together.
	startTimeout = 90 * time.Second
	// stopTimeout bounds the wait for each process to end. A webhook may spend
	// some of it on the requests that it still has.
	stopTimeout = 45 * time.Second
)

// Options say how a cluster is started. The zero value is a good one.
type Options struct {
	// Assets is the folder with etcd, kube-apiserver and kubectl. When empty,
	// KUBEBUILDER_ASSETS names it, else it is where make kube-binaries puts them.
	Assets string
	// Flags of the API server beside its usual ones, without dashes.
	Flags map[string]string
}

// Cluster is a running API server. Its methods may be called at the same time.
type Cluster struct {
	// Config is for clients: the cluster's administrator, without rate limits.
	Config *rest.Config
	// Client talks to the API server directly, without a cache.
	Client client.Client
	// Kubeconfig is a file with the same credentials, for commands.
	Kubeconfig string
	// KubectlPath is the kubectl of the API server's own release.
	KubectlPath string
	// Dir is the temporary directory of everything that belongs to the cluster,
	// logs among it. It is gone after Stop.
	Dir string

	plane *plane
	guard *watchdog

	mu         sync.Mutex
	hooks      []*Webhook // started and not yet ended
	registered *Webhook   // the one that the API server calls
	started    int        // webhook processes so far; numbers their files

	building sync.Mutex
	built    string // the forestall-webhook that was built, once it is

	stop func() error // runs once
}

// Start starts etcd and an API server and returns when the API server is
// ready. Ending ctx interrupts the start; it has no effect afterwards: call
// Stop. When Start fails, nothing is left running.
func Start(ctx context.Context, opts Options) (*Cluster, error) {
	assets, err := findAssets(opts.Assets)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "forestall-apiserver-")
	if err != nil {
		return nil, fmt.Errorf("making the cluster's directory: %w", err)
	}
	guard, err := startWatchdog(dir)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	c := &Cluster{
		Kubeconfig:  filepath.Join(dir, "kubeconfig"),
		KubectlPath: filepath.Join(assets, "kubectl"),
		Dir:         dir,
		guard:       guard,
	}
	c.stop = sync.OnceValue(c.stopAll)
	if err := c.start(ctx, assets, opts.Flags); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

// start brings the control plane up and makes the ways to talk to it.
func (c *Cluster) start(ctx context.Context, assets string, flags map[string]string) error {
	var err error
	if c.plane, err = startPlane(ctx, c.Dir, assets, flags); err != nil {
		return err
	}
	if c.Config, err = c.plane.admin(c.Kubeconfig); err != nil {
		return err
	}
	if c.Client, err = client.New(c.Config, client.Options{}); err != nil {
		return fmt.Errorf("making a client of the API server: %w", err)
	}
	// The API server makes the namespace itself, a moment after it is ready.
	return c.waitForNamespace(ctx, "default")
}

// Stop ends the webhook processes in order, then the API server and etcd, and
// removes the cluster's directory. Further calls return the first result.
func (c *Cluster) Stop() error { return c.stop() }

func (c *Cluster) stopAll() error {
	// Stopping is bounded by its own time: it happens when contexts have ended.
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()

	c.mu.Lock()
	hooks := c.hooks
	c.hooks = nil
	c.mu.Unlock()

	var errs []error
	for _, hook := range hooks {
		errs = append(errs, hook.Terminate(ctx))
	}
	if c.plane != nil {
		errs = append(errs, c.plane.stop())
	}
	if err := os.RemoveAll(c.Dir); err != nil {
		errs = append(errs, fmt.Errorf("removing the cluster's directory: %w", err))
	}
	errs = append(errs, c.guard.release())
	return errors.Join(errs...)
}
