package certs

import (
	"context"
	"errors"
	"fmt"
	"time"

	servertls "github.com/cert-manager/cert-manager/pkg/server/tls"
	"github.com/cert-manager/cert-manager/pkg/server/tls/authority"
	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

// CommonName is the subject of the CA.
const CommonName = "forestall-webhook-ca"

// How long certificates are valid. Each is renewed when a third of its time is left.
const (
	caDuration   = 365 * 24 * time.Hour
	leafDuration = 7 * 24 * time.Hour
)

// AuthorityOptions configure an Authority. All but Log are required.
type AuthorityOptions struct {
	// Secret keeps the CA. It is created when it is missing; replicas that start at
	// the same time agree on one.
	Secret types.NamespacedName
	// DNSNames are the names that the API server calls the webhook by.
	DNSNames []string
	// Config reaches the API server. It needs the verbs create, get, list, watch and
	// update on the Secret.
	Config *rest.Config
	// Log takes what happens to the CA and the certificate.
	Log logr.Logger
}

// Authority serves with a certificate that it signs itself. The key of the
// certificate never leaves the process; only the CA is shared. It is cert-manager's
// implementation, the one that its own webhook serves with.
type Authority struct {
	*servertls.DynamicSource
	log logr.Logger
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
	return &Authority{
		log: o.Log,
		DynamicSource: &servertls.DynamicSource{
			DNSNames: o.DNSNames,
			Authority: &authority.DynamicAuthority{
				SecretNamespace: o.Secret.Namespace,
				SecretName:      o.Secret.Name,
				SecretLabels:    map[string]string{"app.kubernetes.io/part-of": "forestall"},
				CommonName:      CommonName,
				CADuration:      caDuration,
				LeafDuration:    leafDuration,
				RESTConfig:      o.Config,
			},
		},
	}, nil
}

// Start keeps the CA and the certificate until ctx ends.
func (a *Authority) Start(ctx context.Context) error {
	// The library takes its logger from the context, where a manager puts none.
	if err := a.DynamicSource.Start(logr.NewContext(ctx, a.log)); err != nil {
		return fmt.Errorf("keeping the CA: %w", err)
	}
	return nil
}

// Ready returns why a client would not accept the certificate, or nil.
func (a *Authority) Ready() error {
	c, err := a.GetCertificate(nil)
	return ready(c, err, time.Now())
}
