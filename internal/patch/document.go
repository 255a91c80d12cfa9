package patch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/forestall/forestall/internal/finding"
)

// Document is an object that was decoded once, for many patches. Building one does not change it.
type Document struct{ root any }

// Read decodes an object.
func Read(object []byte) (*Document, error) {
	var root any
	if err := decode(object, &root); err != nil {
		return nil, fmt.Errorf("decoding the object: %w", err)
	}
	return &Document{root}, nil
}

func decode(text []byte, into *any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(into)
}

// Build is the function of that name for a Document.
func (d *Document) Build(repairs []finding.Repair) ([]finding.Operation, error) {
	ops := make([]finding.Operation, 0, len(repairs))
	current := draft{root: d.root, own: map[string]bool{}}
	for _, r := range repairs {
		op, err := build(current.root, r)
		if err != nil {
			return nil, fmt.Errorf("repairing %s: %w", r.Path, err)
		}
		if op.Op == "" {
			continue // there is nothing to update
		}
		ops = append(ops, op)
		// A later repair may need the parent that this one creates.
		if err := current.carryOut(op, r); err != nil {
			return nil, fmt.Errorf("repairing %s: %w", r.Path, err)
		}
	}
	return ops, nil
}

// build returns the operation of one repair; none for an update of what is not there.
func build(root any, r finding.Repair) (finding.Operation, error) {
	steps, err := Steps(r.Path)
	if err != nil {
		return finding.Operation{}, err
	}
	present, err := depth(root, steps)
	if err != nil {
		return finding.Operation{}, err
	}
	there := present == len(steps)
	switch {
	case r.Op == "update" && !there:
		return finding.Operation{}, nil
	case (r.Op == "replace" || r.Op == "remove") && !there:
		return finding.Operation{}, fmt.Errorf("%s is not there to be %sd", pointer(steps[:present+1]), r.Op)
	case r.Op == "add" && there:
		return finding.Operation{}, errors.New("there is a value already")
	}
	switch r.Op {
	case "add", "set", "replace", "update":
	case "remove":
		return finding.Operation{Op: r.Op, Path: pointer(steps)}, nil
	default:
		return finding.Operation{}, fmt.Errorf("unknown operation %q", r.Op)
	}
	if there {
		return finding.Operation{Op: "replace", Path: pointer(steps), Value: r.Value}, nil
	}
	value := r.Value
	for i := len(steps) - 1; i > present; i-- {
		value = map[string]any{steps[i]: value}
	}
	return finding.Operation{Op: "add", Path: pointer(steps[:present+1]), Value: value}, nil
}

// depth returns how many of the steps lead to something that is there. A null
// counts as missing: the API server drops it.
func depth(root any, steps []string) (int, error) {
	at := root
	for i, step := range steps {
		next, ok := child(at, step)
		if !ok {
			if _, list := at.([]any); list {
				return 0, fmt.Errorf("%s does not exist", pointer(steps[:i+1]))
			}
			return i, nil
		}
		at = next
	}
	return len(steps), nil
}

// draft is a Document that changes: what lies on the way to a change is copied once, the rest is shared.
type draft struct {
	root any
	own  map[string]bool // the places that were copied
}

func (d *draft) carryOut(op finding.Operation, r finding.Repair) error {
	steps, err := Steps(r.Path)
	if err != nil {
		return err
	}
	value, err := plain(op.Value)
	if err != nil {
		return err
	}
	steps = steps[:strings.Count(op.Path, "/")] // an add may end further up
	d.root = d.change(d.root, "", steps, value, op.Op == "remove")
	return nil
}

// plain returns the value as it would be read from JSON.
func plain(value any) (any, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("encoding the patch: %w", err)
	}
	var out any
	return out, decode(text, &out)
}

// change sets or removes the value behind the steps, and returns the node that now stands in
// place of this one. All steps but the last lead to something that is there.
func (d *draft) change(node any, at string, steps []string, value any, remove bool) any {
	if len(steps) == 0 {
		return value
	}
	step, below := steps[0], at+"/"+steps[0]
	removed := remove && len(steps) == 1
	switch n := d.copied(node, at).(type) {
	case map[string]any:
		if removed {
			delete(n, step)
		} else {
			n[step] = d.change(n[step], below, steps[1:], value, remove)
		}
		return n
	case []any:
		i, err := strconv.Atoi(step)
		switch {
		case err != nil || i < 0 || i >= len(n):
		case removed:
			clear(d.own) // the places behind it have moved
			return slices.Delete(n, i, i+1)
		default:
			n[i] = d.change(n[i], below, steps[1:], value, remove)
		}
		return n
	}
	return node
}

// copied returns a node that may be changed in place of this one.
func (d *draft) copied(node any, at string) any {
	if d.own[at] {
		return node
	}
	d.own[at] = true
	switch n := node.(type) {
	case map[string]any:
		return maps.Clone(n)
	case []any:
		return slices.Clone(n)
	}
	return node
}
