package certs

import (
	"crypto/x509"
	"encoding/pem"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// secret returns what is stored.
func (a *secretAPI) secret() *corev1.Secret {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.stored.DeepCopy()
}

func (a *secretAPI) exists() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.stored != nil
}

// written returns how many writes were asked for.
func (a *secretAPI) written() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.writes
}

// ca returns the CA that is stored.
func (a *secretAPI) ca() *x509.Certificate {
	a.t.Helper()
	block, _ := pem.Decode(a.secret().Data["ca.crt"])
	if block == nil {
		a.t.Fatal("the Secret holds no PEM")
	}
	c, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		a.t.Fatal(err)
	}
	return c
}

// put changes the content of the Secret, as somebody else would.
func (a *secretAPI) put(data map[string][]byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	secret := a.stored.DeepCopy()
	secret.Data = data
	a.store("MODIFIED", secret)
}

// remove deletes the Secret.
func (a *secretAPI) remove() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.store("DELETED", a.stored.DeepCopy())
	a.stored = nil
}

// away makes every request fail, and ends the watches; or ends that.
func (a *secretAPI) away(down bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.down = down
	a.change.Broadcast()
}

func (a *secretAPI) unlessDown(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		down := a.down
		a.mu.Unlock()
		if down {
			refuse(w, http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func refuse(w http.ResponseWriter, code int32, reason metav1.StatusReason) {
	reply(w, int(code), &metav1.Status{Status: metav1.StatusFailure, Code: code, Reason: reason})
}
