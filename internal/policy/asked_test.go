package policy_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/review"
)

const (
	plainPod = `
apiVersion: v1
kind: Pod
metadata: {name: shop}
spec:
  containers:
    - name: web
      image: registry.example.com/shop/web:1.4.2
      command: ["/app/server", "--port=8080"]
      ports: [{containerPort: 8080}]
      readinessProbe: {httpGet: {path: /ready, port: 8080}}
      livenessProbe: {httpGet: {path: /healthz, port: 8080}}
      resources: {requests: {cpu: 2, memory: 128Mi}, limits: {cpu: 4, memory: 256Mi}}
    - name: log
      image: registry.example.com/shop/log:1.4.2
      command: ["sh", "-c", "exec /app/log --follow /var/log/shop"]
      resources: {requests: {cpu: 10m, memory: 12Mi}, limits: {memory: 12Mi}}
`
	// As the vertical pod autoscaler writes it.
	exactBytes = `
apiVersion: v1
kind: Pod
metadata: {name: shop}
spec:
  containers:
    - {name: web, image: "web:1", resources: {requests: {cpu: 587m}, limits: {memory: 262144000500m}}}
    - {name: log, image: "log:1", resources: {limits: {memory: "11534336"}}}
`
	javaPod = `
apiVersion: v1
kind: Pod
metadata: {name: shop}
spec:
  containers:
    - {name: web, image: "web:1", command: [java, -Xmx512m, -jar, a.jar], resources: {limits: {memory: 1Gi}}}
`
	slowDeployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  template:
    spec:
      containers:
        - name: web
          image: web:1
          startupProbe: {tcpSocket: {port: 80}, periodSeconds: 10, failureThreshold: 60}
          livenessProbe: {tcpSocket: {port: 80}, periodSeconds: 1, failureThreshold: 2}
          ports: [{containerPort: 80}]
          resources: {limits: {memory: 1Gi}}
`
	slowPod = `
apiVersion: v1
kind: Pod
metadata: {name: shop}
spec:
  containers:
    - name: web
      image: web:1
      startupProbe: {tcpSocket: {port: 80}, periodSeconds: 10, failureThreshold: 60}
      ports: [{containerPort: 80}]
      resources: {limits: {memory: 1Gi}}
`
	hastyPod = `
apiVersion: v1
kind: Pod
metadata: {name: shop}
spec:
  containers:
    - name: web
      image: web:1
      livenessProbe: {tcpSocket: {port: 80}, periodSeconds: 4}
      ports: [{containerPort: 80}]
      resources: {limits: {memory: 1Gi}}
`
)

// Healthy objects are asked few rules, and those are named here: each costs every such pod.
func TestAskedOfHealthyObjects(t *testing.T) {
	engine, err := builtin.Engine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	params, err := policy.Params(engine.Rules(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := builtin.Reviewer(t.Context(), review.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	conditions := engine.Conditions(params)
	for _, tt := range []struct {
		name, object string
		want         []string
	}{
		{"a pod", plainPod, nil},
		{"limits in thousandths and in bytes", exactBytes, nil},
		{"half of the limit for the heap", javaPod, nil},
		{"twelve seconds of liveness", hastyPod, nil},
		{"a long start in a Deployment", slowDeployment, []string{"startup-exceeds-progress-deadline"}},
		{"a long start in a Pod", slowPod, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			raw, err := yaml.YAMLToJSON([]byte(tt.object))
			if err != nil {
				t.Fatal(err)
			}
			in, err := r.Input(review.Subject{Operation: review.Create, Object: raw})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, rule := range conditions.Asked(&facts.Facts{Workload: in.Workload, Pod: in.Pod.Pod, Containers: in.Containers}) {
				got = append(got, rule.ID)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
