package webhook

import (
	"crypto/tls"
	"net/http"
	"slices"
)

// clients are those who get an answer.
type clients struct {
	ClientsPart
	// names are those of the certificates, as common name or DNS name; none for any of the CAs.
	names []string
}

// only lets through those who have shown a certificate. The handshake does not insist on one: our
// own readiness check connects without. Others lose their connection.
func (c *clients) only(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if why := c.refused(r.TLS); why != "" {
			w.Header().Set("Connection", "close")
			http.Error(w, "forestall: "+why, http.StatusUnauthorized)
			return
		}
		if c := connectionOf(r.Context()); c != nil {
			c.know()
		}
		next.ServeHTTP(w, r)
	})
}

// refused says why a client gets no answer; empty for one that does.
func (c *clients) refused(s *tls.ConnectionState) string {
	switch {
	case !verified(s):
		return "a client certificate of the configured CA is required"
	case len(c.names) == 0:
		return ""
	}
	shown := s.VerifiedChains[0][0]
	for _, name := range append([]string{shown.Subject.CommonName}, shown.DNSNames...) {
		if name != "" && slices.Contains(c.names, name) {
			return ""
		}
	}
	return "the client certificate has none of the configured names"
}

// verified reports whether the client has shown a certificate of the client CA.
func verified(s *tls.ConnectionState) bool { return s != nil && len(s.VerifiedChains) > 0 }
