package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/workload"
)

// maxLists bounds Lists within Lists; kubectl makes none.
const maxLists = 8

// header is what tells an object from other data, and a List from other objects.
// Fields of other types than these are data of somebody else.
type header struct {
	APIVersion string
	Kind       string
	Namespace  string
	Name       string
	// hasItems is set for what has a list of items, or null in its place.
	hasItems bool
}

// isList tells a List of the API, which has no name of its own, from a custom
// object whose kind happens to end that way.
func (h header) isList() bool {
	if h.Kind == "List" {
		return true
	}
	return strings.HasSuffix(h.Kind, "List") && h.hasItems && h.Name == ""
}

// collect adds the objects of a document, or says why there are none.
func (d *Document) collect(o Object) {
	h := headerOf(o.JSON)
	switch {
	case h.APIVersion != "" && h.Kind != "":
		d.add(h, o)
	case h.APIVersion == "" && lacksAPIVersion(o.JSON, h.Kind) != "":
		d.Fail(o.line, fmt.Errorf("this %s has no apiVersion: write apiVersion: %s", h.Kind, lacksAPIVersion(o.JSON, h.Kind)))
	default:
		d.Skipped = true
	}
}

// lacksAPIVersion returns the apiVersion that a workload lacks: what has the name of a kind and containers with images where
// that kind has them. Anything else may be the values of a chart, or a patch.
func lacksAPIVersion(raw []byte, kind string) string {
	for _, k := range (workload.Table{}).Kinds() {
		if k.Kind == kind && hasImage(raw, strings.Split(k.SpecPath, ".")) {
			return k.APIVersion()
		}
	}
	return ""
}

// hasImage reports whether a container of the pod spec at the steps has an image.
func hasImage(raw []byte, steps []string) bool {
	if len(steps) == 0 {
		var spec struct {
			Containers []struct{ Image string }
		}
		return json.Unmarshal(raw, &spec) == nil && slices.ContainsFunc(spec.Containers, func(c struct{ Image string }) bool { return c.Image != "" })
	}
	for name, value := range fieldsOf(raw) {
		if name == steps[0] {
			return hasImage(bytes.Clone(value), steps[1:])
		}
	}
	return false
}

func (d *Document) add(h header, o Object) {
	o.APIVersion, o.Kind, o.Namespace, o.Name = h.APIVersion, h.Kind, h.Namespace, h.Name
	if !h.isList() {
		if e := unrendered(&o, h); e != nil {
			d.Fail(d.lines.line(&o, e.path), e)
			return
		}
		d.Objects = append(d.Objects, o)
		return
	}
	if o.depth >= maxLists {
		d.Fail(o.line, fmt.Errorf("more than %d Lists within each other", maxLists))
		return
	}
	if err := d.addItems(&o); err != nil {
		d.Fail(d.lines.line(&o, "items"), fmt.Errorf("reading the items of a %s: %w", h.Kind, err))
	}
}

// addItems adds the items of a List, each with its place.
func (d *Document) addItems(list *Object) error {
	dec := json.NewDecoder(bytes.NewReader(list.JSON))
	found, err := enterItems(dec)
	if err != nil || !found {
		return err
	}
	for i := 0; dec.More(); i++ {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return err
		}
		d.addItem(list, Object{
			JSON:  raw,
			At:    join(list.At, fmt.Sprintf("items[%d]", i)),
			line:  d.lines.item(list, int(dec.InputOffset())-len(raw)),
			depth: list.depth + 1,
		})
	}
	return nil
}

// enterItems moves to the first item; found is false when there is no list.
func enterItems(dec *json.Decoder) (found bool, err error) {
	if _, err := dec.Token(); err != nil {
		return false, err
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return false, err
		}
		if key != "items" {
			if err := dec.Decode(new(json.RawMessage)); err != nil {
				return false, err
			}
			continue
		}
		switch first, err := dec.Token(); {
		case err != nil:
			return false, err
		case first == nil:
			return false, nil
		case first != json.Delim('['):
			return false, errors.New("they are not a list")
		default:
			return true, nil
		}
	}
	return false, nil
}

// addItem adds one item. Lists of one kind, as the API serves them, leave
// apiVersion and kind out of their items.
func (d *Document) addItem(list *Object, o Object) {
	h := headerOf(o.JSON)
	of := strings.TrimSuffix(list.Kind, "List")
	if h.APIVersion == "" && h.Kind == "" && of != "" {
		h.APIVersion, h.Kind = list.APIVersion, of
		o.JSON = named(o.JSON, h)
	}
	if !bytes.HasPrefix(o.JSON, []byte("{")) || h.APIVersion == "" || h.Kind == "" {
		d.Fail(d.lines.line(&o, ""), fmt.Errorf("%s of the %s is not an object with apiVersion and kind", o.At, list.Kind))
		return
	}
	d.add(h, o)
}

// named writes apiVersion and kind into an object that lacks them, on its first
// line, so that no other line moves.
func named(raw []byte, h header) []byte {
	rest, ok := bytes.CutPrefix(raw, []byte("{"))
	if !ok {
		return raw
	}
	type names struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}
	head, err := json.Marshal(names{h.APIVersion, h.Kind})
	if err != nil {
		return raw
	}
	if rest[0] != '}' && len(bytes.TrimSpace(rest)) > 1 {
		head[len(head)-1] = ','
		return append(head, rest...)
	}
	return head
}

func join(prefix, path string) string {
	if prefix == "" || path == "" {
		return prefix + path
	}
	return prefix + "." + path
}
