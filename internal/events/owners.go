package events

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/cache"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"github.com/forestall/forestall/internal/review"
)

const (
	// answerTime is how long the API server may take to confirm an owner.
	answerTime = 5 * time.Second
	// maxConfirmed and stays are how many owners are known to exist, and for how long: one that makes
	// many Pods is asked for once.
	maxConfirmed = 1024
	stays        = 5 * time.Minute
	// maxUID bounds the uid of an owner, in bytes. That of the API has 36.
	maxUID = 128
)

// Owners returns the resources of the controllers of Kubernetes, by kind. The credentials need the verb
// get on them.
func Owners() map[schema.GroupVersionKind]schema.GroupVersionResource {
	all := map[schema.GroupVersionKind]schema.GroupVersionResource{}
	for _, o := range []struct{ group, kind, resource string }{
		{"apps", "Deployment", "deployments"},
		{"apps", "ReplicaSet", "replicasets"},
		{"apps", "StatefulSet", "statefulsets"},
		{"apps", "DaemonSet", "daemonsets"},
		{"batch", "CronJob", "cronjobs"},
		{"batch", "Job", "jobs"},
		{"", "ReplicationController", "replicationcontrollers"},
	} {
		gv := schema.GroupVersion{Group: o.group, Version: "v1"}
		all[gv.WithKind(o.kind)] = gv.WithResource(o.resource)
	}
	return all
}

// possible reports whether there may be such an owner: what a request says may be anything.
func possible(o review.Owner) bool {
	const maxName, maxNamespace = validation.DNS1123SubdomainMaxLength, validation.DNS1123LabelMaxLength
	if len(o.Name) > maxName || len(o.Namespace) > maxNamespace || o.UID == "" || len(o.UID) > maxUID {
		return false
	}
	_, known := Owners()[schema.FromAPIVersionAndKind(o.APIVersion, o.Kind)]
	return known && len(validation.IsDNS1123Subdomain(o.Name)) == 0 && len(validation.IsDNS1123Label(o.Namespace)) == 0
}

// owners ask the API server whether an owner exists. They read nothing but its metadata.
type owners struct {
	client    metadata.Interface
	resources map[schema.GroupVersionKind]schema.GroupVersionResource
	// known holds those that exist.
	known *cache.LRUExpireCache
}

func newOwners(config *rest.Config) (owners, error) {
	client, err := metadata.NewForConfig(config)
	if err != nil {
		return owners{}, fmt.Errorf("making a client for owners: %w", err)
	}
	return owners{client: client, resources: Owners(), known: cache.NewLRUExpireCache(maxConfirmed)}, nil
}

// confirm reports whether there is such an owner, with the uid that it is said to have.
func (o owners) confirm(ctx context.Context, owner review.Owner) (bool, error) {
	if _, ok := o.known.Get(owner); ok {
		return true, nil
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	resource := o.resources[schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind)]
	found, err := o.client.Resource(resource).Namespace(owner.Namespace).Get(ctx, owner.Name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("reading the %s that owns an object: %w", owner.Kind, err)
	case string(found.UID) != owner.UID:
		return false, nil
	}
	o.known.Add(owner, true, stays)
	return true, nil
}
