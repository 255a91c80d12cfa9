package e2e_test

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/certs/certtest"
	"github.com/forestall/forestall/test/apiserver"
)

// TestClientCertificate: an API server that is told to shows its certificate, and is answered
// while nobody else is (docs/operating.md, "Who may ask").
func TestClientCertificate(t *testing.T) {
	if testing.Short() {
		t.Skip("starts an API server")
	}
	dir := t.TempDir()
	cert, key := certtest.New(t, "the-api-server", time.Now().Add(time.Hour)).Write(t, dir)
	cluster, err := apiserver.Start(t.Context(), apiserver.Options{Flags: map[string]string{"admission-control-config-file": showing(t, dir, cert, key)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Stop(); err != nil {
			t.Error(err)
		}
	})
	hook, err := cluster.StartWebhook(t.Context(), apiserver.WebhookOptions{
		Args: []string{"--client-ca-file=" + cert, "--client-name=the-api-server"},
	})
	if err != nil {
		t.Fatal(err)
	}
	err = cluster.Client.Create(t.Context(), &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "fails", Namespace: "default"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "registry.example.com/web:1", Command: []string{"sleep 1000"}}}},
	})
	if err == nil || !strings.Contains(err.Error(), denied) {
		t.Errorf("a Pod that fails: %v, want that it is denied", err)
	}

	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(hook.CABundle)
	other := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	response, err := other.Post(hook.URL+"/validate", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	const want = "forestall: a client certificate of the configured CA is required\n"
	if err != nil || response.StatusCode != http.StatusUnauthorized || string(body) != want {
		t.Errorf("somebody else gets %d %s, %v", response.StatusCode, body, err)
	}
}

// showing writes the configuration of an API server that shows a certificate to every webhook.
func showing(t *testing.T, dir, cert, key string) string {
	t.Helper()
	kubeconfig, admission := filepath.Join(dir, "webhooks.kubeconfig"), filepath.Join(dir, "admission.yaml")
	plugins := ""
	for _, plugin := range []string{"ValidatingAdmissionWebhook", "MutatingAdmissionWebhook"} {
		plugins += fmt.Sprintf("  - name: %s\n    configuration: {apiVersion: apiserver.config.k8s.io/v1, kind: WebhookAdmissionConfiguration, kubeConfigFile: %s}\n", plugin, kubeconfig)
	}
	for file, text := range map[string]string{
		kubeconfig: fmt.Sprintf("apiVersion: v1\nkind: Config\nusers:\n  - name: \"*\"\n    user: {client-certificate: %s, client-key: %s}\n", cert, key),
		admission:  "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n" + plugins,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return admission
}
