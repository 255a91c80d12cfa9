package cluster_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/forestall/forestall/internal/cluster"
)

// hostile returns objects that are as large as the API takes them: 1.5 MiB in etcd.
func hostile(i int) (*corev1.Service, *corev1.LimitRange, *corev1.Namespace) {
	meta := metav1.ObjectMeta{
		Namespace: strings.Repeat("n", 63), Name: fmt.Sprintf("%s%05d", strings.Repeat("s", 58), i),
		Labels: map[string]string{cluster.ModeLabel: strings.Repeat("m", 63)}, Annotations: map[string]string{"a": strings.Repeat("a", 1<<10)},
	}
	service := &corev1.Service{ObjectMeta: meta, Spec: corev1.ServiceSpec{Selector: map[string]string{}}}
	for p := range 2000 {
		service.Spec.Ports = append(service.Spec.Ports, corev1.ServicePort{
			Name: fmt.Sprintf("%s%05d", strings.Repeat("p", 58), p), TargetPort: intstr.FromString(fmt.Sprintf("%s%05d", strings.Repeat("t", 10), p)),
		})
		service.Spec.Selector[fmt.Sprint(p)] = ""
	}
	limits := &corev1.LimitRange{ObjectMeta: meta}
	limits.Name += strings.Repeat("l", 190)
	for p := range 200 {
		limits.Spec.Limits = append(limits.Spec.Limits, corev1.LimitRangeItem{
			Type: corev1.LimitTypeContainer, Max: corev1.ResourceList{corev1.ResourceMemory: *resource.NewQuantity(int64(p+1)<<20, resource.BinarySI)},
		})
	}
	return service, limits, &corev1.Namespace{ObjectMeta: meta}
}

// TestHostileEntries: whoever may create objects decides how large they are, and what is kept of
// each is bounded all the same.
func TestHostileEntries(t *testing.T) {
	const n, most = 500, 8 << 10 // bytes of one
	for name, put := range map[string]func(*cluster.Store, int){
		"Services":    func(s *cluster.Store, i int) { o, _, _ := hostile(i); s.Services.Put(cluster.ServiceOf(o)) },
		"LimitRanges": func(s *cluster.Store, i int) { _, o, _ := hostile(i); s.LimitRanges.Put(cluster.LimitRangeOf(o)) },
		"Namespaces":  func(s *cluster.Store, i int) { _, _, o := hostile(i); s.Namespaces.Put(cluster.NamespaceOf(o)) },
	} {
		t.Run(name, func(t *testing.T) {
			var s cluster.Store
			before := heap()
			for i := range n {
				put(&s, i)
			}
			each := (heap() - before) / n
			t.Logf("each takes %d bytes, 10,000 of them %d MiB", each, each*10_000>>20)
			if each > most {
				t.Errorf("each takes %d bytes, want at most %d", each, most)
			}
			runtime.KeepAlive(&s)
		})
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc) //nolint:gosec // far less than the largest
}

// TestSelectorsThatAreCut: which pods such a Service selects is unknown, where the kept part does
// not say it.
func TestSelectorsThatAreCut(t *testing.T) {
	service, _, _ := hostile(1)
	service.Namespace = "shop"
	labels := map[string]string{}
	for key, value := range service.Spec.Selector {
		labels[key] = value
	}
	var s cluster.Store
	s.Services.Known("")
	s.Services.Put(cluster.ServiceOf(service))
	want := cluster.List[*cluster.Service]{Unknown: "the selector of one of them is too long to be kept"}
	if diff := cmp.Diff(want, s.ServicesOf(nil, "shop", labels)); diff != "" {
		t.Errorf("pods that it selects (-want +got):\n%s", diff)
	}
	delete(labels, "0")
	if diff := cmp.Diff(cluster.List[*cluster.Service]{}, s.ServicesOf(nil, "shop", labels)); diff != "" {
		t.Errorf("pods that it does not select (-want +got):\n%s", diff)
	}
}

// TestContextIsBounded: a document names a few of the Services and ports, and says that there are
// more. Of LimitRanges it tells those that count.
func TestContextIsBounded(t *testing.T) {
	s := cluster.OfFiles(true)
	for i := range 2000 {
		o := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprintf("s%04d", i)}}
		o.Spec.Selector = map[string]string{"app": "web"}
		o.Spec.Ports = []corev1.ServicePort{{Port: 80}, {Port: 443}}
		s.Services.Put(cluster.ServiceOf(o))
		bytes := func(n int) corev1.ResourceList {
			return corev1.ResourceList{corev1.ResourceMemory: *resource.NewQuantity(int64(n), resource.BinarySI)}
		}
		s.LimitRanges.Put(cluster.LimitRangeOf(&corev1.LimitRange{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprintf("l%04d", i)},
			Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{
				{Type: corev1.LimitTypeContainer, Min: bytes(i + 1), Max: bytes(5000 - i)},
				{Type: corev1.LimitTypePod, Max: bytes(4000 + i), MaxLimitRequestRatio: bytes(10 + i)},
			}},
		}))
	}
	c := cluster.World{Store: s, Namespace: "shop"}.Context(nil, map[string]string{"app": "web"}, cluster.AllParts())
	if len(c.Services) != 64 || c.Services[63] != "s0063" || c.MoreServices != 2000-64 {
		t.Errorf("%d Services and %d others: %q", len(c.Services), c.MoreServices, c.Services)
	}
	if len(c.ServicePorts) != 256 || !c.MoreServicePorts {
		t.Errorf("%d ports, more: %t", len(c.ServicePorts), c.MoreServicePorts)
	}
	want := []cluster.MemoryRange{
		{LimitRange: "l0000", Type: "Pod", MaxBytes: 4000, MaxLimitRequestRatio: 10},
		{LimitRange: "l1999", Type: "Container", MinBytes: 2000, MaxBytes: 3001},
	}
	if diff := cmp.Diff(want, c.MemoryRanges); diff != "" {
		t.Errorf("bounds (-want +got):\n%s", diff)
	}
}

// TestHiddenNames: there is one, and more is not told.
func TestHiddenNames(t *testing.T) {
	s := cluster.OfFiles(true)
	for i := range 3 {
		service, limits, _ := hostile(i)
		service.Namespace, service.Spec.Selector = "shop", map[string]string{"app": "web"}
		service.Spec.Ports = []corev1.ServicePort{{Port: 80}}
		limits.Namespace, limits.Spec.Limits = "shop", limits.Spec.Limits[:1]
		s.Services.Put(cluster.ServiceOf(service))
		s.LimitRanges.Put(cluster.LimitRangeOf(limits))
	}
	got := cluster.World{Store: s, Namespace: "shop", HideNames: true}.Context(nil, map[string]string{"app": "web"}, cluster.AllParts())
	port := cluster.ServicePort{Service: "(hidden)", TargetPort: "80"}
	bound := cluster.MemoryRange{LimitRange: "(hidden)", Type: "Container", MaxBytes: 1 << 20}
	want := cluster.Context{
		Services: []string{"(hidden)"}, ServicePorts: []cluster.ServicePort{port, port, port},
		DefaultMemoryLimit: &cluster.LimitRangeDefault{LimitRange: "(hidden)", Text: "1Mi"}, MemoryRanges: []cluster.MemoryRange{bound, bound, bound},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
