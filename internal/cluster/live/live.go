// Package live is the context of a review in a running cluster: informers keep
// what concerns pods in memory, and a review reads from there, never from the API.
package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/rest"

	"github.com/forestall/forestall/internal/cluster"
)

// Source watches Services, LimitRanges and Namespaces. Until they have been read once it
// knows of nothing. It is safe for concurrent use.
type Source struct {
	factory     informers.SharedInformerFactory
	services    corelisters.ServiceLister
	limitRanges corelisters.LimitRangeLister
	namespaces  corelisters.NamespaceLister
	synced      atomic.Bool
}

// New returns a Source that watches when it is started. The credentials need list
// and watch on services, limitranges and namespaces.
func New(config *rest.Config) (*Source, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client for the cluster's context: %w", err)
	}
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithTransform(slim))
	return &Source{
		factory:     factory,
		services:    factory.Core().V1().Services().Lister(),
		limitRanges: factory.Core().V1().LimitRanges().Lister(),
		namespaces:  factory.Core().V1().Namespaces().Lister(),
	}, nil
}

// Start watches until ctx ends.
func (s *Source) Start(ctx context.Context) error {
	s.factory.StartWithContext(ctx)
	defer s.factory.Shutdown()
	if err := s.factory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return fmt.Errorf("reading the cluster's context: %w", err)
	}
	s.synced.Store(true)
	<-ctx.Done()
	return nil
}

// NeedLeaderElection says that every replica has its own Source.
func (*Source) NeedLeaderElection() bool { return false }

// Ready returns why the Source knows of nothing yet, or nil.
func (s *Source) Ready() error {
	if !s.synced.Load() {
		return errors.New("services, limitranges and namespaces have not been read yet")
	}
	return nil
}

// Context returns the Services and LimitRanges that concern a pod.
func (s *Source) Context(namespace string, podLabels map[string]string) cluster.Context {
	if !s.synced.Load() {
		return cluster.Context{}
	}
	var c cluster.Context
	for _, lr := range s.ranges(namespace) {
		c.AddLimitRange(lr.Name, lr.Spec)
	}
	for _, svc := range s.selecting(namespace, podLabels) {
		c.Services = append(c.Services, svc.Name)
		c.ServicePorts = append(c.ServicePorts, cluster.TargetsOf(svc.Name, svc.Spec.Ports)...)
	}
	return c
}

// Mode returns what the label of a namespace says.
func (s *Source) Mode(namespace string) string {
	if ns, err := s.namespaces.Get(namespace); err == nil {
		return ns.Labels[cluster.ModeLabel]
	}
	return ""
}

// selecting returns the Services that send to such pods, by name.
func (s *Source) selecting(namespace string, podLabels map[string]string) []*corev1.Service {
	services, err := s.services.Services(namespace).List(labels.Everything())
	if err != nil { // the lister reads memory: it has no other error than a bad index
		return nil
	}
	var all []*corev1.Service
	for _, svc := range services {
		if cluster.Selects(svc.Spec.Selector, podLabels) {
			all = append(all, svc)
		}
	}
	slices.SortFunc(all, func(a, b *corev1.Service) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// ranges returns the LimitRanges of a namespace, by name.
func (s *Source) ranges(namespace string) []*corev1.LimitRange {
	all, err := s.limitRanges.LimitRanges(namespace).List(labels.Everything())
	if err != nil {
		return nil
	}
	slices.SortFunc(all, func(a, b *corev1.LimitRange) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// slim drops what is never read: managed fields and annotations are most of many objects.
func slim(object any) (any, error) {
	if o, ok := object.(metav1.Object); ok {
		o.SetManagedFields(nil)
		o.SetAnnotations(nil)
	}
	return object, nil
}
