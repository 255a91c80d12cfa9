package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// faults are mistakes that people make, each of which another rule is about.
func faults() []func(*corev1.PodSpec) {
	memory := func(c *corev1.Container, limit string) {
		c.Resources.Limits = corev1.ResourceList{corev1.ResourceMemory: resource.MustParse(limit)}
		c.Resources.Requests = nil
	}
	return []func(*corev1.PodSpec){
		func(p *corev1.PodSpec) {
			p.Containers[0].Command = []string{"sh", "-c", "echo migrating && sleep 2 && echo done"}
		},
		func(p *corev1.PodSpec) { p.Containers[2].Resources = corev1.ResourceRequirements{} },
		func(p *corev1.PodSpec) {
			p.Containers[1].ReadinessProbe.HTTPGet.Port = intstr.FromString("htpp")
		},
		func(p *corev1.PodSpec) {
			p.Containers[0].Command = []string{"java", "-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch", "-jar", "shop.jar"}
		},
		func(p *corev1.PodSpec) { memory(&p.Containers[1], "128m") },
		func(p *corev1.PodSpec) { p.Containers[2].Command = []string{"/app/server --listen=:8080"} },
		func(p *corev1.PodSpec) { p.Containers[0].Image = "registry.example.com/Shop/app:1.4.2" },
		func(p *corev1.PodSpec) { p.Containers[1].Image = "registry.example.com/shop/app:latest" },
	}
}

// spoil makes the i-th of three pods as it is, and mistakes in the two others.
func spoil(p *corev1.PodSpec, i int) {
	if i%3 > 0 {
		all := faults()
		all[i%len(all)](p)
	}
}
