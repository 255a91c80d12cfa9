package workload

import (
	corev1 "k8s.io/api/core/v1"
)

// defaultContainer applies the defaults of one container, whatever its list
// (SetDefaults_Container and the generated walk).
func defaultContainer(c *corev1.Container) {
	setDefault(&c.ImagePullPolicy, pullPolicy(c.Image))
	setDefault(&c.TerminationMessagePath, corev1.TerminationMessagePathDefault)
	setDefault(&c.TerminationMessagePolicy, corev1.TerminationMessageReadFile)
	for i := range c.Ports {
		setDefault(&c.Ports[i].Protocol, corev1.ProtocolTCP)
	}
	for i := range c.Env {
		defaultEnvSource(c.Env[i].ValueFrom)
	}
	roundUp(c.Resources.Limits)
	roundUp(c.Resources.Requests)
	defaultProbe(c.LivenessProbe)
	defaultProbe(c.ReadinessProbe)
	defaultProbe(c.StartupProbe)
	if c.Lifecycle != nil {
		defaultHandler(c.Lifecycle.PostStart)
		defaultHandler(c.Lifecycle.PreStop)
	}
}

// pullPolicy is Always for what may change under the same name, the tag "latest".
func pullPolicy(image string) corev1.PullPolicy {
	if isLatest(image) {
		return corev1.PullAlways
	}
	return corev1.PullIfNotPresent
}

func defaultEnvSource(source *corev1.EnvVarSource) {
	if source == nil {
		return
	}
	defaultFieldRef(source.FieldRef)
	if source.FileKeyRef != nil {
		pointDefault(&source.FileKeyRef.Optional, false)
	}
}

// defaultFieldRef is SetDefaults_ObjectFieldSelector.
func defaultFieldRef(ref *corev1.ObjectFieldSelector) {
	if ref != nil {
		setDefault(&ref.APIVersion, "v1")
	}
}

// defaultProbe is SetDefaults_Probe. The initial delay needs no default.
func defaultProbe(probe *corev1.Probe) {
	if probe == nil {
		return
	}
	setDefault(&probe.TimeoutSeconds, 1)
	setDefault(&probe.PeriodSeconds, 10)
	setDefault(&probe.SuccessThreshold, 1)
	setDefault(&probe.FailureThreshold, 3)
	defaultHTTPGet(probe.HTTPGet)
	if probe.GRPC != nil {
		pointDefault(&probe.GRPC.Service, "")
	}
}

func defaultHandler(handler *corev1.LifecycleHandler) {
	if handler != nil {
		defaultHTTPGet(handler.HTTPGet)
	}
}

// defaultHTTPGet is SetDefaults_HTTPGetAction.
func defaultHTTPGet(get *corev1.HTTPGetAction) {
	if get == nil {
		return
	}
	setDefault(&get.Path, "/")
	setDefault(&get.Scheme, corev1.URISchemeHTTP)
}
