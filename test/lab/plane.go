package lab

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"k8s.io/client-go/rest"
)

// etcd only listens inside the lab.
const etcdURL = "http://127.0.0.1:2379"

// answerTimeout bounds one question to a daemon.
const answerTimeout = 5 * time.Second

// plane is the control plane; the API server is ready before the rest starts.
func (l *Lab) etcd() daemon {
	return l.kube("etcd",
		"--data-dir="+filepath.Join(l.Dir, "etcd"), "--unsafe-no-fsync",
		"--listen-client-urls="+etcdURL, "--advertise-client-urls="+etcdURL,
		"--listen-peer-urls=http://127.0.0.1:2380", "--initial-advertise-peer-urls=http://127.0.0.1:2380",
		"--initial-cluster=default=http://127.0.0.1:2380")
}

func (l *Lab) apiServer() daemon {
	return l.kube("kube-apiserver",
		"--etcd-servers="+etcdURL,
		"--bind-address="+l.addresses.node.String(), "--advertise-address="+l.addresses.node.String(),
		"--service-cluster-ip-range="+l.addresses.services.String(),
		"--tls-cert-file="+l.ca.certFile("apiserver"), "--tls-private-key-file="+l.ca.keyFile("apiserver"),
		"--client-ca-file="+l.ca.certFile("ca"),
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-signing-key-file="+l.ca.keyFile("service-accounts"),
		"--service-account-key-file="+l.ca.certFile("service-accounts"),
		"--kubelet-client-certificate="+l.ca.certFile("apiserver-kubelet"),
		"--kubelet-client-key="+l.ca.keyFile("apiserver-kubelet"),
		"--kubelet-preferred-address-types=InternalIP",
		"--authorization-mode=Node,RBAC", "--enable-admission-plugins=NodeRestriction", "--allow-privileged",
		"--event-ttl=2h", "--profiling=false")
}

func (l *Lab) controllers() []daemon {
	return []daemon{
		l.kube("kube-controller-manager",
			"--kubeconfig="+l.kubeconfig("controller-manager"), "--leader-elect=false", "--bind-address=127.0.0.1",
			"--service-account-private-key-file="+l.ca.keyFile("service-accounts"),
			"--root-ca-file="+l.ca.certFile("ca"), "--use-service-account-credentials", "--profiling=false"),
		l.kube("kube-scheduler",
			"--kubeconfig="+l.kubeconfig("scheduler"), "--leader-elect=false", "--bind-address=127.0.0.1", "--profiling=false"),
	}
}

func (l *Lab) kube(name string, args ...string) daemon {
	return daemon{name: name, program: filepath.Join(l.options.Binaries.Kubernetes, name), args: args}
}

// serving waits until the API server is ready to serve everything.
func (l *Lab) serving(ctx context.Context) error {
	return l.wait(ctx, "waiting for the API server", l.answers)
}

// answers tells whether the API server is ready.
func (l *Lab) answers(ctx context.Context) error {
	transport, err := rest.TransportFor(l.Config)
	if err != nil {
		return fmt.Errorf("making a client of the API server: %w", err)
	}
	asker := &http.Client{Transport: transport, Timeout: answerTimeout}
	return answersOK(ctx, asker, l.addresses.server()+"/readyz")
}

// answersOK asks a URL once.
func answersOK(ctx context.Context, asker *http.Client, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	resp, err := asker.Do(req)
	if err != nil {
		return err
	}
	_ = resp.Body.Close() // nothing was read from it
	if resp.StatusCode != http.StatusOK {
		return errors.New(resp.Status)
	}
	return nil
}
