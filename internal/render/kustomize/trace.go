package kustomize

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/resource"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/render"
)

// The fields that traced objects have: the number of the text of which they are made, and those of patches that were put onto them.
// They stand beside apiVersion, where no patch for annotations reaches them.
const (
	objectField = "forestallObject"
	patchField  = "forestallPatch"
)

// tracer builds a kustomization a second time, of objects and patches that are numbered.
type tracer struct {
	files *files
	// dir is the folder of the kustomization, and path how a person has named it.
	dir, path string
	sources   []source
}

// source is an object or a patch in a file.
type source struct {
	file string
	node *yaml.Node
}

// traced numbers the objects in a file.
func (t *tracer) traced(path string, text []byte) []byte {
	if isKustomization(path) {
		return text
	}
	field := objectField
	if t.files.patches[resolved(path)] {
		field = patchField
	}
	docs := yaml.NewDecoder(bytes.NewReader(text))
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	numbered := false
	for {
		var d yaml.Node
		err := docs.Decode(&d)
		if err != nil {
			break
		}
		numbered = t.number(path, field, &d) || numbered
		if encoder.Encode(&d) != nil {
			return text
		}
	}
	if encoder.Close() != nil || !numbered {
		return text
	}
	return out.Bytes()
}

// number numbers an object, or those of a List.
func (t *tracer) number(path, field string, n *yaml.Node) bool {
	if n.Kind == yaml.DocumentNode && len(n.Content) == 1 {
		n = n.Content[0]
	}
	if n.Kind != yaml.MappingNode || valueOf(n, "apiVersion") == nil || valueOf(n, "kind") == nil || valueOf(n, "apiVersion").Value == "builtin" {
		return false
	}
	if items := valueOf(n, "items"); items != nil && items.Kind == yaml.SequenceNode && strings.HasSuffix(valueOf(n, "kind").Value, "List") {
		found := false
		for _, i := range items.Content {
			found = t.number(path, field, i) || found
		}
		return found
	}
	number := strconv.Itoa(len(t.sources))
	kept := *n // without the field
	t.sources = append(t.sources, source{file: path, node: &kept})
	if field == patchField {
		field += number
	}
	n.Content = append(n.Content[:len(n.Content):len(n.Content)],
		&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: field}, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: number, Style: yaml.DoubleQuotedStyle})
	return true
}

// texts returns the texts of objects, with the places that those traced tell.
func (t *tracer) texts(clean, traced []*resource.Resource) ([]render.Text, error) {
	var all []render.Text
	size := 0
	for i, r := range clean {
		text, err := r.AsYAML()
		if err != nil {
			return nil, fmt.Errorf("writing %s %s: %w", r.GetKind(), r.GetName(), err)
		}
		if size += len(text); size > render.MaxText {
			return nil, render.ErrLarge
		}
		o := origin{name: t.path}
		if len(clean) == len(traced) && traced[i].CurId() == r.CurId() {
			o = t.originOf(traced[i])
		}
		all = append(all, render.Text{Name: o.name, Text: text, Place: o.placeIn(text)})
	}
	return all, nil
}

// originOf returns of what an object was made.
func (t *tracer) originOf(r *resource.Resource) origin {
	o := origin{name: t.path}
	m, err := r.Map()
	if err != nil {
		return o
	}
	if s, ok := t.source(m[objectField]); ok {
		o.name, o.object = t.name(s.file), s.node
	}
	for i := len(t.sources) - 1; i >= 0; i-- {
		if s, ok := t.source(m[patchField+strconv.Itoa(i)]); ok {
			o.patches = append(o.patches, overlay{t.name(s.file), s.node})
		}
	}
	return o
}

func (t *tracer) source(number any) (source, bool) {
	text, _ := number.(string)
	i, err := strconv.Atoi(text)
	if err != nil || i < 0 || i >= len(t.sources) {
		return source{}, false
	}
	return t.sources[i], true
}

// name returns a file as a person finds it.
func (t *tracer) name(file string) string { return named(file, t.dir, t.path) }

// origin is of what an object was made.
type origin struct {
	// name of its file, or of the folder of the kustomization where it has none.
	name   string
	object *yaml.Node
	// patches that were put onto it, the last one first.
	patches []overlay
}

type overlay struct {
	name string
	node *yaml.Node
}

// placeIn returns a function that finds the fields of an object in what it was made of.
func (o origin) placeIn(text []byte) func(string, int) finding.Source {
	var rendered *yaml.Node
	return func(path string, _ int) finding.Source {
		if o.object == nil {
			return finding.Source{File: o.name}
		}
		if rendered == nil {
			rendered = &yaml.Node{}
			_ = yaml.Unmarshal(text, rendered) // what was not written is found nowhere
		}
		return o.find(rendered, path)
	}
}
