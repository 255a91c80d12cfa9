package workload

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Partial says why the JSON of the View's object is a part of an object, such as a patch of kustomize; empty where it
// may be a whole one. It names a field without which the API server takes no such object (k8s.io/kubernetes
// pkg/apis/core/validation/validation.go, ValidatePodSpec and validateContainerCommon;
// pkg/apis/apps/validation/validation.go, ValidateDeploymentSpec and others), and which nothing fills in.
// The rest of a part stands elsewhere, and so what it does is not known.
func (v *View) Partial(raw []byte) string {
	if v.TemplatePath == noTemplate || v.Fills.Images {
		return ""
	}
	whole := false
	for i := range v.Containers {
		c := &v.Containers[i]
		if c.Image == "" {
			return fmt.Sprintf("container %q has no image", c.Name)
		}
		whole = whole || c.Kind == Regular
	}
	switch {
	case !whole:
		return "it has no containers"
	case v.Unserved == nil && v.needsSelector() && !hasField(raw, "spec", "selector"):
		return "it has no spec.selector"
	}
	return ""
}

// needsSelector reports whether the API server asks for a selector. Versions before apps/v1beta2 took the labels of the
// template in its place.
func (v *View) needsSelector() bool {
	switch v.Kind {
	case "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet":
		return !v.Custom
	}
	return false
}

// hasField reports whether an object has a value other than null at the end of the steps.
func hasField(raw []byte, steps ...string) bool {
	value := jsontext.Value(raw)
	for _, step := range steps {
		if value = fieldOf(value, step); value == nil {
			return false
		}
	}
	return value.Kind() != jsontext.KindNull
}

// fieldOf returns the value of a field; nil where there is none. Of a field that stands twice it is the first.
func fieldOf(raw jsontext.Value, name string) jsontext.Value {
	d := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if begin, err := d.ReadToken(); err != nil || begin.Kind() != jsontext.KindBeginObject {
		return nil
	}
	for d.PeekKind() == jsontext.KindString {
		key, err := d.ReadToken()
		if err != nil {
			return nil
		}
		found := key.String() == name
		value, err := d.ReadValue()
		switch {
		case err != nil:
			return nil
		case found:
			return value
		}
	}
	return nil
}
