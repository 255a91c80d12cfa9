package facts_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/command"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/policies"
)

// TestExpected holds what speaks for it that somebody listens on a port: here 9000, which the helper's probe asks.
func TestExpected(t *testing.T) {
	raw, err := policies.FS.ReadFile("data/programs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	programs, err := command.ParsePrograms(raw)
	if err != nil {
		t.Fatal(err)
	}
	const server = "{name: web, image: 'web:1', ports: [{containerPort: 8080}]"
	const idle = "{name: idle, image: 'busybox:1', command: [sleep, infinity]"
	const asks = ", livenessProbe: {tcpSocket: {port: 9000}}}"
	const loop = ", command: [sh, -c, 'while true; do wget -qO- localhost:9000; sleep 5; done']}"
	for _, tt := range []struct {
		name, annotations, other string
		services                 []string
		want                     fact.Observation
	}{
		{name: "nothing", other: server + "}", want: fact.AbsentAt("")},
		{name: "its own probe", other: server + asks, want: fact.PresentAt("spec.containers[0].livenessProbe.tcpSocket.port")},
		{name: "the probe of another that does not listen", other: idle + asks, want: fact.AbsentAt("")},
		{name: "a Service", other: server + "}", services: []string{service("a", "{port: 80, targetPort: 9000}")}, want: fact.PresentAt("")},
		{name: "a Service, and nobody listens", other: idle + "}", services: []string{service("a", "{port: 9000}")}, want: fact.AbsentAt("")},
		{name: "a command", other: server + "}, {name: loop, image: 'busybox:1'" + loop, want: fact.PresentAt("spec.containers[1].command")},
		{
			name: "what is injected", annotations: "config.linkerd.io/admin-port: '9000'", other: idle + "}",
			want: fact.PresentAt("metadata.annotations[config.linkerd.io/admin-port]"),
		},
		{name: "what describes the pod", annotations: "prometheus.io/port: '9000', app: '9000'", other: idle + "}", want: fact.AbsentAt("")},
		{name: "what the proxy is told of it", annotations: "x.istio.io/includeInboundPorts: '9000'", other: idle + "}", want: fact.AbsentAt("")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := view(t, fmt.Sprintf("{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {app: shop}, annotations: {%s}}, spec: {containers: [%s, %s]}}",
				tt.annotations, tt.other, "{name: helper, image: 'busybox:1', command: [sleep, infinity]"+asks))
			f := facts.Of(new(budget.Budget), v, world(t, true, tt.services...), facts.Knowledge{Programs: programs})
			got := f.Containers[len(f.Containers)-1].ProbedPorts[0].Expected
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestConfigured holds which files may tell a container where to listen.
func TestConfigured(t *testing.T) {
	for _, tt := range []struct{ name, container, volume, want string }{
		{"nothing", "", "", ""},
		{"a ConfigMap", "volumeMounts: [{name: v, mountPath: /etc/app}]", "configMap: {name: c}", "spec.containers[0].volumeMounts[0]"},
		{"its data", "volumeMounts: [{name: v, mountPath: /data}]", "persistentVolumeClaim: {claimName: c}", ""},
		{"an empty folder", "volumeMounts: [{name: v, mountPath: /tmp}]", "emptyDir: {}", ""},
		{
			"the token of the pod", "volumeMounts: [{name: v, mountPath: /var/run/x}]",
			"projected: {sources: [{serviceAccountToken: {path: token}}, {configMap: {name: kube-root-ca.crt}}]}", "",
		},
		{"a token in a Secret", "volumeMounts: [{name: v, mountPath: /var/run/secrets/kubernetes.io/serviceaccount}]", "secret: {secretName: t}", ""},
		{"a flag", "args: [-conf, /etc/coredns/Corefile]", "", "spec.containers[0].args[0]"},
		{"a file by its name", "args: [server, /app/app.yaml]", "", "spec.containers[0].args[1]"},
		{"a variable", "env: [{name: SETTINGS, value: /app/app.toml}]", "", "spec.containers[0].env[0]"},
		{"other flags", "args: [--port=8080, --verbose]", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := view(t, fmt.Sprintf("{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [%s], volumes: [{name: v, %s}]}}",
				"{name: web, image: 'web:1', readinessProbe: {tcpSocket: {port: 8080}}, "+tt.container+"}", tt.volume))
			want := fact.PresentAt(tt.want)
			if tt.want == "" {
				want = fact.AbsentAt("spec.containers[0]")
			}
			if diff := cmp.Diff(want, factsOf(v, alone(), facts.Knowledge{}).Containers[0].Ports.Configured); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
