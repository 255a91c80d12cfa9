package cluster

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/apijson"
	"github.com/forestall/forestall/internal/quantity"
	"github.com/forestall/forestall/internal/workload"
)

// OfCluster returns a Store for the audit of a running cluster, which lists each kind once. No kind is known before it
// is Known.
func OfCluster() *Store { return &Store{} }

// PutObject takes in a Service, a LimitRange or a Namespace that a running cluster has, as JSON. It passes over all other
// kinds, since those that make pods come as Views.
func (s *Store) PutObject(apiVersion, kind string, raw []byte) error {
	switch apiVersion + " " + kind {
	case "v1 Service":
		o, strange, err := decodeService(raw)
		if err != nil {
			return err
		}
		service := ServiceOf(o)
		service.MoreTargets = service.MoreTargets || strange
		s.Services.Put(service)
	case "v1 LimitRange":
		var o corev1.LimitRange
		if err := apijson.UnmarshalQuantities(raw, &o, func() error { return quantity.ErrHuge }); err != nil {
			return err
		}
		s.LimitRanges.Put(LimitRangeOf(&o))
	case "v1 Namespace":
		var o struct {
			metav1.ObjectMeta `json:"metadata"`
		}
		if err := apijson.Unmarshal(raw, &o); err != nil {
			return err
		}
		s.Namespaces.Put(NamespaceOf(&corev1.Namespace{ObjectMeta: o.ObjectMeta}))
	}
	return nil
}

// PutPods takes in a Pod, or an object of a running cluster that makes pods.
func (s *Store) PutPods(v *workload.View) { s.PodTemplates.Put(podTemplateOf(v)) }

// PutMaker notes that a namespace holds something that belongs to an object of a custom kind: its operator may make pods
// there, with any labels.
func (s *Store) PutMaker(namespace string, owner metav1.OwnerReference) {
	group, _, _ := strings.Cut(owner.APIVersion, "/")
	if !isCustom(group) || makesNoPods(group, owner.Kind) {
		return
	}
	s.makers.note(orDefault(namespace), owner.Kind, owner.Name, group)
}
