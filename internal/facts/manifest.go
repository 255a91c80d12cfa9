package facts

import (
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/forestall/forestall/internal/apijson"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/facts/field"
	"github.com/forestall/forestall/internal/workload"
)

// Manifest is what is observed of the text that somebody wrote, and that is lost when the API server has decoded it.
// Where a request brings the object all of it is unknown.
type Manifest struct {
	// UnknownFields are those that the API does not know.
	UnknownFields UnknownFields `json:"unknownFields"`
	// RepeatedFields are those that stand twice in one object.
	RepeatedFields RepeatedFields `json:"repeatedFields"`
}

// UnknownFields are the fields of an object that the API does not know. They are unknown for custom kinds, whose types are
// not known here.
type UnknownFields struct {
	fact.Observation
	// Release of Kubernetes whose fields are known.
	Release string          `json:"release,omitempty"`
	Fields  []field.Unknown `json:"fields,omitempty"`
}

// RepeatedFields are the fields that stand more than once in one object. YAML and JSON say little about them: kubectl takes
// the last.
type RepeatedFields struct {
	fact.Observation
	Fields []RepeatedField `json:"fields,omitempty"`
}

// RepeatedField is a field that stands twice.
type RepeatedField struct {
	Path string `json:"path"`
	// First and Last are the lines of the file on which it stands, the last one counts.
	First int `json:"first"`
	Last  int `json:"last"`
	// Same says that the values are the same.
	Same bool `json:"same"`
}

// Written is a manifest as somebody wrote it, before anything of it is lost.
type Written struct {
	Kind     schema.GroupVersionKind
	Raw      []byte
	Repeated []RepeatedField
}

// release is the release of Kubernetes whose types are compiled in.
const release = "1.37"

// ReadManifest observes the manifest of an object, whose pod template is that of the view. It also returns the fields with
// values of a wrong type: the API server refuses the object, also where no rule judges them.
func ReadManifest(w Written, v *workload.View) (*Manifest, []*workload.FieldError) {
	m := &Manifest{UnknownFields: UnknownFields{Observation: fact.UnknownAt("", "the types of the kind are not known")}}
	m.RepeatedFields = repeatedFields(w.Repeated)
	t, within, ok := typeOf(w.Kind, v)
	if !ok {
		return m, nil
	}
	problems := slices.DeleteFunc(apijson.Check(w.Raw, t), func(p apijson.Problem) bool { return !strings.HasPrefix(p.Path, within) })
	m.UnknownFields.Observation = fact.AbsentAt("")
	if unknown := field.FindUnknown(problems); len(unknown) > 0 {
		for i := range unknown {
			unknown[i].Container = containerAt(v, unknown[i].Path)
		}
		m.UnknownFields = UnknownFields{Observation: fact.PresentAt(unknown[0].Path), Release: release, Fields: unknown}
	}
	return m, workload.WrongFields(problems)
}

// typeOf returns the type of a kind in the API. Of an object of a version that is no longer served only the pod template
// has one: within is where it stands.
func typeOf(k schema.GroupVersionKind, v *workload.View) (t reflect.Type, within string, ok bool) {
	if k == corev1.SchemeGroupVersion.WithKind("Service") {
		return reflect.TypeFor[corev1.Service](), "", true
	}
	if t, ok = workload.TypeOf(k.GroupVersion().String(), k.Kind); ok {
		return t, "", true
	}
	if v.Custom || v.TemplatePath == "" {
		return nil, "", false
	}
	t, ok = workload.TypeOf(v.APIVersion, v.Kind)
	return t, v.TemplatePath + ".", ok
}

// containerAt returns the name of the container in which a field stands; empty for none.
func containerAt(v *workload.View, path string) string {
	for i := range v.Containers {
		if strings.HasPrefix(path, v.Containers[i].Path+".") {
			return v.Containers[i].Name
		}
	}
	return ""
}

func repeatedFields(all []RepeatedField) RepeatedFields {
	if len(all) == 0 {
		return RepeatedFields{Observation: fact.AbsentAt("")}
	}
	return RepeatedFields{Observation: fact.PresentAt(all[0].Path), Fields: all}
}

// sent is the manifest of an object that a request brings.
func sent() Manifest {
	lost := fact.UnknownAt("", "the API server has decoded the object")
	return Manifest{UnknownFields: UnknownFields{Observation: lost}, RepeatedFields: RepeatedFields{Observation: lost}}
}

// Odd reports whether there is anything in the text that the API server does not store.
func (m *Manifest) Odd() bool {
	return m.UnknownFields.Is(fact.Present) || m.RepeatedFields.Is(fact.Present)
}

func manifestFacts() map[string]judged[Manifest] {
	return map[string]judged[Manifest]{
		"unknownFields":  seen(func(m *Manifest) fact.Observation { return m.UnknownFields.Observation }),
		"repeatedFields": seen(func(m *Manifest) fact.Observation { return m.RepeatedFields.Observation }),
	}
}
