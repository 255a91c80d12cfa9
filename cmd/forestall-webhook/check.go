package main

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/webhook"
)

// check returns everything that is wrong with the flags at once.
func (o *options) check() error {
	var failureMode error
	if o.failureMode != "" {
		_, failureMode = config.ParseFailureMode(o.failureMode)
	}
	_, level := parseLogLevel(o.logLevel)
	return errors.Join(
		named("webhook-bind-address", checkAddress(o.webhookAddress)),
		named("health-probe-bind-address", checkOptionalAddress(o.healthAddress)),
		named("metrics-bind-address", checkOptionalAddress(o.metricsAddress)),
		named("pprof-bind-address", checkOptionalAddress(o.pprofAddress)),
		o.checkCertificates(),
		named("failure-mode", failureMode),
		named("shutdown-delay", notNegative(o.shutdownDelay)),
		named("max-concurrent", notNegative(o.maxConcurrent)),
		named("max-body-memory", o.checkBodyMemory()),
		named("max-connections", atLeastOne(o.maxConnections)),
		o.checkClients(),
		named("log-level", level),
		named("log-format", checkLogFormat(o.logFormat)),
	)
}

func named(flag string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("--%s: %w", flag, err)
}

// checkBodyMemory holds that the largest body has room.
func (o *options) checkBodyMemory() error {
	if o.maxBodyMemory.Value() < webhook.MinMaxBodyMemory {
		return fmt.Errorf("%s is too little for the largest body: it must be at least 10Mi", o.maxBodyMemory.String())
	}
	return nil
}

// checkCertificates holds that there is one source of the certificate, and all of it.
func (o *options) checkCertificates() error {
	files := o.certFile != "" || o.keyFile != ""
	switch {
	case !files && o.caSecret == "" && len(o.dnsNames) == 0:
		return errors.New("the serving certificate comes from --tls-cert-file and --tls-key-file, or is signed by the CA in --ca-secret: give one of them")
	case files && o.caSecret != "":
		return errors.New("--tls-cert-file and --tls-key-file contradict --ca-secret: the certificate comes from files, or is signed by the CA in the Secret")
	case files && len(o.dnsNames) > 0:
		return errors.New("--dns-name contradicts --tls-cert-file: the names stand in the certificate already")
	case files && (o.certFile == "" || o.keyFile == ""):
		return errors.New("--tls-cert-file and --tls-key-file belong together: one is missing")
	case files:
		return nil
	case o.caSecret == "":
		return errors.New("--dns-name is for the certificate that the CA in --ca-secret signs: --ca-secret is missing")
	case len(o.dnsNames) == 0:
		return errors.New("--ca-secret needs --dns-name, such as forestall-webhook.forestall.svc: the API server checks the name that it calls")
	}
	_, err := parseSecret(o.caSecret)
	return errors.Join(named("ca-secret", err), named("dns-name", checkDNSNames(o.dnsNames)))
}

func parseSecret(s string) (types.NamespacedName, error) {
	namespace, name, _ := strings.Cut(s, "/")
	if len(validation.IsDNS1123Label(namespace)) > 0 || len(validation.IsDNS1123Subdomain(name)) > 0 {
		return types.NamespacedName{}, fmt.Errorf("%q is not namespace/name, such as forestall/forestall-webhook-ca", s)
	}
	return types.NamespacedName{Namespace: namespace, Name: name}, nil
}

func checkDNSNames(names []string) error {
	var errs []error
	for _, name := range names {
		// An IP address looks like a DNS name, and would never match as one.
		if len(validation.IsDNS1123Subdomain(name)) > 0 || net.ParseIP(name) != nil {
			errs = append(errs, fmt.Errorf("%q is not a DNS name", name))
		}
	}
	return errors.Join(errs...)
}

func checkAddress(address string) error {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return fmt.Errorf("%q is not an address such as :9443 or 127.0.0.1:9443", address)
	}
	return nil
}

func checkOptionalAddress(address string) error {
	if address == "0" {
		return nil
	}
	return checkAddress(address)
}

// checkClients holds that a name can be proved.
func (o *options) checkClients() error {
	if len(o.clientNames) > 0 && o.clientCA == "" {
		return errors.New("--client-name needs --client-ca-file: without a CA nobody can prove a name")
	}
	if slices.Contains(o.clientNames, "") {
		return errors.New("--client-name: a name is empty")
	}
	return nil
}

func atLeastOne(n int) error {
	if n < 1 {
		return fmt.Errorf("%d is too few: it must be at least 1", n)
	}
	return nil
}

func notNegative[T ~int | ~int64](n T) error {
	if n < 0 {
		return fmt.Errorf("%v is negative", n)
	}
	return nil
}
