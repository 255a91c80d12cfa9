package cluster_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/cluster/clustertest"
	"github.com/forestall/forestall/internal/facts/fact"
)

const notAll = "there may be others beside those in the files"

// TestContext holds the document that rules see.
func TestContext(t *testing.T) {
	s := clustertest.OfFiles(t, false,
		"{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}, {port: 443}]}}",
		"{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}, {port: 443}]}}",
		"{apiVersion: v1, kind: Service, metadata: {name: all, namespace: default}, spec: {selector: {team: shop}, ports: 1}}",
		"{apiVersion: v1, kind: Service, metadata: {name: narrow}, spec: {selector: {app: web, tier: x}}}",
		"{apiVersion: v1, kind: Service, metadata: {name: elsewhere, namespace: other}, spec: {selector: {app: web}}}",
		"{apiVersion: v1, kind: Service, metadata: {name: outside}, spec: {externalName: example.com}}",
		"{apiVersion: example.com/v1, kind: Service, metadata: {name: robot}, spec: {selector: 1}}",
		"{apiVersion: v1, kind: LimitRange, metadata: {name: pods, namespace: other}, spec: {limits: [{type: Pod, max: {memory: 9Gi}}]}}",
		"{apiVersion: v1, kind: LimitRange, metadata: {name: most, namespace: other}, spec: {limits: [{type: Container, max: {memory: 2Gi}}]}}",
		"{apiVersion: v1, kind: LimitRange, metadata: {name: given}, spec: {limits: [{type: Container, max: {memory: 2Gi}, default: {memory: 512Mi}, min: {memory: 64Mi}, maxLimitRequestRatio: {memory: 1500m}}]}}",
		"{apiVersion: v1, kind: LimitRange, metadata: {name: cpu, namespace: third}, spec: {limits: [{type: Container, default: {cpu: 1}}, {type: PersistentVolumeClaim, max: {memory: 1}}]}}",
	)
	labels := map[string]string{"app": "web", "team": "shop"}
	targets := []cluster.ServicePort{{Service: "web", TargetPort: "443"}, {Service: "web", TargetPort: "http"}}
	given := []cluster.MemoryRange{{LimitRange: "given", Type: "Container", MinBytes: 64 << 20, MaxBytes: 2 << 30, MaxLimitRequestRatio: 1.5}}
	for _, tt := range []struct {
		namespace string
		want      cluster.Context
	}{
		{"", cluster.Context{Services: []string{"all", "web"}, ServicePorts: targets, MoreServicePorts: true, DefaultMemoryLimit: &cluster.LimitRangeDefault{LimitRange: "given", Text: "512Mi"}, MemoryRanges: given}},
		{"default", cluster.Context{Services: []string{"all", "web"}, ServicePorts: targets, MoreServicePorts: true, DefaultMemoryLimit: &cluster.LimitRangeDefault{LimitRange: "given", Text: "512Mi"}, MemoryRanges: given}},
		{"other", cluster.Context{Services: []string{"elsewhere"}, DefaultMemoryLimit: &cluster.LimitRangeDefault{LimitRange: "most", Text: "2Gi"}, MemoryRanges: []cluster.MemoryRange{
			{LimitRange: "most", Type: "Container", MaxBytes: 2 << 30},
			{LimitRange: "pods", Type: "Pod", MaxBytes: 9 << 30},
		}}},
		{"third", cluster.Context{}},
	} {
		if diff := cmp.Diff(tt.want, cluster.World{Store: s, Namespace: tt.namespace}.Context(nil, labels, cluster.AllParts())); diff != "" {
			t.Errorf("namespace %q (-want +got):\n%s", tt.namespace, diff)
		}
	}
	if diff := cmp.Diff(cluster.Context{}, cluster.World{}.Context(nil, labels, cluster.AllParts())); diff != "" {
		t.Errorf("without a Store:\n%s", diff)
	}
}

// TestWhatFilesSay asks by reference and by selector.
func TestWhatFilesSay(t *testing.T) {
	const service = "{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}}}"
	const namespace = "{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {forestall.dev/mode: warn}}}"
	const again = "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}"
	web := &cluster.Service{Namespace: "default", Name: "web", Selector: map[string]string{"app": "web"}}
	app := map[string]string{"app": "web"}
	services := func(s *cluster.Store) any { return s.ServicesOf(nil, "", app) }
	for _, tt := range []struct {
		name  string
		store *cluster.Store
		ask   func(*cluster.Store) any
		want  any
	}{
		{"a Service", clustertest.OfFiles(t, false, service), services, cluster.List[*cluster.Service]{Objects: []*cluster.Service{web}, Unknown: notAll}},
		{"all Services", clustertest.OfFiles(t, true, service), services, cluster.List[*cluster.Service]{Objects: []*cluster.Service{web}}},
		{"no Service, of some", clustertest.OfFiles(t, false), services, cluster.List[*cluster.Service]{Unknown: notAll}},
		{"no Service at all", clustertest.OfFiles(t, true), services, cluster.List[*cluster.Service]{}},
		{"Services before they were read", &cluster.Store{}, services, cluster.List[*cluster.Service]{Unknown: "they have not been read yet"}},
		{"Services without a cluster", cluster.NoCluster(), services, cluster.List[*cluster.Service]{Unknown: "there is no cluster to ask"}},
		{"no LimitRange", clustertest.OfFiles(t, false), ranges, cluster.List[*cluster.LimitRange]{}},
		{"LimitRanges before they were read", &cluster.Store{}, ranges, cluster.List[*cluster.LimitRange]{Unknown: "they have not been read yet"}},
		{"LimitRanges without a cluster", cluster.NoCluster(), ranges, cluster.List[*cluster.LimitRange]{Unknown: "there is no cluster to ask"}},
		{"a namespace", clustertest.OfFiles(t, false, namespace, again), shop, cluster.Answer[*cluster.Namespace]{State: fact.Present, Object: &cluster.Namespace{Name: "shop", Mode: "warn"}}},
		{"a namespace, the other way round", clustertest.OfFiles(t, false, again, namespace), shop, cluster.Answer[*cluster.Namespace]{State: fact.Present, Object: &cluster.Namespace{Name: "shop", Mode: "warn"}}},
		{"a namespace that is not in the files", clustertest.OfFiles(t, false), shop, cluster.Answer[*cluster.Namespace]{State: fact.Absent}},
		{"a namespace before they were read", &cluster.Store{}, shop, cluster.Answer[*cluster.Namespace]{State: fact.Unknown, Reason: "they have not been read yet"}},
		{"a namespace without a cluster", cluster.NoCluster(), shop, cluster.Answer[*cluster.Namespace]{State: fact.Absent}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.ask(tt.store)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func ranges(s *cluster.Store) any { return s.LimitRanges.In("default") }

func shop(s *cluster.Store) any { return s.Namespace("shop") }

// TestPodTemplates holds what is kept of each place where a template may stand.
func TestPodTemplates(t *testing.T) {
	const template = `{metadata: {labels: {app: web, tier: x}}, spec: {hostNetwork: true, initContainers: [
		{name: first, image: x, ports: [{containerPort: 1}]}, {name: proxy, image: x, restartPolicy: Always, ports: [{containerPort: 2}]}],
		containers: [{name: web, image: x, ports: [{name: http, containerPort: 8080, protocol: TCP}]}]}}`
	s := clustertest.OfFiles(t, true,
		"{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {replicas: 3, selector: {}, template: "+template+"}}",
		"{apiVersion: batch/v1, kind: Job, metadata: {generateName: web-, namespace: shop}, spec: {template: "+template+"}}",
		"{apiVersion: batch/v1, kind: CronJob, metadata: {name: web, namespace: shop}, spec: {jobTemplate: {spec: {template: "+template+"}}}}",
		"{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop, labels: {app: web, tier: other}}, spec: {containers: [{name: web, image: x}]}}",
		"{apiVersion: v1, kind: PodTemplate, metadata: {name: web, namespace: shop}, template: "+template+"}",
		"{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: shop}}",
		"{apiVersion: apps/v1, kind: Deployment, metadata: {name: elsewhere, namespace: other}, spec: {selector: {}, template: "+template+"}}",
	)
	of := func(kind, name string) *cluster.PodTemplate {
		return &cluster.PodTemplate{
			Kind: kind, Namespace: "shop", Name: name, Labels: map[string]string{"app": "web", "tier": "x"}, HostNetwork: true,
			Containers: []cluster.TemplateContainer{
				{Name: "proxy", Ports: []cluster.ContainerPort{{Number: 2, Protocol: "TCP"}}},
				{Name: "web", Ports: []cluster.ContainerPort{{Name: "http", Number: 8080, Protocol: "TCP"}}},
			},
		}
	}
	pod := &cluster.PodTemplate{
		Kind: "Pod", Namespace: "shop", Name: "web", Labels: map[string]string{"app": "web", "tier": "other"},
		Containers: []cluster.TemplateContainer{{Name: "web"}},
	}
	wide, narrow := map[string]string{"app": "web"}, map[string]string{"app": "web", "tier": "x"}
	for _, tt := range []struct {
		name     string
		selector map[string]string
		want     []*cluster.PodTemplate
	}{
		{"all", wide, []*cluster.PodTemplate{of("CronJob", "web"), of("Deployment", "web"), of("Job", "web-*"), pod}},
		{"some", narrow, []*cluster.PodTemplate{of("CronJob", "web"), of("Deployment", "web"), of("Job", "web-*")}},
		{"none", map[string]string{"app": "db"}, nil},
		{"no selector", nil, nil},
	} {
		if diff := cmp.Diff(cluster.List[*cluster.PodTemplate]{Objects: tt.want}, s.PodsOf(nil, "shop", tt.selector)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestNamespacesThatAreNotWritten: kubectl -n says where such an object goes, so that it may be beside
// one whose namespace is written.
func TestNamespacesThatAreNotWritten(t *testing.T) {
	const pod = "{apiVersion: v1, kind: Pod, metadata: {name: web, labels: {app: web}%s}, spec: {containers: [{name: web, image: x}]}}"
	const robot = "{apiVersion: example.com/v1, kind: Robot, metadata: {name: r%s}}"
	for _, tt := range []struct {
		object, written, namespace string
		want                       string
	}{
		{pod, "", "shop", `Pod "web" has no namespace: it may be meant for this one`},
		{pod, ", namespace: shop", "", `this object has no namespace, and Pod "web" has`},
		{robot, "", "shop", `Robot "r" has no namespace: it may be meant for this one`},
		{robot, ", namespace: shop", "", `this object has no namespace, and Robot "r" has`},
		{pod, "", "", ""},
		{pod, ", namespace: shop", "shop", ""},
		{pod, ", namespace: other", "shop", ""},
	} {
		s := clustertest.OfFiles(t, true, fmt.Sprintf(tt.object, tt.written))
		if got := s.PodsOf(nil, tt.namespace, map[string]string{"app": "other"}).Unknown; got != tt.want {
			t.Errorf("namespace %q, beside "+tt.object+": %q, want %q", tt.namespace, tt.written, got, tt.want)
		}
	}
}

// TestLimitRangesElsewhere: a LimitRange may be meant for a namespace that it does not name, or give
// a limit to an object that names none. What was asked in vain is told.
func TestLimitRangesElsewhere(t *testing.T) {
	const limits = "{apiVersion: v1, kind: LimitRange, metadata: {name: l%s}, spec: {limits: [{type: Container, %s: {memory: 2Gi}}]}}"
	given := &cluster.LimitRangeDefault{LimitRange: "l", Text: "2Gi"}
	for _, tt := range []struct {
		written, says, namespace string
		given                    *cluster.LimitRangeDefault
		want                     string
	}{
		{", namespace: shop", "default", "", nil, `this object has no namespace, and LimitRange "l" has`},
		{", namespace: shop", "max", "", nil, `this object has no namespace, and LimitRange "l" has`},
		{", namespace: shop", "min", "", nil, ""},
		{", namespace: shop", "default", "shop", given, ""},
		{", namespace: shop", "default", "other", nil, ""},
		{", namespace: default", "default", "", given, ""},
		{"", "default", "shop", nil, `LimitRange "l" has no namespace: it may be meant for this one`},
		{"", "min", "shop", nil, ""},
		{"", "default", "", given, ""},
	} {
		s := clustertest.OfFiles(t, false, fmt.Sprintf(limits, tt.written, tt.says))
		got, unknown := cluster.World{Store: s, Namespace: tt.namespace}.DefaultMemoryLimit()
		if diff := cmp.Diff(tt.given, got); diff != "" || unknown != tt.want {
			t.Errorf("%+v: unknown %q (-want +got):\n%s", tt, unknown, diff)
		}
		if got := s.Unsettled(); got != (cluster.Unsettled{MemoryLimits: tt.want != ""}) {
			t.Errorf("%+v: %+v", tt, got)
		}
	}
}

// TestWhatCannotBeRead is no proof that there is nothing else.
func TestWhatCannotBeRead(t *testing.T) {
	const unread = "one of those in the files cannot be read"
	for _, tt := range []struct {
		apiVersion, kind, raw string
		silent                bool // the review tells it
		unknown               func(*cluster.Store) string
	}{
		{"v1", "Service", `{"spec":{"selector":"app"}}`, true, func(s *cluster.Store) string { return s.ServicesOf(nil, "", nil).Unknown }},
		{"v1", "LimitRange", `{"spec":{"limits":{}}}`, false, func(s *cluster.Store) string { return s.LimitRanges.In("default").Unknown }},
		{"v1", "LimitRange", `{"spec":{"limits":[{"type":"Container","default":{"memory":"1e-99999999"}}]}}`, false, func(s *cluster.Store) string { return s.LimitRanges.In("default").Unknown }},
		{"v1", "Namespace", `{"metadata":{"labels":1}}`, false, func(s *cluster.Store) string { return s.Namespace("shop").Reason }},
		{"v1", "Pod", `{"spec":{"containers":1}}`, true, func(s *cluster.Store) string { return s.PodsOf(nil, "", nil).Unknown }},
	} {
		s := cluster.OfFiles(true)
		if got := tt.unknown(s); got != "" {
			t.Errorf("%s: at first: %s", tt.kind, got)
		}
		if err := s.Add(tt.apiVersion, tt.kind, []byte(tt.raw)); (err == nil) != tt.silent {
			t.Errorf("a broken %s was taken in: %s, %v", tt.kind, tt.raw, err)
		}
		if got := tt.unknown(s); got != unread {
			t.Errorf("%s: after %s: %q", tt.kind, tt.raw, got)
		}
	}
}

// TestManyPorts: a Service that sends to more ports than anybody has is known to have more.
func TestManyPorts(t *testing.T) {
	for n, more := range map[int]bool{64: false, 65: true, 2000: true} {
		var ports strings.Builder
		for i := range n {
			fmt.Fprintf(&ports, "{port: %d}, {port: 1, targetPort: %d},", i+1, i+1)
		}
		s := clustertest.OfFiles(t, true, fmt.Sprintf("{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {ports: [%s]}}", ports.String()))
		got := s.Services.Get("default", "web").Object
		if len(got.Targets) != 64 || got.MoreTargets != more {
			t.Errorf("of %d targets %d are kept; more: %t", n, len(got.Targets), got.MoreTargets)
		}
	}
}
