package facts

import (
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/forestall/forestall/internal/apijson"
	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts/fact"
)

// Other is an object without a pod template that rules judge.
type Other struct {
	Kind schema.GroupVersionKind
	Meta metav1.ObjectMeta
	// Names are those of the items of its lists, by path: spec.ports[0].
	Names map[string]string
	// content is all that facts are made of.
	content any
	observe func(*budget.Budget, cluster.World) Facts
}

// others reads the kinds without a pod template that rules judge. A kind is added with an entry here, the file with
// its facts, and an entry in subjects.
func others() map[schema.GroupVersionKind]func(raw []byte, o *Other) error {
	return map[schema.GroupVersionKind]func(raw []byte, o *Other) error{
		{Version: "v1", Kind: "Service"}: readService,
	}
}

// ReadOther decodes an object of such a kind; false for any other kind.
func ReadOther(kind schema.GroupVersionKind, raw []byte) (*Other, bool, error) {
	read, ok := others()[kind]
	if !ok {
		return nil, false, nil
	}
	var head struct {
		metav1.ObjectMeta `json:"metadata"`
	}
	if err := apijson.Unmarshal(raw, &head); err != nil {
		return nil, true, fmt.Errorf("decoding %s: %w", kind.Kind, err)
	}
	o := &Other{Kind: kind, Meta: head.ObjectMeta}
	if err := read(raw, o); err != nil {
		return nil, true, fmt.Errorf("decoding %s %q: %w", kind.Kind, o.Meta.Name, err)
	}
	return o, true, nil
}

// Observe observes the object in its world.
func (o *Other) Observe(b *budget.Budget, w cluster.World) Facts {
	b = b.OrDefault()
	f := o.observe(b, w)
	f.Manifest = sent()
	unknown := fact.UnknownAt("", "a "+o.Kind.Kind+" has no pod template")
	observeAll(reflect.ValueOf(&f.Workload).Elem(), unknown)
	observeAll(reflect.ValueOf(&f.Pod).Elem(), unknown)
	f.Workload.Kind, f.Workload.Name = o.Kind.Kind, o.Meta.Name
	f.Containers = []Container{}
	f.Unfinished = b.Err() != nil
	return f
}

// Changed reports whether anything has changed that facts are made of.
func (o *Other) Changed(old *Other) bool { return !reflect.DeepEqual(o.content, old.content) }
