package certs

import (
	"bytes"
	"crypto/x509"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/utils/clock"
)

const day = 24 * time.Hour

// jumping is a clock as a machine has one: what it says can be changed, and timers do not
// care. It counts how often it was asked.
type jumping struct {
	clock.RealClock
	mu    sync.Mutex
	ahead time.Duration
	asked int
}

func (c *jumping) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked++
	return time.Now().Add(c.ahead)
}

func (c *jumping) jump(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += by
	c.asked = 0
}

// looked reports whether the Authority has looked since the last jump.
func (c *jumping) looked() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked > 2 // the first look may have begun before
}

// step is a jump of the clock, and what comes of it.
type step struct {
	by      time.Duration
	clients []time.Duration // by how much the clocks of clients are ahead
	signs   bool            // a new serving certificate
	makes   bool            // a new CA
	ready   string          // what Ready says
}

// TestClocks moves the clock of a running Authority: it serves what clients with the same
// clock and with wrong ones accept, or says why they do not.
func TestClocks(t *testing.T) {
	others := []time.Duration{0, -50 * time.Minute, 2 * day}
	for _, test := range []struct {
		name  string
		steps []step
	}{
		{"clients with other clocks", []step{{clients: others}}},
		{"time goes by", []step{
			{by: 3 * day}, // two thirds of 7 days, less the jitter, are 4 days
			{by: 40 * time.Hour, signs: true, clients: others},
			{by: 4*day + 16*time.Hour, signs: true, clients: others},
		}},
		{"forwards by hours", []step{{by: 5 * time.Hour, clients: []time.Duration{0, -5 * time.Hour, day}}}},
		{"backwards by minutes", []step{{by: -30 * time.Minute, clients: []time.Duration{0, 30 * time.Minute}}}},
		{"the machine was suspended for days", []step{{by: 20 * day, signs: true, clients: others}}},
		{"backwards by hours", []step{
			{by: 5 * day, signs: true},
			{by: -5 * time.Hour, signs: true, clients: append(others, 5*time.Hour)},
		}},
		// Whose clock is right still accepts it, and the CA is not replaced.
		{"backwards by hours after the CA was made", []step{
			{by: -5 * time.Hour, signs: true, clients: []time.Duration{5 * time.Hour}, ready: "the CA is not valid before"},
			{by: 5 * time.Hour, clients: others},
		}},
		{"the CA comes to its end", []step{
			{by: 242 * day, signs: true, clients: others},
			{by: 3 * day, signs: true, makes: true, clients: others},
			{by: 4 * 365 * day, signs: true, makes: true, clients: others},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			api, config := newSecretAPI(t)
			a, now := newJumping(t, config)
			for i, s := range test.steps {
				s.take(t, i, api, a, now)
			}
		})
	}
}

func (s step) take(t *testing.T, i int, api *secretAPI, a *Authority, now *jumping) {
	t.Helper()
	leaf, ca := a.current.Load(), api.ca()
	now.jump(s.by)
	eventually(t, now.looked)
	if s.signs {
		eventually(t, func() bool { return a.current.Load() != leaf && a.current.Load().issuer.Equal(api.ca()) })
	}
	if s.makes {
		eventually(t, func() bool { return !api.ca().Equal(ca) && a.current.Load().issuer.Equal(api.ca()) })
	}
	if signed := a.current.Load() != leaf; signed != s.signs {
		t.Errorf("step %d: a new certificate: %t, want %t", i, signed, s.signs)
	}
	if made := !api.ca().Equal(ca); made != s.makes {
		t.Errorf("step %d: a new CA: %t, want %t", i, made, s.makes)
	}
	for _, ahead := range s.clients {
		if err := api.verifyAt(a, now.Now().Add(ahead)); err != nil {
			t.Errorf("step %d: a client that is %s ahead: %v", i, ahead, err)
		}
	}
	if err := a.Ready(); s.ready == "" && err != nil || s.ready != "" && (err == nil || !strings.Contains(err.Error(), s.ready)) {
		t.Errorf("step %d: Ready() = %v, want %q", i, err, s.ready)
	}
}

// TestOverlap: after a CA was renewed, clients are to trust the one before as well.
func TestOverlap(t *testing.T) {
	api, config := newSecretAPI(t)
	a, now := newJumping(t, config)
	late, before := a.current.Load(), api.ca() // of a replica that has not seen the new CA yet
	now.jump(250 * day)
	eventually(t, func() bool { return !api.ca().Equal(before) })
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(api.secret().Data["ca.crt"])
	if _, err := late.certificate.Leaf.Verify(x509.VerifyOptions{Roots: pool, DNSName: dnsName}); err != nil {
		t.Errorf("a client with the bundle of now: %v", err)
	}
	if n := bytes.Count(api.secret().Data["ca.crt"], []byte("BEGIN")); n != 2 {
		t.Errorf("clients are to trust %d CAs, want the one in use and the one before", n)
	}
	now.jump(2 * 365 * day) // then the CA before has expired
	eventually(t, func() bool { return bytes.Count(api.secret().Data["ca.crt"], []byte("BEGIN")) == 1 })
}

// TestRenewal: a certificate is renewed between half and two thirds of its time, and not by
// all replicas at once.
func TestRenewal(t *testing.T) {
	now := time.Now()
	c, err := makeCA(now, usual())
	if err != nil {
		t.Fatal(err)
	}
	moments := map[time.Time]bool{}
	for range 20 {
		s, err := c.sign([]string{dnsName}, now, usual())
		if err != nil {
			t.Fatal(err)
		}
		moments[s.renew] = true
		if after := s.renew.Sub(now); after < 84*time.Hour || after > 112*time.Hour {
			t.Errorf("it is renewed after %s", after)
		}
	}
	if len(moments) < 10 {
		t.Errorf("20 certificates are renewed at %d moments", len(moments))
	}
}
