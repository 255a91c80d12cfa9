package lab

import (
	"fmt"
	"net"
	"path/filepath"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// identities are all who need a certificate.
func (l *Lab) identities() []identity {
	node := net.IP(l.addresses.node.AsSlice())
	return []identity{
		{
			file: "apiserver", name: "kube-apiserver",
			addresses: []net.IP{node, l.addresses.api.AsSlice(), net.IPv4(127, 0, 0, 1)},
			hosts:     []string{"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"},
		},
		{file: "service-accounts", name: "service-accounts"},
		{file: "apiserver-kubelet", name: "kube-apiserver", groups: []string{"system:masters"}},
		{file: "kubelet-serving", name: l.nodeName(), addresses: []net.IP{node}},
		{file: "admin", name: "admin", groups: []string{"system:masters"}},
		{file: "controller-manager", name: "system:kube-controller-manager"},
		{file: "scheduler", name: "system:kube-scheduler"},
		{file: "proxy", name: "system:kube-proxy"},
		{file: "kubelet", name: "system:node:" + l.nodeName(), groups: []string{"system:nodes"}},
	}
}

// makeCredentials makes the certificates and, for each, a kubeconfig.
func (l *Lab) makeCredentials() error {
	ca, err := newAuthority(filepath.Join(l.Dir, "pki"))
	if err != nil {
		return err
	}
	l.ca = ca
	for _, id := range l.identities() {
		cert, key, err := ca.sign(id)
		if err != nil {
			return err
		}
		config := clientcmdapi.NewConfig()
		config.Clusters["lab"] = &clientcmdapi.Cluster{Server: l.addresses.server(), CertificateAuthorityData: ca.pem}
		config.AuthInfos["lab"] = &clientcmdapi.AuthInfo{ClientCertificateData: cert, ClientKeyData: key}
		config.Contexts["lab"] = &clientcmdapi.Context{Cluster: "lab", AuthInfo: "lab"}
		config.CurrentContext = "lab"
		if err := clientcmd.WriteToFile(*config, l.kubeconfig(id.file)); err != nil {
			return fmt.Errorf("writing the kubeconfig of %s: %w", id.name, err)
		}
	}
	return nil
}

func (l *Lab) kubeconfig(file string) string { return filepath.Join(l.Dir, file+".kubeconfig") }
