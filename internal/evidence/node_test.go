package evidence_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/forestall/forestall/internal/evidence"
	"github.com/forestall/forestall/internal/finding"
)

// TestNodes adds up limits as the kubelet does, counts how often a node became NotReady, and puts the worst first.
func TestNodes(t *testing.T) {
	c := evidence.New(evidence.Options{Now: asked()})
	for _, by := range []string{"kubelet", "node-controller"} { // both tell of the same
		e := &corev1.Event{Reason: "NodeNotReady", Count: 2, Source: corev1.EventSource{Component: by}}
		e.InvolvedObject = corev1.ObjectReference{Kind: "Node", Name: "flaps"}
		c.Event(e)
	}
	oom := &corev1.Event{Reason: "SystemOOM", Count: 3}
	oom.InvolvedObject = corev1.ObjectReference{Kind: "Node", Name: "flaps"}
	c.Event(oom)
	for _, text := range []string{`
metadata: {name: fine}
status: {allocatable: {memory: 4Gi}, conditions: [{type: Ready, status: "True"}, {type: DiskPressure, status: "False"}]}
`, `
metadata: {name: full}
status: {allocatable: {memory: 1Gi}, conditions: [{type: Ready, status: "True"}]}
`, `
metadata: {name: flaps}
status: {allocatable: {memory: 1Gi}, conditions: [{type: Ready, status: "True"}, {type: MemoryPressure, status: "True"}]}
`, `
metadata: {name: lost}
status: {allocatable: {memory: 1Gi}, conditions: [{type: Ready, status: Unknown, lastTransitionTime: "2026-11-22T11:00:00Z"}]}
`} {
		c.Node(decode(t, text, new(corev1.Node)))
	}
	for _, text := range []string{`
spec: # the init container beside the sidecar takes more than what comes after it
  nodeName: full
  overhead: {memory: 1Mi}
  initContainers:
    - {name: proxy, restartPolicy: Always, resources: {limits: {memory: 100Mi}}}
    - {name: load, resources: {limits: {memory: 1Gi}}}
  containers: [{name: web, resources: {limits: {memory: 200Mi}}}]
`, `
spec: # the sidecar counts with the others
  nodeName: full
  initContainers: [{name: proxy, restartPolicy: Always, resources: {limits: {memory: 100Mi}}}]
  containers: [{name: web, resources: {limits: {memory: 200Mi}}}, {name: helper}]
`, `
spec: # the limit of the pod holds for all
  nodeName: fine
  resources: {limits: {memory: 300Mi}}
  containers: [{name: web}, {name: helper}]
`, `
spec: {nodeName: fine, containers: [{name: web, resources: {limits: {memory: 3Gi}}}]}
status: {phase: Succeeded}
`, `
spec: {containers: [{name: web, resources: {limits: {memory: 3Gi}}}]}
status: {phase: Pending}
`, `
spec: {nodeName: gone, containers: [{name: web, resources: {limits: {memory: 3Gi}}}]}
`} {
		c.Pod(decode(t, text, new(corev1.Pod)), shop("web"))
	}
	want := []evidence.Node{
		{Name: "lost", Memory: 1 << 30, ReadySince: asked().Add(-3600e9)},
		{Name: "flaps", Ready: true, Flaps: 2, SystemOOMs: 3, Pressure: []string{"MemoryPressure"}, Memory: 1 << 30},
		{Name: "full", Ready: true, Pods: 2, Unlimited: 1, Memory: 1 << 30, Limits: 1425 << 20},
		{Name: "fine", Ready: true, Pods: 1, Memory: 4 << 30, Limits: 300 << 20},
	}
	if diff := cmp.Diff(want, c.Nodes()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestOnNode says of a pod that is not ready that its node is at fault.
func TestOnNode(t *testing.T) {
	c := evidence.New(evidence.Options{Now: asked()})
	c.Node(decode(t, `
metadata: {name: lost}
status: {conditions: [{type: Ready, status: Unknown}]}
`, new(corev1.Node)))
	c.Pod(decode(t, `{spec: {nodeName: lost}, status: {phase: Running, conditions: [{type: Ready, status: "False"}]}}`, new(corev1.Pod)), shop("web"))
	symptoms := c.Symptoms(shop("web"))
	got := none().Match(shop("web"), nil, symptoms)
	want := []finding.Trouble{{
		Object: shop("web"), Pods: 1, Reason: "NodeNotReady", Evidence: symptoms,
		Known: "The kubelet of the node does not report, or reports that it is not ready: the pods there may be dead. See kubectl describe node, Conditions and Events.",
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestServices tells a Service that lacks endpoints from one that has them, and why it is trouble or none.
func TestServices(t *testing.T) {
	c := evidence.New(evidence.Options{Now: asked()})
	for _, text := range []string{`
metadata: {name: served-1, namespace: shop, labels: {kubernetes.io/service-name: served}}
endpoints: [{addresses: [10.0.0.1], conditions: {ready: true}}]
ports: [{port: 80}]
`, `
metadata: {name: portless-1, namespace: shop, labels: {kubernetes.io/service-name: portless}}
endpoints: [{addresses: [10.0.0.1]}]
`, `
metadata: {name: unready-1, namespace: shop, labels: {kubernetes.io/service-name: unready}}
endpoints: [{addresses: [10.0.0.2], conditions: {ready: false}}]
ports: [{port: 80}]
`} {
		c.EndpointSlice(decode(t, text, new(discoveryv1.EndpointSlice)))
	}
	for _, text := range []string{
		`{metadata: {name: served, namespace: shop}, spec: {selector: {app: web}, ports: [{port: 80}]}}`,
		`{metadata: {name: portless, namespace: shop}, spec: {selector: {app: web}, ports: [{port: 80}]}}`,
		`{metadata: {name: unready, namespace: shop}, spec: {selector: {app: slow}, ports: [{port: 80}]}}`,
		`{metadata: {name: nobody, namespace: shop}, spec: {selector: {app: nobody}, ports: [{port: 80}]}}`,
		`{metadata: {name: by-hand, namespace: shop}, spec: {ports: [{port: 80}]}}`,
		`{metadata: {name: elsewhere, namespace: shop}, spec: {type: ExternalName, selector: {app: x}}}`,
	} {
		c.Service(decode(t, text, new(corev1.Service)))
	}
	c.Pod(decode(t, `{metadata: {namespace: shop, labels: {app: web}}, status: {conditions: [{type: Ready, status: "True"}]}}`, new(corev1.Pod)), shop("web"))
	c.Pod(decode(t, `{metadata: {namespace: shop, labels: {app: slow}}, status: {conditions: [{type: Ready, status: "False"}]}}`, new(corev1.Pod)), shop("slow"))
	symptom := func(reason, message string, pods int, over bool) []finding.Symptom {
		return []finding.Symptom{{Kind: finding.Endpoints, Reason: reason, Message: message, Pods: pods, Over: over}}
	}
	for name, want := range map[string][]finding.Symptom{
		"served":    nil,
		"portless":  symptom("noPorts", "ready endpoints, and none of them has a port; of 1 pod that it selects 1 are Ready", 1, false),
		"unready":   symptom("none", "no ready endpoint; of 1 pod that it selects 0 are Ready", 1, true),
		"nobody":    symptom("none", "no ready endpoint; of 0 pods that it selects 0 are Ready", 0, true),
		"by-hand":   nil,
		"elsewhere": nil,
	} {
		got := c.Symptoms(finding.Object{APIVersion: "v1", Kind: "Service", Namespace: "shop", Name: name})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
