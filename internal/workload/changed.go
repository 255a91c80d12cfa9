package workload

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// TriggersAnnotation is the annotation by which a controller of OpenShift writes images
// into workloads (https://docs.openshift.com, triggering updates on image stream changes).
const TriggersAnnotation = "image.openshift.io/triggers"

// readAnnotations are the annotations of a workload that facts read. Those of a pod template
// are read as a whole: any of them may name a port.
func readAnnotations() []string { return []string{TriggersAnnotation} }

// readByFacts holds every part of a View that facts are made of, except names and the number of
// replicas: a rule fires because of something in here. Texts tell the number of replicas, but
// scaling brings no fault, unless nothing ran before.
type readByFacts struct {
	annotations               map[string]string
	podLabels, podAnnotations map[string]string
	podSpec                   *corev1.PodSpec
	controller                Controller
	bare, idle                bool
}

func (v *View) readByFacts() readByFacts {
	c := readByFacts{
		podLabels: v.PodMeta.Labels, podAnnotations: v.PodMeta.Annotations,
		podSpec: &v.PodSpec, controller: v.Controller,
		annotations: map[string]string{}, bare: v.Bare(), idle: v.Idle() != "",
	}
	c.controller.Replicas = nil
	for _, key := range readAnnotations() {
		if value, ok := v.Meta.Annotations[key]; ok {
			c.annotations[key] = value
		}
	}
	return c
}

// Changed reports whether anything that facts are made of is different from the old View. An
// update of anything else (status, labels, finalizers, replicas) brings no finding and takes none
// away.
func (v *View) Changed(old *View) bool {
	was, is := old.readByFacts(), v.readByFacts()
	return was.bare != is.bare || was.idle && !is.idle ||
		!maps.Equal(was.annotations, is.annotations) ||
		!maps.Equal(was.podLabels, is.podLabels) ||
		!maps.Equal(was.podAnnotations, is.podAnnotations) ||
		!equality.Semantic.DeepEqual(was.controller, is.controller) ||
		!equality.Semantic.DeepEqual(was.podSpec, is.podSpec)
}
