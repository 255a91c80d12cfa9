package apiserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/workload"
)

const (
	// Namespace is where the webhook process keeps its CA.
	Namespace = "forestall"
	// CASecret is the Secret that holds it, under the key CAKey.
	CASecret = "forestall-webhook-ca"
	// CAKey is the key of the CA certificate in the Secret.
	CAKey = "ca.crt"
)

// serverName is the name that the API server calls the webhook by.
const serverName = "localhost"

// WebhookOptions say how a forestall-webhook process is started. The zero value
// builds the command and runs it with its default configuration.
type WebhookOptions struct {
	// Binary is the forestall-webhook to run. When empty, it is built from the
	// repository that the working directory is in.
	Binary string
	// ConfigFile is passed as --config when it is set.
	ConfigFile string
	// Args are further flags. They come last, so they win.
	Args []string
	// Env is added to the environment of the process, as in os.Environ.
	Env []string
	// Unregistered leaves the API server as it is: the process serves, and
	// nothing calls it until Register.
	Unregistered bool
}

// Webhook is a running forestall-webhook process.
type Webhook struct {
	// URL is where it serves /validate and /mutate.
	URL string
	// HealthURL is where it serves /healthz and /readyz.
	HealthURL string
	// CABundle is the CA that signed its serving certificate.
	CABundle []byte

	cluster *Cluster
	process *process
	// kinds are those that it is registered for.
	kinds workload.Table
}

// StartWebhook runs a forestall-webhook against the cluster, waits until it is
// ready, registers both webhook configurations and returns when the API server
// really calls it. The configurations always point at the process registered
// last. Ending ctx interrupts the start only.
func (c *Cluster) StartWebhook(ctx context.Context, opts WebhookOptions) (*Webhook, error) {
	binary := opts.Binary
	if binary == "" {
		var err error
		if binary, err = c.buildWebhook(ctx); err != nil {
			return nil, err
		}
	}
	if err := c.ensureNamespace(ctx, Namespace); err != nil {
		return nil, err
	}
	w, err := c.startReady(ctx, binary, opts)
	if err != nil {
		return nil, err
	}
	if w.CABundle, err = c.readCA(ctx); err == nil && !opts.Unregistered {
		err = w.Register(ctx)
	}
	if err != nil {
		err = fmt.Errorf("%w%s", err, quoteLog(w.process.log))
		return nil, errors.Join(err, w.unregister(context.WithoutCancel(ctx)), w.end())
	}
	return w, nil
}

// startReady starts a process and waits until it is ready. Somebody else may
// take the ports between their choice and their use; then others are tried.
func (c *Cluster) startReady(ctx context.Context, binary string, opts WebhookOptions) (*Webhook, error) {
	const tries = 3
	for try := 1; ; try++ {
		w, err := c.launch(binary, opts)
		if err != nil {
			return nil, err
		}
		if err = w.process.waitReady(ctx, w.HealthURL+"/readyz"); err == nil {
			return w, nil
		}
		taken := strings.Contains(w.Logs(), "address already in use")
		err = errors.Join(fmt.Errorf("starting forestall-webhook: %w%s", err, quoteLog(w.process.log)), w.end())
		if !taken || try == tries {
			return nil, err
		}
	}
}

// launch starts a process on free ports.
func (c *Cluster) launch(binary string, opts WebhookOptions) (*Webhook, error) {
	serve, health, err := freePorts()
	if err != nil {
		return nil, err
	}
	args := []string{
		"--webhook-bind-address=127.0.0.1:" + serve,
		"--health-probe-bind-address=127.0.0.1:" + health,
		"--metrics-bind-address=0",
		// Nothing in front of the process has to notice that it is ending.
		"--shutdown-delay=0s",
		"--kubeconfig=" + c.Kubeconfig,
		"--ca-secret=" + Namespace + "/" + CASecret,
		"--dns-name=" + serverName,
	}
	if opts.ConfigFile != "" {
		file, err := filepath.Abs(opts.ConfigFile)
		if err != nil {
			return nil, fmt.Errorf("resolving the webhook's configuration file: %w", err)
		}
		args = append(args, "--config="+file)
	}
	conf, err := config.Load(opts.ConfigFile)
	if err != nil {
		return nil, fmt.Errorf("loading the webhook's configuration file: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.started++
	name := "webhook-" + strconv.Itoa(c.started)
	p, err := startProcess(c.Dir, name, binary, append(args, opts.Args...), append(c.Environ(), opts.Env...))
	if err != nil {
		return nil, fmt.Errorf("starting forestall-webhook: %w", err)
	}
	w := &Webhook{
		URL:       "https://" + net.JoinHostPort(serverName, serve),
		HealthURL: "http://" + net.JoinHostPort("127.0.0.1", health),
		cluster:   c,
		process:   p,
		kinds:     conf.Settings().Kinds,
	}
	c.hooks = append(c.hooks, w)
	return w, nil
}

// PID is the id of the process.
func (w *Webhook) PID() int { return w.process.cmd.Process.Pid }

// Logs returns what the process has logged so far.
func (w *Webhook) Logs() string {
	text, err := os.ReadFile(w.process.log)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Stop takes the webhook out of the API server and then ends the process. An
// error means that it did not end by itself, in time and with exit code 0.
func (w *Webhook) Stop(ctx context.Context) error {
	return errors.Join(w.unregister(ctx), w.Terminate(ctx))
}

// Terminate ends the process with SIGTERM and leaves the registration as it is,
// as when a node is drained.
func (w *Webhook) Terminate(ctx context.Context) error {
	w.forget()
	return w.process.terminate(ctx)
}

// end is what happens to a process that did not become of use.
func (w *Webhook) end() error {
	w.forget()
	return w.process.kill()
}

// forget takes the process out of the list of those that Cluster.Stop ends.
func (w *Webhook) forget() {
	c := w.cluster
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, hook := range c.hooks {
		if hook == w {
			c.hooks = append(c.hooks[:i:i], c.hooks[i+1:]...)
			return
		}
	}
}
