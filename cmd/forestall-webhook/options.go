package main

import (
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/forestall/forestall/webhook"
)

// options are the flags. check must pass before they are used.
type options struct {
	webhookAddress string
	healthAddress  string
	metricsAddress string
	pprofAddress   string

	kubeconfig string
	config     string

	certFile string
	keyFile  string
	caSecret string
	dnsNames []string
	clientCA string

	clientNames []string

	ownerEvents   bool
	failureMode   string
	shutdownDelay time.Duration
	maxConcurrent int
	maxBodyMemory resource.QuantityValue

	maxConnections int

	logLevel  string
	logFormat string
}

// bind defines the flags.
func (o *options) bind(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&o.webhookAddress, "webhook-bind-address", webhook.DefaultBindAddress,
		"`address` for admission requests, over TLS: /validate and /mutate")
	f.StringVar(&o.healthAddress, "health-probe-bind-address", webhook.DefaultHealthProbeBindAddress,
		"`address` for /healthz and /readyz; 0 for none")
	f.StringVar(&o.metricsAddress, "metrics-bind-address", webhook.DefaultMetricsBindAddress,
		"`address` for /metrics; 0 for none")
	f.StringVar(&o.pprofAddress, "pprof-bind-address", "0",
		"`address` for /debug/pprof; 0 for none")
	f.StringVar(&o.kubeconfig, "kubeconfig", "",
		"kubeconfig `file` for --ca-secret and for what else exists in the cluster; without one, the service account of the pod is used")
	f.StringVar(&o.config, "config", "",
		"configuration `file` with levels and parameters of rules (kind: Configuration)")
	f.StringVar(&o.certFile, "tls-cert-file", "",
		"serving certificate, a PEM `file` that is read again when it changes; with --tls-key-file")
	f.StringVar(&o.keyFile, "tls-key-file", "",
		"private key of --tls-cert-file, a PEM `file`")
	f.StringVar(&o.caSecret, "ca-secret", "",
		"keep an own CA in this Secret (`namespace/name`) instead of reading files; with --dns-name")
	f.StringSliceVar(&o.dnsNames, "dns-name", nil,
		"DNS `name` that the API server calls the webhook by; repeat for several")
	f.StringVar(&o.clientCA, "client-ca-file", "",
		"answer only clients with a certificate of the CAs in this PEM `file`, for API servers that are configured to show one; it is read again when it changes")
	f.StringSliceVar(&o.clientNames, "client-name", nil,
		"answer only clients whose certificate has this common name or DNS `name`; repeat for several; without it, every client with a certificate of --client-ca-file")
	f.BoolVar(&o.ownerEvents, "owner-events", true,
		"write an Event on the owner of what a controller creates with a problem; needs create and patch on events, and get on the owners")
	f.StringVar(&o.failureMode, "failure-mode", "",
		"what happens to an object that cannot be reviewed, a `mode`: ignore admits it with a warning, fail refuses it; instead of failureMode in the configuration, or ignore")
	f.DurationVar(&o.shutdownDelay, "shutdown-delay", 5*time.Second,
		"`time` to go on serving after SIGTERM, until nothing is sent here any more")
	f.IntVar(&o.maxConcurrent, "max-concurrent", 0,
		"largest `number` of reviews at once, at most half of them of /mutate; 0 for four for each processor")
	o.maxBodyMemory.Quantity = *resource.NewQuantity(webhook.DefaultMaxBodyMemory, resource.BinarySI)
	f.Var(&o.maxBodyMemory, "max-body-memory",
		"largest `amount` of memory for the bodies of all requests at once; what does not fit is refused with HTTP 503")
	f.IntVar(&o.maxConnections, "max-connections", webhook.DefaultMaxConnections,
		"largest `number` of connections for admission requests at once; at the bound, the source with the most loses one for each new one")
	f.StringVar(&o.logLevel, "log-level", "info", "lowest `level` that is logged: debug, info, warn or error")
	f.StringVar(&o.logFormat, "log-format", "text", "`format` of the log: text or json")
}
