package workload

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/apijson"
	"github.com/forestall/forestall/internal/quantity"
)

// ErrNotJudged says that an object is of a kind without a pod template.
var ErrNotJudged = errors.New("not a kind with a pod template")

// FromObject decodes one object, the JSON as it was submitted, into a View with
// the API server's defaults applied. It reads JSON as the API server does: field
// names are case-sensitive and unknown fields are ignored
// (apimachinery/pkg/runtime/serializer/json/json.go).
//
// An object of a built-in kind that has no template gives a View without
// containers and no error. The API server refuses it, with a better message than
// ours; nothing would run, so there is nothing to predict. The error wraps
// ErrNotJudged where the kind has no template, and where an object of a custom kind has none;
// it is ErrTooLarge where the object would take more than MaxWeight.
//
// The parts of a View share memory: it is there to be read, not to be changed.
func (t Table) FromObject(raw []byte) (*View, error) {
	named, err := peek(raw)
	if err != nil {
		return nil, fmt.Errorf("reading apiVersion and kind: %w", err)
	}
	k, ok := t.named(named.APIVersion, named.Kind)
	var unserved *Unserved
	if !ok {
		k, unserved = successor(named.APIVersion, named.Kind)
	}
	if !ok && unserved == nil {
		return nil, fmt.Errorf("%.*s of %.*s: %w", maxField, named.Kind, maxField, named.APIVersion, ErrNotJudged)
	}
	if !t.anyWeight && tooHeavy(raw, k) {
		return nil, ErrTooLarge
	}
	m, err := decode(raw, k, named)
	if err != nil {
		return nil, err
	}
	if k.custom() && m.template() == nil {
		return nil, fmt.Errorf("%s %.*q has no pod template at %s: %w", k.Kind, maxField, displayName(m.objectMeta()), k.TemplatePath, ErrNotJudged)
	}
	v := view(k, m)
	if v.APIVersion, v.Unserved = named.APIVersion, unserved; unserved != nil {
		unserved.NeedsSelector = v.needsSelector() && !hasField(raw, "spec", "selector")
	}
	v.Written = written(raw, v)
	return v, nil
}

// decode reads the manifest of a kind, whose apiVersion and kind were read before.
func decode(raw []byte, k Kind, named metav1.TypeMeta) (manifest, error) {
	m := manifestFor(k)
	bounded := func() error { return boundQuantities(raw, k.SpecPath) }
	if err := apijson.UnmarshalQuantities(raw, into(m), bounded); errors.Is(err, quantity.ErrHuge) {
		return nil, fmt.Errorf("decoding %s %.*q: %w", k.Kind, maxField, nameIn(raw), err) // nothing else may look at it
	} else if err != nil {
		return nil, locate(err, raw, k)
	}
	if got := m.typeMeta(); got != named {
		return nil, fmt.Errorf("decoding %s %.*q: apiVersion or kind stands twice, the second time as %.*q, %.*q",
			k.Kind, maxField, nameIn(raw), maxField, got.APIVersion, maxField, got.Kind)
	}
	return m, nil
}

// view makes the View of a decoded manifest.
func view(k Kind, m manifest) *View {
	template := m.template()
	if template == nil {
		template = &corev1.PodTemplateSpec{}
	}
	v := &View{
		APIVersion:   k.APIVersion(),
		Kind:         k.Kind,
		Like:         k.Like,
		Custom:       k.custom(),
		Fills:        k.Fills,
		Meta:         m.objectMeta(),
		TemplatePath: k.TemplatePath,
		SpecPath:     k.SpecPath,
		PodMeta:      template.ObjectMeta,
		PodSpec:      template.Spec,
		Controller:   m.controller(),
	}
	if k.TemplatePath == templateIsObject {
		defaultPod(&v.PodSpec)
	}
	if v.Custom {
		k.prepare(&v.PodSpec)
	}
	defaultPodSpec(&v.PodSpec)
	v.Containers = containers(&v.PodSpec, k.SpecPath)
	return v
}
