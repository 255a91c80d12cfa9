package webhook

import "net/http"

// onlyClients lets through those who have shown a certificate of the client CA. The
// handshake does not insist on one: our own readiness check connects without.
func onlyClients(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.TLS == nil || len(r.TLS.VerifiedChains) == 0 {
			http.Error(w, "forestall: a client certificate of the configured CA is required", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
