// Package certs provides the certificate that the webhook serves with: from files
// that somebody else renews, or signed by a CA of its own that all replicas share
// through a Secret.
//
// The CA is written as cert-manager's pkg/server/tls/authority does, so that its CA
// injector finds it: tls.crt and tls.key are the CA that signs, ca.crt is what clients
// are to trust. That library itself brings code for LDAP and NTLM into the program, and
// its certificates are not valid before the moment at which they were made.
package certs
