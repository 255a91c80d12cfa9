package webhook

import (
	"crypto/tls"
	"crypto/x509"

	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// Part is something that a Server starts and stops on every replica, and waits for.
type Part interface {
	manager.Runnable
	manager.LeaderElectionRunnable
	// Ready returns why requests cannot be answered well yet, or nil.
	Ready() error
}

// ContextPart keeps in memory what else exists in a cluster.
type ContextPart interface {
	Part
	// Unknown returns, for each kind of object that is not known, why it is not. Requests may be
	// answered all the same.
	Unknown() []error
}

// ConfigurationPart follows a configuration.
type ConfigurationPart interface {
	Part
	// Failed returns why the configuration as it is now is not in force, or nil.
	Failed() error
}

// Certificates provides the serving certificate.
type Certificates interface {
	Part
	// GetCertificate returns the certificate for a new connection.
	GetCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error)
}

// ClientsPart knows who may ask.
type ClientsPart interface {
	Part
	// CAs are those that sign the certificates of clients. It is called for each connection.
	CAs() *x509.CertPool
	// Failed returns why the CAs as they are now are not in force, or nil: the last good ones are.
	Failed() error
}
