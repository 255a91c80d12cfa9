package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// evasion tries to get an object past the webhook that would fail.
type evasion struct {
	name string
	// tried says what is sent.
	tried string
	// try returns nil where everything was denied.
	try func(context.Context, *stage) error
}

func evasions() []evasion {
	return []evasion{
		{"mirror pods", "the annotation `kubernetes.io/config.mirror` on a Deployment, StatefulSet, CronJob and Pod that fail; the same by an update", mirrored},
		{"owner references", "a Pod of a ReplicaSet that does not exist, a Deployment of a CronJob", owned},
		{"image triggers", "the annotation `image.openshift.io/triggers` without a trigger, and with one of another container", triggered},
		{"the cache of findings", "a Pod that works, then one that fails and differs in what looks like the name of a token volume", poisoned},
		{"updates of Pods", "a Pod that works; then an image that nothing can read, and a resize below what its program takes", updated},
		{"slow objects", "a Pod that fails among 3,000 ports, 40 init containers with many small scripts, or 2,000 probes", hidden},
	}
}

// templates are the kinds of workload around a pod spec.
func templates() map[string]string {
	return map[string]string{
		"Deployment":  `{apiVersion: apps/v1, kind: Deployment, metadata: {name: NAME, annotations: {ANNOTATIONS}}, spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: SPEC}}}`,
		"StatefulSet": `{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: NAME, annotations: {ANNOTATIONS}}, spec: {serviceName: a, selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: SPEC}}}`,
		"CronJob":     `{apiVersion: batch/v1, kind: CronJob, metadata: {name: NAME, annotations: {ANNOTATIONS}}, spec: {schedule: "0 0 * * *", jobTemplate: {spec: {template: {spec: SPEC}}}}}`,
		"Pod":         `{apiVersion: v1, kind: Pod, metadata: {name: NAME, annotations: {ANNOTATIONS}}, spec: SPEC}`,
	}
}

func workload(kind, name, annotations, spec string) string {
	return strings.NewReplacer("NAME", name, "ANNOTATIONS", annotations, "SPEC", spec).Replace(templates()[kind])
}

const (
	mirror     = `kubernetes.io/config.mirror: a`
	works      = `{restartPolicy: RESTART, containers: [{name: web, image: "web:1", resources: {limits: {memory: 64Mi}}}]}`
	fails      = `{restartPolicy: RESTART, containers: [` + failing + `]}`
	badImage   = `{name: web, image: "Web:1", resources: {limits: {memory: 64Mi}}}`
	replacedBy = `image.openshift.io/triggers: '[{"from":{"kind":"ImageStreamTag","name":"other:1"},"fieldPath":"spec.template.spec.containers[?(@.name==\"other\")].image"}]'`
)

// specOf is a pod spec with the restart policy that the kind allows.
func specOf(kind, spec string) string {
	policy := "Always"
	if kind == "CronJob" {
		policy = "Never"
	}
	return strings.ReplaceAll(spec, "RESTART", policy)
}

func mirrored(ctx context.Context, s *stage) error {
	var errs []error
	for _, kind := range []string{"Deployment", "StatefulSet", "CronJob", "Pod"} {
		spec := specOf(kind, fails)
		if kind == "Pod" { // the API server wants a mirror pod to have a node
			spec = strings.Replace(spec, "{", "{nodeName: a, ", 1)
		}
		_, err := s.tenant.create(ctx, workload(kind, "mirror", mirror, spec))
		errs = append(errs, mustDeny("a "+kind+" that says it is a mirror pod", err))
		if kind == "Pod" {
			continue // the API server lets nobody add the annotation to a Pod
		}
		o, err := s.tenant.create(ctx, workload(kind, "mirror-later", "", specOf(kind, works)))
		if err != nil {
			errs = append(errs, fmt.Errorf("a %s that works: %w", kind, err))
			continue
		}
		now, err := s.tenant.object(workload(kind, "mirror-later", mirror, specOf(kind, fails)))
		if err != nil {
			return err
		}
		now.SetResourceVersion(o.GetResourceVersion())
		errs = append(errs, mustDeny("an update of a "+kind+" that says it is a mirror pod", s.tenant.Update(ctx, now)))
	}
	return errors.Join(errs...)
}

func owned(ctx context.Context, s *stage) error {
	const reference = `ownerReferences: [{apiVersion: VERSION, kind: KIND, name: forged, uid: 11111111-2222-3333-4444-555555555555, controller: true}]`
	var errs []error
	for _, tt := range []struct{ kind, version, owner string }{
		{"Pod", "apps/v1", "ReplicaSet"}, {"Deployment", "batch/v1", "CronJob"},
	} {
		forged := strings.NewReplacer("VERSION", tt.version, "KIND", tt.owner).Replace(reference)
		text := strings.Replace(workload(tt.kind, "owned", "", specOf(tt.kind, fails)), "annotations: {}", forged, 1)
		_, err := s.tenant.create(ctx, text)
		errs = append(errs, mustDeny("a "+tt.kind+" of a "+tt.owner, err))
	}
	return errors.Join(errs...)
}

func triggered(ctx context.Context, s *stage) error {
	var errs []error
	for name, annotation := range map[string]string{"empty": `image.openshift.io/triggers: "[]"`, "other": replacedBy} {
		_, err := s.tenant.create(ctx, workload("Deployment", "triggers-"+name, annotation, `{containers: [`+badImage+`]}`))
		errs = append(errs, mustDeny("a Deployment with an image that nothing can read, triggers: "+name, err))
	}
	return errors.Join(errs...)
}

// poisoned: a Pod with an image of which nothing is wrong is followed by one that differs in the
// random end of the name of its token volume, and in the same way in its image, which then nothing can read.
func poisoned(ctx context.Context, s *stage) error {
	const text = `{apiVersion: v1, kind: Pod, metadata: {name: NAME}, spec: {volumes: [{name: kube-api-access-VOLUME, emptyDir: {}}], containers: [
		{name: web, image: "kube-api-access-IMAGE", resources: {limits: {memory: 64Mi}}, volumeMounts: [{name: kube-api-access-VOLUME, mountPath: /a}]}]}}`
	fill := func(name, volume, image string) string {
		return strings.NewReplacer("NAME", name, "VOLUME", volume, "IMAGE", image).Replace(text)
	}
	if _, err := s.tenant.create(ctx, fill("before", "aaaaa", "aaaaa")); err != nil {
		return fmt.Errorf("a Pod that works: %w", err)
	}
	_, err := s.tenant.create(ctx, fill("after", "bbbbb", ""))
	return mustDeny("a Pod with an image that nothing can read", err)
}

func updated(ctx context.Context, s *stage) error {
	o, err := s.tenant.create(ctx, pod("updated", `{name: web, image: "openjdk:17", command: [java, -Xms400m, -XX:+AlwaysPreTouch, -jar, a.jar],
		resources: {requests: {memory: 512Mi}, limits: {memory: 512Mi}}}`))
	if err != nil {
		return fmt.Errorf("a Pod that works: %w", err)
	}
	strategic := func(patch string) client.Patch {
		return client.RawPatch("application/strategic-merge-patch+json", []byte(patch))
	}
	image := s.tenant.Patch(ctx, o.DeepCopy(), strategic(`{"spec":{"containers":[{"name":"web","image":"https://registry.example.com/Web"}]}}`))
	resize := s.tenant.SubResource("resize").Patch(ctx, o.DeepCopy(),
		strategic(`{"spec":{"containers":[{"name":"web","resources":{"requests":{"memory":"8Mi"},"limits":{"memory":"8Mi"}}}]}}`))
	return errors.Join(mustDeny("the image", image), mustDeny("the resize", resize))
}

// hidden: what fails stands at the end of an object that takes long to judge.
func hidden(ctx context.Context, s *stage) error {
	var errs []error
	for name, text := range map[string]string{
		"ports": pod("slow-ports", `{name: a, image: "web:1", resources: {limits: {memory: 64Mi}}, readinessProbe: {httpGet: {port: x}}, ports: [`+
			repeated(3000, `{containerPort: %d}`)+`]}, `+failing),
		"scripts": `{apiVersion: v1, kind: Pod, metadata: {name: slow-scripts}, spec: {initContainers: [` +
			repeated(40, `{name: i%d, image: "web:1", resources: {limits: {memory: 64Mi}}, command: [sh, -c, "`+strings.Repeat(`if [ -f /etc/x ]; then cp /etc/x /run/x; fi; `, 600)+`"]}`) +
			`], containers: [` + failing + `]}}`,
		"probes": pod("slow-probes", repeated(1999, `{name: c%d, image: "web:1", livenessProbe: {tcpSocket: {port: 80}, periodSeconds: 1}}`)+`, `+failing),
	} {
		_, err := s.tenant.create(ctx, text)
		errs = append(errs, mustDeny("a Pod that fails among many "+name, err))
	}
	return errors.Join(errs...)
}

// repeated is a list of n items, each with its number in the place of %d.
func repeated(n int, item string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = strings.ReplaceAll(item, "%d", fmt.Sprint(i+1))
	}
	return strings.Join(all, ",")
}
