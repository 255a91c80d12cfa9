package live

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/forestall/forestall/internal/cluster"
)

// TestSlim: while a list is read, no whole object is held, whatever is in it.
func TestSlim(t *testing.T) {
	var s cluster.Store
	i := &intake[corev1.Service, *cluster.Service]{into: &s.Services, keep: cluster.ServiceOf, read: func() { s.Services.Known("") }}
	waiting := cache.NewStore(cache.DeletionHandlingMetaNamespaceKeyFunc, cache.WithTransformer(i.Transformer()))
	large := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", ResourceVersion: "1", Annotations: map[string]string{"a": "b"}},
		Spec:       corev1.ServiceSpec{Selector: map[string]string{"app": "web"}, Ports: make([]corev1.ServicePort, 20_000)},
	}
	if err := waiting.Add(large); err != nil {
		t.Fatal(err)
	}
	want := &cluster.Service{Namespace: "shop", Name: "web", Selector: map[string]string{"app": "web"}, Targets: []cluster.Target{{}}}
	held := waiting.List()
	name := metav1.ObjectMeta{Namespace: "shop", Name: "web", ResourceVersion: "1"}
	if diff := cmp.Diff([]any{&slim[*cluster.Service]{name, want}}, held, cmp.AllowUnexported(slim[*cluster.Service]{})); diff != "" {
		t.Errorf("held (-want +got):\n%s", diff)
	}
	if err := i.Replace(held, "1"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(cluster.List[*cluster.Service]{Objects: []*cluster.Service{want}}, s.Services.In("shop")); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
}
