// Package kubeapi reads from an API server: from the one that a kubeconfig names, or from that of the cluster that the
// process runs in. It sends GET requests and nothing else, so that it cannot change anything.
package kubeapi

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	api "k8s.io/client-go/tools/clientcmd/api"

	"github.com/forestall/forestall/internal/similar"
)

// Options say which API server is asked, and as whom.
type Options struct {
	// Kubeconfig is a file; empty for those that the variable KUBECONFIG lists, or ~/.kube/config, or the cluster that
	// the process runs in.
	Kubeconfig string
	// Context of the kubeconfig; empty for the current one.
	Context string
	// UserAgent names the program to the API server.
	UserAgent string
	// Timeout bounds one request; 0 for a minute.
	Timeout time.Duration
}

// Client reads from one API server. It is safe for concurrent use.
type Client struct {
	// Cluster and Context are those of the kubeconfig. Within a cluster Cluster is InCluster, and Context is empty.
	Cluster, Context string
	// Server is the address of the API server.
	Server string
	// Namespace is that of the context; empty for none.
	Namespace string

	http    *http.Client
	base    *url.URL
	timeout time.Duration
	// pause is the first wait before a request is sent again; 0 for half a second.
	pause time.Duration
}

// InCluster is the name of the cluster that the process runs in.
const InCluster = "in-cluster"

const defaultTimeout = time.Minute

var errNoKubeconfig = errors.New("there is no kubeconfig: --kubeconfig or the variable KUBECONFIG names one, and ~/.kube/config is taken otherwise")

// Connect reads the kubeconfig. It sends nothing.
func Connect(o Options) (*Client, error) {
	loader := loaderOf(o)
	raw, err := loader.RawConfig()
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	c := &Client{timeout: o.Timeout}
	if c.timeout == 0 {
		c.timeout = defaultTimeout
	}
	if err := c.choose(&raw, o); err != nil {
		return nil, err
	}
	config, err := c.config(loader)
	if err != nil {
		return nil, err
	}
	config.UserAgent = o.UserAgent
	config.WarningHandler = rest.NoWarnings{}
	if c.base, _, err = rest.DefaultServerUrlFor(config); err != nil {
		return nil, fmt.Errorf("the address of the API server: %w", err)
	}
	c.Server = c.base.String()
	if c.http, err = rest.HTTPClientFor(config); err != nil {
		return nil, fmt.Errorf("the credentials of context %q: %w", c.Context, err)
	}
	return c, nil
}

// loaderOf returns what kubectl takes its configuration from.
func loaderOf(o Options) clientcmd.ClientConfig {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = o.Kubeconfig
	rules.WarnIfAllMissing = false
	rules.Warner = func(error) {}
	return clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{CurrentContext: o.Context})
}

// choose finds the context, and what it is called.
func (c *Client) choose(raw *api.Config, o Options) error {
	if len(raw.Contexts) == 0 && len(raw.Clusters) == 0 && o.Context == "" {
		if o.Kubeconfig == "" && os.Getenv("KUBERNETES_SERVICE_HOST") != "" {
			c.Cluster = InCluster
			return nil
		}
		return errNoKubeconfig
	}
	c.Context = o.Context
	if c.Context == "" {
		c.Context = raw.CurrentContext
	}
	known := slices.Sorted(maps.Keys(raw.Contexts))
	chosen := raw.Contexts[c.Context]
	switch {
	case chosen != nil:
		c.Cluster, c.Namespace = chosen.Cluster, chosen.Namespace
		return nil
	case c.Context == "":
		return fmt.Errorf("the kubeconfig has no current context: --context names one%s", oneOf(known))
	}
	if question := similar.Question(c.Context, known); question != "" {
		return fmt.Errorf("the kubeconfig has no context %q%s", c.Context, question)
	}
	return fmt.Errorf("the kubeconfig has no context %q%s", c.Context, oneOf(known))
}

// oneOf lists a few names.
func oneOf(names []string) string {
	const most = 8
	if len(names) == 0 {
		return ""
	}
	text := ": it has "
	for i, name := range names[:min(len(names), most)] {
		if i > 0 {
			text += ", "
		}
		text += name
	}
	if len(names) > most {
		text += fmt.Sprintf(" and %d others", len(names)-most)
	}
	return text
}

func (c *Client) config(loader clientcmd.ClientConfig) (*rest.Config, error) {
	if c.Cluster == InCluster && c.Context == "" {
		config, err := rest.InClusterConfig()
		if err != nil {
			return nil, fmt.Errorf("the service account of this pod: %w", err)
		}
		return config, nil
	}
	config, err := loader.ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("the context %q of the kubeconfig: %w", c.Context, err)
	}
	return config, nil
}

// Contexts lists the contexts of the kubeconfig.
func Contexts(o Options) ([]string, error) {
	raw, err := loaderOf(o).RawConfig()
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	return slices.Sorted(maps.Keys(raw.Contexts)), nil
}
