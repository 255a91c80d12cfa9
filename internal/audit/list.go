package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/workload"
)

// position is the place of an object in a document.
type position struct {
	// line in the file at which the object begins.
	line int
	// prefix is the path of the object within a YAML document: items[3].
	prefix string
	// depth counts the Lists around the object.
	depth int
}

// maxLists bounds Lists within Lists; kubectl makes none.
const maxLists = 8

// header is what tells an object from other data, and a List from other objects.
// Fields of other types than these are data of somebody else.
type header struct {
	APIVersion string
	Kind       string
	Namespace  string
	Name       string
	items      json.RawMessage
}

func headerOf(raw []byte) header {
	var h header
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return h // not an object
	}
	h.APIVersion, h.Kind = textOf(fields["apiVersion"]), textOf(fields["kind"])
	h.items = fields["items"]
	var meta map[string]json.RawMessage
	if err := json.Unmarshal(fields["metadata"], &meta); err == nil {
		h.Namespace, h.Name = textOf(meta["namespace"]), textOf(meta["name"])
	}
	if generated := textOf(meta["generateName"]); h.Name == "" && generated != "" {
		h.Name = generated + "*"
	}
	return h
}

func textOf(raw json.RawMessage) string {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return ""
	}
	return s
}

// isList tells a List of the API, which has no name of its own, from a custom
// object whose kind happens to end that way.
func (h header) isList() bool {
	if h.Kind == "List" {
		return true
	}
	items := bytes.HasPrefix(h.items, []byte("[")) || bytes.Equal(h.items, []byte("null"))
	return strings.HasSuffix(h.Kind, "List") && items && h.Name == ""
}

// collect adds the objects of a document, or says why there are none.
func (d *document) collect(raw []byte, at position) {
	h := headerOf(raw)
	switch {
	case h.APIVersion != "" && h.Kind != "":
		d.add(h, raw, at)
	case slices.ContainsFunc((workload.Table{}).Kinds(), func(k workload.Kind) bool { return k.Kind == h.Kind }):
		d.fail(at.line, fmt.Errorf("this %s has no apiVersion", h.Kind))
	default:
		d.skipped = true
	}
}

func (d *document) add(h header, raw []byte, at position) {
	o := object{raw: raw, at: at}
	o.APIVersion, o.Kind, o.Namespace, o.Name = h.APIVersion, h.Kind, h.Namespace, h.Name
	if !h.isList() {
		d.objects = append(d.objects, o)
		return
	}
	if at.depth >= maxLists {
		d.fail(at.line, fmt.Errorf("more than %d Lists within each other", maxLists))
		return
	}
	if err := d.addItems(&o); err != nil {
		d.fail(d.lines.line(raw, at, "items"), fmt.Errorf("reading the items of a %s: %w", h.Kind, err))
	}
}

// addItems adds the items of a List, each with its place.
func (d *document) addItems(list *object) error {
	dec := json.NewDecoder(bytes.NewReader(list.raw))
	found, err := enterItems(dec)
	if err != nil || !found {
		return err
	}
	for i := 0; dec.More(); i++ {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return err
		}
		d.addItem(list, raw, position{
			line:   d.lines.item(list, int(dec.InputOffset())-len(raw)),
			prefix: join(list.at.prefix, fmt.Sprintf("items[%d]", i)),
			depth:  list.at.depth + 1,
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
func (d *document) addItem(list *object, raw []byte, at position) {
	h := headerOf(raw)
	of := strings.TrimSuffix(list.Kind, "List")
	if h.APIVersion == "" && h.Kind == "" && of != "" {
		h.APIVersion, h.Kind = list.APIVersion, of
		raw = named(raw, h)
	}
	if !bytes.HasPrefix(raw, []byte("{")) || h.APIVersion == "" || h.Kind == "" {
		d.fail(d.lines.line(raw, at, ""), fmt.Errorf("%s of the %s is not an object with apiVersion and kind", at.prefix, list.Kind))
		return
	}
	d.add(h, raw, at)
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
