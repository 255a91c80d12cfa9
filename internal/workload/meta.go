package workload

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ReadMeta returns a View of an object that is too large to be decoded: its kind, names and
// controller, and whether it is a mirror pod. Nothing runs in it. It reads tokens and keeps little
// of them, whatever the object holds. It fails where the metadata cannot be read.
func ReadMeta(raw []byte) (*View, error) {
	found, err := peek(raw)
	if err != nil {
		return nil, err
	}
	o := metaReader{d: jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
	err = o.fields(map[string]func() error{
		"metadata": func() error {
			return o.fields(map[string]func() error{
				"name": o.into(&o.meta.Name), "generateName": o.into(&o.meta.GenerateName), "namespace": o.into(&o.meta.Namespace),
				"ownerReferences": o.owners, "annotations": o.annotations,
			})
		},
	})
	if err != nil {
		return nil, fmt.Errorf("reading the metadata: %w", err)
	}
	v := WithoutTemplate(schema.FromAPIVersionAndKind(found.APIVersion, found.Kind), o.meta)
	if found.APIVersion == "v1" && found.Kind == "Pod" {
		v.TemplatePath = templateIsObject
	}
	return v, nil
}

// metaReader reads the metadata of one object.
type metaReader struct {
	d    *jsontext.Decoder
	meta metav1.ObjectMeta
}

// fields reads an object: each field by its function, the others not at all.
func (o *metaReader) fields(read map[string]func() error) error {
	return o.each(jsontext.KindBeginObject, func() error {
		name, err := o.d.ReadToken()
		if err != nil {
			return err
		}
		if next := read[name.String()]; next != nil {
			return next()
		}
		return o.d.SkipValue()
	})
}

// each reads what is within brackets. A null is an empty list or object.
func (o *metaReader) each(begin jsontext.Kind, read func() error) error {
	switch first, err := o.d.ReadToken(); {
	case err != nil:
		return err
	case first.Kind() == jsontext.KindNull:
		return nil
	case first.Kind() != begin:
		return errUnreadable
	}
	for next := o.d.PeekKind(); next != jsontext.KindEndObject && next != jsontext.KindEndArray; next = o.d.PeekKind() {
		if err := read(); err != nil {
			return err
		}
	}
	_, err := o.d.ReadToken()
	return err
}

// into reads a value.
func (o *metaReader) into(target any) func() error {
	return func() error {
		value, err := o.d.ReadValue()
		if err != nil {
			return err
		}
		return json.Unmarshal(value, target)
	}
}

// owners keeps the reference to the controller.
func (o *metaReader) owners() error {
	return o.each(jsontext.KindBeginArray, func() error {
		var ref metav1.OwnerReference
		if err := o.into(&ref)(); err != nil {
			return err
		}
		if ref.Controller != nil && *ref.Controller && len(o.meta.OwnerReferences) == 0 {
			o.meta.OwnerReferences = []metav1.OwnerReference{ref}
		}
		return nil
	})
}

// annotations keeps the one of mirror pods.
func (o *metaReader) annotations() error {
	return o.fields(map[string]func() error{corev1.MirrorPodAnnotationKey: func() error {
		o.meta.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: ""}
		return o.d.SkipValue()
	}})
}
