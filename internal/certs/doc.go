// Package certs provides the certificate that the webhook serves with: from files
// that somebody else renews, or signed by a CA of its own that all replicas share
// through a Secret.
package certs
