package audit

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

const template = `
metadata:
  labels: {app: web}
spec:
  serviceAccountName: web
  tolerations: [{key: gpu, operator: Exists}]
  initContainers:
  - {name: prepare, image: "prepare:1"}
  containers:
  - name: web
    image: web:1
    resources: {limits: {memory: 64Mi}}
    volumeMounts: [{name: data, mountPath: /data}]
  volumes:
  - {name: conf, configMap: {name: web}}
`

// inPod is the template as the API server and controllers make a pod of it.
const inPod = `
metadata:
  name: web-0
  annotations:
    kubernetes.io/limit-ranger: "LimitRanger plugin set: cpu request for container web; cpu limit for container web; memory, cpu limit for init container prepare"
  labels: {app: web, pod-template-hash: abc}
spec:
  nodeName: node-1
  hostname: web-0
  subdomain: web
  serviceAccountName: web
  serviceAccount: web
  priority: 0
  enableServiceLinks: true
  preemptionPolicy: PreemptLowerPriority
  tolerations:
  - {key: gpu, operator: Exists}
  - {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
  initContainers:
  - name: prepare
    image: prepare:1
    resources: {limits: {memory: 1Gi, cpu: "1"}}
    volumeMounts: [{name: kube-api-access-x2z4b, mountPath: /var/run/secrets/kubernetes.io/serviceaccount, readOnly: true}]
  containers:
  - name: web
    image: web:1
    env: [{name: JOB_COMPLETION_INDEX, valueFrom: {fieldRef: {fieldPath: "metadata.annotations['batch.kubernetes.io/job-completion-index']"}}}]
    resources: {limits: {memory: 64Mi, cpu: 500m}, requests: {memory: 64Mi, cpu: 100m}}
    volumeMounts:
    - {name: data, mountPath: /data}
    - {name: kube-api-access-x2z4b, mountPath: /var/run/secrets/kubernetes.io/serviceaccount, readOnly: true}
  volumes:
  - {name: conf, configMap: {name: web}}
  - {name: data, persistentVolumeClaim: {claimName: data-web-0}}
  - {name: kube-api-access-x2z4b, projected: {sources: [{serviceAccountToken: {path: token}}]}}
`

// TestLikeness: what Kubernetes puts into a pod makes no difference to its template, and all else does.
func TestLikeness(t *testing.T) {
	var of corev1.PodTemplateSpec
	if err := yaml.UnmarshalStrict([]byte(template), &of); err != nil {
		t.Fatal(err)
	}
	want := likenessOf(&of.Spec, of.Annotations, "")
	for _, tt := range []struct {
		name   string
		change func(*corev1.Pod)
		same   bool
	}{
		{"nothing", func(*corev1.Pod) {}, true},
		{"another node", func(p *corev1.Pod) { p.Spec.NodeName = "node-2" }, true},
		{"a container for looking into it", func(p *corev1.Pod) { p.Spec.EphemeralContainers = make([]corev1.EphemeralContainer, 1) }, true},
		{"another image", func(p *corev1.Pod) { p.Spec.Containers[0].Image = "web:2" }, false},
		{"an injected container", func(p *corev1.Pod) {
			p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: "mesh", Image: "mesh:1"})
		}, false},
		{"an injected init container", func(p *corev1.Pod) {
			p.Spec.InitContainers = append(p.Spec.InitContainers, corev1.Container{Name: "mesh", Image: "mesh:1"})
		}, false},
		{"an injected variable", func(p *corev1.Pod) { p.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "A", Value: "b"}} }, false},
		{"resources that nobody has set", func(p *corev1.Pod) { p.Annotations = nil }, false},
		{"a claim of another pod", func(p *corev1.Pod) { p.Spec.Volumes[1].PersistentVolumeClaim.ClaimName = "data-web-1" }, false},
		{"another probe", func(p *corev1.Pod) { p.Spec.Containers[0].LivenessProbe = &corev1.Probe{PeriodSeconds: 1} }, false},
		{"the network of the node", func(p *corev1.Pod) { p.Spec.HostNetwork = true }, false},
		{"no links", func(p *corev1.Pod) { no := false; p.Spec.EnableServiceLinks = &no }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var pod corev1.Pod
			if err := yaml.UnmarshalStrict([]byte(inPod), &pod); err != nil {
				t.Fatal(err)
			}
			tt.change(&pod)
			if same := likenessOf(&pod.Spec, pod.Annotations, pod.Name) == want; same != tt.same {
				t.Errorf("it is taken to be the same: %t, want %t", same, tt.same)
			}
		})
	}
}
