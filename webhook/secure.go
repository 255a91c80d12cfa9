package webhook

import (
	"crypto/tls"
	"slices"
)

// protocols are what a connection may speak, the preferred one first.
func protocols() []string { return []string{"h2", "http/1.1"} }

// secured returns how connections are secured. Each handshake asks for the CAs in force.
func secured(get func(*tls.ClientHelloInfo) (*tls.Certificate, error), who *clients) *tls.Config {
	c := &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: get, NextProtos: protocols()}
	if who != nil {
		c.ClientAuth = tls.VerifyClientCertIfGiven
		// A session that is resumed is not verified by the CAs that are in force by then.
		c.SessionTicketsDisabled = true
	}
	c.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		streams := mayStream(hello)
		if streams && who == nil {
			return nil, nil // c as it is
		}
		own := c.Clone()
		if !streams {
			own.NextProtos = protocols()[1:]
		}
		if who != nil {
			own.ClientCAs = who.CAs()
		}
		return own, nil
	}
	return c
}

// mayStream reports whether a connection that offers HTTP/2 may speak it.
func mayStream(hello *tls.ClientHelloInfo) bool {
	if !slices.Contains(hello.SupportedProtos, protocols()[0]) {
		return false
	}
	c, ok := hello.Conn.(*connection)
	return !ok || c.stream(maxStreaming)
}
