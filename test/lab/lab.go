package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// stopTimeout bounds a stop; it usually takes about a second.
const stopTimeout = time.Minute

// Lab is a running Kubernetes. Its methods may be called at the same time,
// Stop excepted.
type Lab struct {
	// Name is unique on this machine.
	Name string
	// Dir is the lab's directory, with the logs. It is gone after Stop.
	Dir string
	// Kubeconfig is a file with the credentials of the administrator.
	Kubeconfig string
	// Config is the same for clients, without rate limits.
	Config *rest.Config
	// Client talks to the API server directly, without a cache.
	Client client.WithWatch

	options   Options
	record    Record
	addresses addresses
	cgroups   cgroups
	ca        *authority
	daemons   []*running
}

// Start starts a lab and returns when its node is ready for pods. Ending ctx
// interrupts the start; it has no effect afterwards: call Stop. When Start
// fails, nothing is left.
func Start(ctx context.Context, o Options) (*Lab, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	if err := checkMachine(o); err != nil {
		return nil, err
	}
	record, err := claim(o)
	if err != nil {
		return nil, err
	}
	l, err := of(o, record)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(filepath.Join(o.Base, o.Name)))
	}
	if err := l.start(ctx); err != nil {
		err = fmt.Errorf("starting lab %s: %w", o.Name, err)
		if ctx.Err() == nil {
			err = fmt.Errorf("%w%s", err, l.quoteLogs())
		}
		return nil, errors.Join(err, l.Stop(context.WithoutCancel(ctx)))
	}
	return l, nil
}

// Open returns a lab that somebody else has started, if it answers.
func Open(ctx context.Context, o Options) (*Lab, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	record, err := readRecord(filepath.Join(o.Base, o.Name))
	if err != nil {
		return nil, err
	}
	l, err := of(o, record)
	if err != nil {
		return nil, err
	}
	if !record.Ready || len(l.cgroups.processes()) == 0 {
		return nil, fmt.Errorf("lab %s is not running", o.Name)
	}
	if err := l.makeClients(); err != nil {
		return nil, err
	}
	if err := l.answers(ctx); err != nil {
		return nil, fmt.Errorf("lab %s: %w", o.Name, err)
	}
	return l, l.connectClient()
}

// of is the lab of a record, as far as the record tells.
func of(o Options, r Record) (*Lab, error) {
	c, err := findCgroups(r.Name)
	if err != nil {
		return nil, err
	}
	l := &Lab{
		Name: r.Name, Dir: filepath.Join(o.Base, r.Name),
		options: o, record: r, addresses: addressesOf(r.Number), cgroups: c,
	}
	l.Kubeconfig = l.kubeconfig("admin")
	return l, nil
}

// step is one part of a start.
type step struct {
	title string
	run   func(context.Context) error
}

func (l *Lab) start(ctx context.Context) error {
	for _, s := range l.steps() {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if s.title != "" {
			l.options.Progress(s.title)
		}
		if err := s.run(ctx); err != nil {
			return errors.Join(ctx.Err(), err)
		}
	}
	l.record.Ready = true
	return l.record.write(l.Dir)
}

func (l *Lab) steps() []step {
	plain := func(f func() error) func(context.Context) error {
		return func(context.Context) error { return f() }
	}
	return []step{
		{"namespaces, cgroups and certificates", plain(func() error { return l.cgroups.make(l.options.Base) })},
		{"", l.startAnchor},
		{"", plain(l.makeCredentials)},
		{"", plain(l.configure)},
		{"", plain(l.makeClients)},
		{"etcd, API server and containerd", plain(func() error { return l.startDaemons(l.etcd(), l.runtime(), l.apiServer()) })},
		{"images", l.importImages},
		{"", l.serving},
		{"controllers, kubelet and kube-proxy", plain(func() error { return l.startDaemons(append(l.controllers(), l.node()...)...) })},
		{"", l.ready},
	}
}

func (l *Lab) startDaemons(all ...daemon) error {
	for _, d := range all {
		r, err := l.startDaemon(d)
		if err != nil {
			return err
		}
		l.daemons = append(l.daemons, r)
	}
	return nil
}

// makeClients makes the ways to talk to the API server.
func (l *Lab) makeClients() error {
	config, err := clientcmd.BuildConfigFromFlags("", l.Kubeconfig)
	if err != nil {
		return fmt.Errorf("reading the kubeconfig of lab %s: %w", l.Name, err)
	}
	config.QPS = -1 // no rate limit
	config.UserAgent = "forestall-lab"
	l.Config = config
	return nil
}
