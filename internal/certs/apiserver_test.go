package certs

import (
	"crypto/x509"
	"errors"
	"testing"

	"github.com/go-logr/logr/funcr"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/forestall/forestall/test/apiserver"
	"github.com/forestall/forestall/test/apiserver/apiservertest"
)

// TestAuthoritiesOfAnAPIServer: several Authorities that start at once agree on a CA, with a
// role for that one Secret. Whoever asked for another one would be refused, and never be ready.
func TestAuthoritiesOfAnAPIServer(t *testing.T) {
	c := apiservertest.Start(t)
	own := rbacv1.PolicyRule{
		APIGroups: []string{""}, Resources: []string{"secrets"}, ResourceNames: []string{"forestall-webhook-ca"},
		Verbs: []string{"get", "list", "watch", "update"},
	}
	create := rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"secrets"}, Verbs: []string{"create"}}
	for _, test := range []struct {
		name  string
		rules []rbacv1.PolicyRule
		given bool // an empty Secret
	}{
		{"may-create", []rbacv1.PolicyRule{own, create}, false},
		{"given", []rbacv1.PolicyRule{own}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := allowed(t, c, test.name, test.rules)
			ca := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: test.name, Name: "forestall-webhook-ca"}}
			if test.given {
				do(t, c.Client.Create(t.Context(), ca))
			}
			agree(t, c, config, ca, !test.given)
		})
	}
}

func agree(t *testing.T, c *apiserver.Cluster, config *rest.Config, ca *corev1.Secret, mayCreate bool) {
	t.Helper()
	replicas := make([]*Authority, 5)
	for i := range replicas {
		replicas[i] = newAuthorityIn(t, config, ca.Namespace)
		replicas[i].log = funcr.New(func(_, args string) { t.Logf("replica %d: %s", i, args) }, funcr.Options{})
		t.Cleanup(start(t, replicas[i]))
	}
	agreed := func() bool {
		now := &corev1.Secret{}
		err := c.Client.Get(t.Context(), client.ObjectKeyFromObject(ca), now)
		if apierrors.IsNotFound(err) {
			return false
		}
		do(t, err)
		*ca = *now
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(now.Data["ca.crt"])
		for _, a := range replicas {
			served, err := a.GetCertificate(nil)
			if errors.Is(err, errNone) {
				return false
			}
			if _, err := served.Leaf.Verify(x509.VerifyOptions{Roots: pool, DNSName: dnsName}); err != nil || a.Ready() != nil {
				return false
			}
		}
		return true
	}
	eventually(t, agreed)
	ca.Data = map[string][]byte{"tls.key": []byte("rubbish")}
	do(t, c.Client.Update(t.Context(), ca))
	eventually(t, agreed)
	before := string(ca.Data["tls.crt"])
	ca.Data = caData(t, replicas[0].clock.Now(), func(*x509.Certificate) {})
	do(t, c.Client.Update(t.Context(), ca))
	eventually(t, agreed)
	if string(ca.Data["tls.crt"]) == before {
		t.Error("a CA that was put there is not taken")
	}
	if mayCreate {
		do(t, c.Client.Delete(t.Context(), ca))
		eventually(t, agreed)
	}
}

// allowed makes a namespace and a user with these rules in it, and returns how to be that user.
func allowed(t *testing.T, c *apiserver.Cluster, name string, rules []rbacv1.PolicyRule) *rest.Config {
	t.Helper()
	at := metav1.ObjectMeta{Namespace: name, Name: name}
	for _, o := range []client.Object{
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}},
		&rbacv1.Role{ObjectMeta: at, Rules: rules},
		&rbacv1.RoleBinding{
			ObjectMeta: at, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: name},
			Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: name}},
		},
	} {
		do(t, c.Client.Create(t.Context(), o))
	}
	config := rest.CopyConfig(c.Config)
	config.Impersonate = rest.ImpersonationConfig{UserName: name}
	return config
}

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
