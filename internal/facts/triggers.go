package facts

import (
	"encoding/json"
	"strings"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/workload"
)

// maxTriggers is the longest annotation that is read, in bytes: the API server takes no more than
// so much of all annotations together (TotalAnnotationSizeLimitB in
// k8s.io/apimachinery/pkg/api/validation/objectmeta.go).
const maxTriggers = 256 << 10

// triggers are the containers into which the image trigger controller of OpenShift writes images.
type triggers struct {
	// all is true where a trigger names a field in a way that is not known here: it may be the
	// image of any container.
	all bool
	// names and paths are of the containers that triggers name.
	names, paths map[string]bool
}

// trigger is one entry of the annotation (github.com/openshift/library-go
// pkg/image/trigger/types.go, ObjectFieldTrigger).
type trigger struct {
	From      struct{ Kind, Name string } `json:"from"`
	FieldPath string                      `json:"fieldPath"`
	// Paused is a boolean; the documentation of OpenShift writes it as text, too.
	Paused any `json:"paused"`
}

func (t trigger) works() bool {
	return t.From.Kind != "" && t.From.Name != "" && t.Paused != true && t.Paused != "true"
}

// readTriggers reads the annotation, which is a JSON array. What is no such array writes nothing.
func readTriggers(b *budget.Budget, v *workload.View) triggers {
	text, ok := v.Meta.Annotations[workload.TriggersAnnotation]
	if !ok || len(text) > maxTriggers {
		return triggers{}
	}
	if !b.Spend(1 + len(text)/imageStep) {
		return triggers{all: true}
	}
	var list []trigger
	if json.Unmarshal([]byte(text), &list) != nil {
		return triggers{}
	}
	t := triggers{names: map[string]bool{}, paths: map[string]bool{}}
	for _, one := range list {
		if one.works() {
			t.add(v, one.FieldPath)
		}
	}
	return t
}

// add adds the container of a field such as spec.template.spec.containers[0].image or
// spec.template.spec.containers[?(@.name=="web")].image: the two forms that the controller reads
// (github.com/openshift/library-go pkg/image/trigger/triggers.go, findContainerBySelector).
func (t *triggers) add(v *workload.View, field string) {
	if c, rest := v.At(field); c != nil && rest == ".image" {
		t.paths[c.Path] = true
		return
	}
	below, ok := strings.CutPrefix(field, v.SpecPath+".")
	if !ok {
		t.all = true
		return
	}
	list, selector, _ := strings.Cut(below, "[")
	selector, ok = strings.CutSuffix(selector, "].image")
	if !ok || list != "containers" && list != "initContainers" {
		t.all = true
		return
	}
	name, begins := strings.CutPrefix(selector, `?(@.name=="`)
	name, ends := strings.CutSuffix(name, `")`)
	switch {
	case begins && ends:
		t.names[name] = true
	case strings.Trim(selector, "0123456789") != "" || selector == "": // a number is of no container
		t.all = true
	}
}

// replace reports whether a trigger writes the image of the container.
func (t triggers) replace(c *workload.Container) bool {
	return t.all || t.names[c.Name] || t.paths[c.Path]
}
