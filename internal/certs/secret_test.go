package certs

import (
	"bytes"
	"crypto/x509"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// caData returns what a Secret holds for a CA, which change has changed before it signed itself.
func caData(t *testing.T, now time.Time, change func(template *x509.Certificate)) map[string][]byte {
	t.Helper()
	c, err := makeCA(now, usual())
	if err != nil {
		t.Fatal(err)
	}
	template := *c.cert
	change(&template)
	c.cert = &template
	if c.cert, err = c.issue(&template, c.key.Public()); err != nil {
		t.Fatal(err)
	}
	data, err := c.data(nil, now)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func with(data map[string][]byte, key string, value []byte) map[string][]byte {
	data = maps.Clone(data)
	data[key] = value
	return data
}

// TestUnusableSecrets puts into the Secret of a running Authority what cannot be used: another
// CA takes its place, and until then the certificate at hand is served.
func TestUnusableSecrets(t *testing.T) {
	now := time.Now()
	good := caData(t, now, func(*x509.Certificate) {})
	other := caData(t, now, func(*x509.Certificate) {})
	rubbish := bytes.Repeat([]byte("rubbish "), 100_000)
	for _, test := range []struct {
		name string
		data map[string][]byte
		why  string
	}{
		{"nothing", nil, "reading the CA: tls.crt has 0 bytes: no CA has"},
		{"no bundle", with(good, "ca.crt", nil), "reading the CA: ca.crt has 0 bytes: no CA has"},
		{"rubbish", map[string][]byte{"ca.crt": []byte("a"), "tls.crt": []byte("b"), "tls.key": []byte("c")}, "reading the CA: tls: failed to find any PEM data in certificate input"},
		{"nearly a megabyte", with(good, "tls.crt", rubbish), "reading the CA: tls.crt has 800000 bytes: no CA has"},
		{"the key of another", with(good, "tls.key", other["tls.key"]), "reading the CA: tls: private key does not match public key"},
		{"the bundle of another", with(good, "ca.crt", other["ca.crt"]), "reading the CA: ca.crt lacks the certificate in tls.crt"},
		{"a bundle that is none", with(good, "ca.crt", []byte("x")), "reading the CA: reading ca.crt: data does not contain any valid RSA or ECDSA certificates"},
		{"no CA", caData(t, now, func(c *x509.Certificate) { c.IsCA = false }), "reading the CA: its certificate is not that of a CA"},
		{"a CA that may not sign", caData(t, now, func(c *x509.Certificate) { c.KeyUsage = x509.KeyUsageDigitalSignature }), "clients do not accept what the CA signs: x509: certificate signed by unknown authority"},
		{"a CA for clients", caData(t, now, func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth} }), "clients do not accept what the CA signs: x509: certificate specifies an incompatible key usage"},
		{"a CA for other names", caData(t, now, func(c *x509.Certificate) { c.PermittedDNSDomains = []string{"example.com"} }), "clients do not accept what the CA signs: x509: a root or intermediate certificate is not authorized to sign for this name"},
		{"a CA that has expired", caData(t, now.Add(-500*day), func(*x509.Certificate) {}), "the CA expired at "},
		{"a CA at its end", caData(t, now.Add(-300*day), func(*x509.Certificate) {}), "the CA expires at "},
	} {
		t.Run(test.name, func(t *testing.T) {
			api, config := newSecretAPI(t)
			if err := newAuthority(t, config).adopt(&corev1.Secret{Data: test.data}); err == nil || !strings.HasPrefix(err.Error(), test.why) {
				t.Errorf("it is replaced because of %v, want %s", err, test.why)
			}
			a, _ := newJumping(t, config)
			api.put(test.data)
			eventually(t, func() bool {
				return !bytes.Equal(api.secret().Data["tls.crt"], test.data["tls.crt"]) && api.signed(a)
			})
		})
	}
}

// TestOtherCA: a CA that somebody puts there, such as a person who restores a backup, is taken.
func TestOtherCA(t *testing.T) {
	api, config := newSecretAPI(t)
	a, _ := newJumping(t, config)
	data := caData(t, time.Now(), func(c *x509.Certificate) { c.Subject.CommonName = "other" })
	data["note"] = []byte("keep me")
	api.put(data)
	eventually(t, func() bool { return api.signed(a) })
	if got := api.secret().Data; !maps.EqualFunc(got, data, bytes.Equal) {
		t.Errorf("the Secret holds %d values, and not what was put there", len(got))
	}
	data["tls.crt"] = []byte("x") // what else is there stays when the CA is replaced
	api.put(data)
	eventually(t, func() bool { return api.signed(a) })
	if got := string(api.secret().Data["note"]); got != "keep me" {
		t.Errorf("the note is %q", got)
	}
}

// TestDeleted: a Secret that is deleted is made again, by one of the replicas.
func TestDeleted(t *testing.T) {
	api, config := newSecretAPI(t)
	a, _ := newJumping(t, config)
	b, _ := newJumping(t, config)
	before := api.ca()
	api.remove()
	eventually(t, func() bool { return api.exists() && api.signed(a) && api.signed(b) })
	if api.ca().Equal(before) {
		t.Error("the CA is the same as before")
	}
}

// TestAway: without an API server there is no certificate at the start, and Ready says why.
// Later, the certificate is renewed with the CA that was seen last.
func TestAway(t *testing.T) {
	api, config := newSecretAPI(t)
	api.away(true)
	a, now := newAuthority(t, config), &jumping{}
	a.clock, a.times.look, a.times.pause = now, 5*time.Millisecond, 5*time.Millisecond
	t.Cleanup(start(t, a))
	const none = "there is no serving certificate yet\nreading the Secret of the CA: "
	eventually(t, func() bool { err := a.Ready(); return err != nil && strings.HasPrefix(err.Error(), none) })
	api.away(false)
	eventually(t, func() bool { return a.Ready() == nil })

	api.away(true)
	for range 3 {
		served := a.current.Load()
		now.jump(5 * day)
		eventually(t, func() bool { return a.current.Load() != served })
		if err := api.verifyAt(a, now.Now()); err != nil {
			t.Error(err)
		}
	}
	now.jump(300 * day) // the CA is due and cannot be written: it still serves
	eventually(t, now.looked)
	if err := a.Ready(); err != nil {
		t.Errorf("Ready() = %v", err)
	}
	before := api.ca()
	api.away(false)
	eventually(t, func() bool { return !api.ca().Equal(before) && api.verifyAt(a, now.Now()) == nil })
}

// TestQuarrel: somebody who writes rubbish whenever a CA appears does not make the webhook
// write as often, nor take its certificate away.
func TestQuarrel(t *testing.T) {
	api, config := newSecretAPI(t)
	a, now := newAuthority(t, config), &jumping{}
	a.clock, a.times.look, a.times.pause = now, 5*time.Millisecond, time.Hour
	t.Cleanup(start(t, a))
	eventually(t, func() bool { return a.Ready() == nil })
	served := a.current.Load()
	for i := range 50 {
		api.put(map[string][]byte{"tls.crt": fmt.Append(nil, i)})
		now.jump(0)
		eventually(t, now.looked)
	}
	if got := api.written(); got != 1 {
		t.Errorf("it wrote %d times within an hour", got)
	}
	if a.current.Load() != served || a.Ready() != nil {
		t.Errorf("another certificate, or Ready() = %v", a.Ready())
	}
}

// TestForeignSecrets: a wrong name may lead to a Secret with the only copy of somebody's key.
func TestForeignSecrets(t *testing.T) {
	theirs := map[string][]byte{"tls.crt": []byte("theirs"), "tls.key": []byte("their only key"), "ca.crt": []byte("x")}
	for _, test := range []struct {
		name    string
		secret  corev1.Secret
		written bool
	}{
		{"of somebody else", corev1.Secret{Data: theirs}, false},
		{"of another product", corev1.Secret{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{ownLabel: "shop"}}, Data: theirs}, false},
		{"empty", corev1.Secret{}, true},
		{"given to us", corev1.Secret{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{ownLabel: ownValue}}, Data: theirs}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			api, config := newSecretAPI(t)
			test.secret.Name = "forestall-webhook-ca"
			api.store("ADDED", &test.secret)
			var log lockedLog
			a, now := newAuthority(t, config), &jumping{}
			a.clock, a.times.look, a.times.pause, a.log = now, 5*time.Millisecond, 5*time.Millisecond, log.logger()
			t.Cleanup(start(t, a))
			if test.written {
				eventually(t, func() bool { return api.signed(a) })
				return
			}
			eventually(t, func() bool { return strings.Contains(log.text(), errForeign.Error()) })
			if api.written() != 0 || a.Ready() == nil {
				t.Errorf("it was written %d times; Ready() = %v", api.written(), a.Ready())
			}
		})
	}
}

// lockedLog is a log that can be read while it is written.
type lockedLog struct {
	mu    sync.Mutex
	lines strings.Builder
}

func (l *lockedLog) logger() logr.Logger {
	return funcr.New(func(_, args string) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.lines.WriteString(args + "\n")
	}, funcr.Options{})
}

func (l *lockedLog) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.ReplaceAll(l.lines.String(), `\"`, `"`)
}
