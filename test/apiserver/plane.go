package apiserver

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// logTail is how much of a log an error message quotes.
const logTail = 15

// plane is etcd and the API server, as envtest runs them.
//
// envtest.ControlPlane is used rather than envtest.Environment: the latter
// would turn to the user's own cluster where USE_EXISTING_CLUSTER says so.
type plane struct {
	envtest.ControlPlane
	dir  string
	logs []*os.File
}

// startPlane starts etcd and the API server with all their files in dir. Flags are further ones of
// the API server.
func startPlane(ctx context.Context, dir, assets string, flags map[string]string) (*plane, error) {
	p := &plane{dir: dir}
	etcd, err := p.prepare(dir, filepath.Join(assets, "etcd"))
	if err != nil {
		return nil, err
	}
	server, err := p.prepare(dir, filepath.Join(assets, "kube-apiserver"))
	if err != nil {
		return nil, err
	}
	p.Etcd = &envtest.Etcd{
		Path: etcd.launcher, DataDir: etcd.dir, Out: etcd.log, Err: etcd.log,
		StartTimeout: startTimeout, StopTimeout: stopTimeout,
	}
	p.APIServer = &envtest.APIServer{
		Path: server.launcher, CertDir: server.dir, Out: server.log, Err: server.log,
		StartTimeout: startTimeout, StopTimeout: stopTimeout,
	}
	for name, value := range flags {
		p.APIServer.Configure().Append(name, value)
	}
	p.KubectlPath = filepath.Join(assets, "kubectl")

	done := make(chan struct{})
	go func() {
		defer close(done)
		err = p.Start()
	}()
	select {
	case <-done:
	case <-ctx.Done():
		abort(dir) // Start takes no context; it returns when its processes are gone
		<-done
		err = context.Cause(ctx)
	}
	if err != nil {
		abort(dir) // envtest does not wait for what it gave up on
		err = fmt.Errorf("starting the API server: %w%s%s", err, quoteLog(etcd.log.Name()), quoteLog(server.log.Name()))
		p.closeLogs()
		return nil, err
	}
	return p, nil
}

// component is what one process of the control plane needs.
type component struct {
	launcher string
	dir      string
	log      *os.File
}

// prepare makes the launcher, the directory and the log of a binary.
func (p *plane) prepare(dir, binary string) (component, error) {
	name := filepath.Base(binary)
	c := component{dir: filepath.Join(dir, name)}
	if err := os.Mkdir(c.dir, 0o700); err != nil {
		return c, fmt.Errorf("making the directory of %s: %w", name, err)
	}
	var err error
	if c.launcher, err = launcher(dir, binary); err != nil {
		return c, err
	}
	// A file, not a pipe: nothing has to read it for the process to go on.
	if c.log, err = os.Create(filepath.Join(dir, name+".log")); err != nil {
		return c, fmt.Errorf("making the log of %s: %w", name, err)
	}
	p.logs = append(p.logs, c.log)
	return c, nil
}

// admin makes the cluster's administrator and writes its kubeconfig file.
func (p *plane) admin(kubeconfig string) (*rest.Config, error) {
	user := envtest.User{Name: "admin", Groups: []string{"system:masters"}}
	admin, err := p.AddUser(user, &rest.Config{QPS: -1}) // -1: no rate limit
	if err != nil {
		return nil, fmt.Errorf("making the administrator's credentials: %w", err)
	}
	text, err := admin.KubeConfig()
	if err != nil {
		return nil, fmt.Errorf("making the kubeconfig: %w", err)
	}
	if err := os.WriteFile(kubeconfig, text, 0o600); err != nil {
		return nil, fmt.Errorf("writing the kubeconfig: %w", err)
	}
	return admin.Config(), nil
}

// stop ends the API server, then etcd.
func (p *plane) stop() error {
	defer p.closeLogs()
	if err := p.Stop(); err != nil {
		abort(p.dir)
		return fmt.Errorf("stopping the API server: %w", err)
	}
	return nil
}

func (p *plane) closeLogs() {
	for _, log := range p.logs {
		_ = log.Close() // written by the processes, not by us
	}
}

// quoteLog returns the last lines of a log, to be added to an error message.
func quoteLog(file string) string {
	text, err := os.ReadFile(file)
	if err != nil || len(text) == 0 {
		return ""
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	if len(lines) > logTail {
		lines = lines[len(lines)-logTail:]
	}
	return fmt.Sprintf("\n  last lines of %s:\n    %s", filepath.Base(file), strings.Join(lines, "\n    "))
}
