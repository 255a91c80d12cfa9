package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/test/apiserver"
	"github.com/forestall/forestall/webhook"
)

// user may do all that a developer does, in one namespace.
type user struct {
	client.Client
	namespace string
}

func newUser(ctx context.Context, cluster *apiserver.Cluster, name, namespace string) (user, error) {
	all := []string{"*"}
	for _, o := range []client.Object{
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}},
		&rbacv1.Role{
			ObjectMeta: metav1.ObjectMeta{Name: "developer", Namespace: namespace},
			Rules:      []rbacv1.PolicyRule{{APIGroups: []string{"", "apps", "batch"}, Resources: all, Verbs: all}},
		},
		&rbacv1.RoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: "developer", Namespace: namespace},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "developer"},
			Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: name}},
		},
	} {
		if err := cluster.Client.Create(ctx, o); err != nil {
			return user{}, fmt.Errorf("making the user %s: %w", name, err)
		}
	}
	config := rest.CopyConfig(cluster.Config)
	config.Impersonate = rest.ImpersonationConfig{UserName: name}
	config.WarningHandler = rest.NoWarnings{}
	c, err := client.New(config, client.Options{})
	if err != nil {
		return user{}, fmt.Errorf("making a client for %s: %w", name, err)
	}
	return user{c, namespace}, nil
}

// object reads an object from YAML and puts it into the user's namespace.
func (u user) object(text string) (*unstructured.Unstructured, error) {
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &o.Object); err != nil {
		return nil, fmt.Errorf("reading %.200s: %w", text, err)
	}
	o.SetNamespace(u.namespace)
	return o, nil
}

// create creates an object.
func (u user) create(ctx context.Context, text string) (*unstructured.Unstructured, error) {
	o, err := u.object(text)
	if err != nil {
		return nil, err
	}
	return o, u.Create(ctx, o)
}

// untilDenied waits until the webhook has seen the user's namespace: before that nothing is
// denied in it.
func (u user) untilDenied(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		o, err := u.create(ctx, pod("first", failing))
		if isDenied(err) {
			return nil
		}
		if err == nil {
			err = u.Delete(ctx, o, client.GracePeriodSeconds(0))
		}
		if ctx.Err() != nil || err != nil {
			return errors.Join(fmt.Errorf("nothing is denied in %s", u.namespace), err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// isDenied reports whether forestall has refused the object because of what it found. An answer
// by the failure mode says something else.
func isDenied(err error) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status) && apierrors.IsForbidden(err) &&
		strings.Contains(status.Status().Message, webhook.ValidatingWebhookName) && strings.Contains(status.Status().Message, "problem")
}

// mustDeny returns an error unless the API server refused what failed.
func mustDeny(what string, err error) error {
	if isDenied(err) {
		return nil
	}
	return fmt.Errorf("%s was not denied: the API server says: %v", what, err) //nolint:errorlint // it may be nil
}

// failing is a container that cannot start: its command is one word.
const failing = `{name: web, image: "web:1", command: ["sleep 1000"], resources: {limits: {memory: 64Mi}}}`

// pod is a Pod of some containers, as YAML.
func pod(name, containers string) string {
	return fmt.Sprintf("{apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: {containers: [%s]}}", name, containers)
}
