package live

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/kubeapi"
	"github.com/forestall/forestall/internal/similar"
	"github.com/forestall/forestall/internal/workload"
)

// maxOwners bounds how far the owners of an object are followed: Pod, ReplicaSet, Deployment, and an operator's object.
const maxOwners = 5

// Workload finds the object that stands in an audit for the one that is named: for a pod of a Deployment that Deployment.
func Workload(ctx context.Context, c *kubeapi.Client, kinds workload.Table, kind workload.Kind, namespace, name string) (finding.Object, error) {
	of, owner, err := get(ctx, c, kind, namespace, name)
	if err != nil {
		return of, err
	}
	for range maxOwners {
		if owner == nil {
			return of, nil
		}
		k, ok := named(kinds, owner)
		if !ok {
			return of, nil
		}
		up, next, err := get(ctx, c, k, namespace, owner.Name)
		if err != nil { // gone, or not to be read: then the object stands for itself
			return of, nil //nolint:nilerr // said above
		}
		of, owner = up, next
	}
	return of, nil
}

func named(kinds workload.Table, owner *metav1.OwnerReference) (workload.Kind, bool) {
	for _, k := range kinds.Kinds() {
		if k.Kind == owner.Kind && k.APIVersion() == owner.APIVersion {
			return k, true
		}
	}
	return workload.Kind{}, false
}

// get reads an object, and who owns it.
func get(ctx context.Context, c *kubeapi.Client, kind workload.Kind, namespace, name string) (finding.Object, *metav1.OwnerReference, error) {
	of := finding.Object{APIVersion: kind.APIVersion(), Kind: kind.Kind, Namespace: namespace, Name: name}
	raw, err := c.Get(ctx, objectsPath(kind, namespace)+"/"+url.PathEscape(name), nil)
	if apierrors.IsNotFound(err) {
		return of, nil, fmt.Errorf("namespace %q has no %s %q%s", namespace, kind.Kind, name, similar.Question(name, names(ctx, c, kind, namespace)))
	}
	if err != nil {
		return of, nil, fmt.Errorf("reading %s %q of namespace %q: %w", kind.Kind, name, namespace, err)
	}
	var o struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return of, nil, fmt.Errorf("reading %s %q: %w", kind.Kind, name, err)
	}
	return of, metav1.GetControllerOf(&o.Metadata), nil
}

// objectsPath is where the objects of a kind are served.
func objectsPath(kind workload.Kind, namespace string) string {
	return kubeapi.List{Resource: kind.GroupVersionResource(), Namespace: namespace}.Path()
}

// names lists what there is of a kind, to guess which was meant; nothing where that cannot be read.
func names(ctx context.Context, c *kubeapi.Client, kind workload.Kind, namespace string) []string {
	var all []string
	for page, err := range c.Pages(ctx, kubeapi.List{Resource: kind.GroupVersionResource(), Kind: kind.Kind, Namespace: namespace}) {
		if err != nil {
			return nil
		}
		for _, raw := range page.Items {
			all = append(all, audit.NameOf(raw))
		}
	}
	return all
}
