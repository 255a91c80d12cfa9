package certs

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
)

// AuthorityOptions configure an Authority. All but Clock and Log are required.
type AuthorityOptions struct {
	// Secret keeps the CA. It is created when it is missing, and written anew when what it
	// holds cannot be used; replicas that start at the same time agree on one CA.
	Secret types.NamespacedName
	// DNSNames are the names that the API server calls the webhook by.
	DNSNames []string
	// Config reaches the API server. It needs the verbs get, list, watch and update on the
	// Secret, and create on Secrets of its namespace unless the Secret exists already: a Role
	// cannot bind create to a name. No other Secret is asked for.
	Config *rest.Config
	// Clock tells the time; nil for that of the machine.
	Clock clock.WithTicker
	// Log takes what happens to the CA and the certificate.
	Log logr.Logger
}

// Authority serves with a certificate that it signs itself. The key of the certificate
// never leaves the process; only the CA is shared. While the API server is away it serves,
// and renews its certificate, with the CA that it saw last.
type Authority struct {
	secret *secret
	names  []string
	times  times
	clock  clock.WithTicker
	log    logr.Logger

	current atomic.Pointer[serving]
}

// NewAuthority returns an Authority. It has no certificate before Start.
func NewAuthority(o AuthorityOptions) (*Authority, error) {
	if o.Secret.Namespace == "" || o.Secret.Name == "" {
		return nil, fmt.Errorf("the Secret for the CA is %q: it must have a namespace and a name", o.Secret)
	}
	if len(o.DNSNames) == 0 {
		return nil, errors.New("a serving certificate needs a DNS name")
	}
	if o.Config == nil {
		return nil, errors.New("a CA in a Secret needs an API server")
	}
	client, err := typedcorev1.NewForConfig(o.Config)
	if err != nil {
		return nil, fmt.Errorf("making a client for the Secret of the CA: %w", err)
	}
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	return &Authority{
		secret: newSecret(client.Secrets(o.Secret.Namespace), o.Secret.Name),
		names:  o.DNSNames,
		times:  usual(),
		clock:  o.Clock,
		log:    o.Log.WithValues("secret", o.Secret.String()),
	}, nil
}

// Start keeps the CA and the certificate until ctx ends.
func (a *Authority) Start(ctx context.Context) error {
	var watching sync.WaitGroup
	defer watching.Wait()
	watching.Go(func() { a.secret.watch(ctx) })
	a.keep(ctx)
	return nil
}

// NeedLeaderElection says that every replica serves with a certificate of its own.
func (*Authority) NeedLeaderElection() bool { return false }

// GetCertificate returns the certificate for a new connection.
func (a *Authority) GetCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	s := a.current.Load()
	if s == nil {
		return nil, errNone
	}
	return s.certificate, nil
}

// Ready returns why a client would not accept the certificate, or nil.
func (a *Authority) Ready() error {
	s := a.current.Load()
	err := s.ready(a.clock.Now())
	if s == nil {
		return errors.Join(err, a.secret.failure())
	}
	return err
}

// keep looks at the Secret whenever it changes, and at the clock.
func (a *Authority) keep(ctx context.Context) {
	look := a.clock.NewTicker(a.times.look)
	defer look.Stop()
	pause := wait.Backoff{Duration: a.times.pause, Factor: 2, Jitter: 0.5, Steps: 10, Cap: 5 * time.Minute}.DelayWithReset(a.clock, 20*time.Minute)
	// While held, no CA is written: what was written is seen in a moment, what failed will fail
	// again, and somebody else may write there, too.
	var held <-chan time.Time
	for {
		if seen, known := a.secret.seen(); known {
			if err := a.adopt(seen); err != nil && held == nil {
				a.replace(ctx, seen, err)
				held = a.clock.After(pause())
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-a.secret.changed:
		case <-held:
			held = nil
		case <-look.C():
		}
	}
}

// adopt takes the CA in a Secret into use, and returns why another is needed, or nil.
func (a *Authority) adopt(seen *corev1.Secret) error {
	now := a.clock.Now()
	if seen == nil {
		return errors.New("there is none")
	}
	c, err := readCA(seen.Data)
	if err != nil {
		return fmt.Errorf("reading the CA: %w", err)
	}
	if !a.current.Load().serves(c, now) {
		s, err := c.sign(a.names, now, a.times)
		if err != nil {
			return err
		}
		a.current.Store(s)
		a.log.Info("Signed a serving certificate", "notBefore", s.certificate.Leaf.NotBefore, "notAfter", s.certificate.Leaf.NotAfter)
		if err := valid("the CA", c.cert, now); err != nil {
			a.log.Error(err, "Clients whose clock says the same do not accept the serving certificate")
		}
	}
	return c.due(now)
}

// replace writes a new CA in the place of what was seen. What fails is tried again later.
func (a *Authority) replace(ctx context.Context, seen *corev1.Secret, reason error) {
	a.log.Info("A new CA is needed", "reason", reason.Error())
	if err := a.write(ctx, seen); err != nil && ctx.Err() == nil {
		a.log.Error(err, "No new CA was written: what is served stays the same")
	}
}

func (a *Authority) write(ctx context.Context, seen *corev1.Secret) error {
	var before *ca
	if seen != nil {
		before, _ = readCA(seen.Data) // what cannot be read is not trusted either
	}
	now := a.clock.Now()
	c, err := makeCA(now, a.times)
	if err != nil {
		return err
	}
	data, err := c.data(before, now)
	if err != nil {
		return err
	}
	return a.secret.write(ctx, seen, data)
}
