// Package patch turns repairs into JSON Patch operations on the object as it was
// submitted. Operations are minimal: fields that our types do not know survive.
package patch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/forestall/forestall/internal/finding"
)

// Build returns the operations that carry out the repairs on the object, in
// order. Parents that the object lacks are created by one operation, as far up
// as they are missing. An add whose field is already there is an error: additive
// repairs never overwrite.
func Build(object []byte, repairs []finding.Repair) ([]finding.Operation, error) {
	ops := make([]finding.Operation, 0, len(repairs))
	current := object
	for _, r := range repairs {
		op, err := build(current, r)
		if err != nil {
			return nil, fmt.Errorf("repairing %s: %w", r.Path, err)
		}
		if op.Op == "" {
			continue // there is nothing to update
		}
		ops = append(ops, op)
		// A later repair may need the parent that this one creates.
		if current, err = Apply(current, []finding.Operation{op}); err != nil {
			return nil, fmt.Errorf("repairing %s: %w", r.Path, err)
		}
	}
	return ops, nil
}

// Apply returns the object with the operations carried out, by the package that
// the API server itself applies patches with.
func Apply(object []byte, ops []finding.Operation) ([]byte, error) {
	raw, err := json.Marshal(ops)
	if err != nil {
		return nil, fmt.Errorf("encoding the patch: %w", err)
	}
	p, err := jsonpatch.DecodePatch(raw)
	if err != nil {
		return nil, fmt.Errorf("decoding the patch: %w", err)
	}
	out, err := p.Apply(object)
	if err != nil {
		return nil, fmt.Errorf("applying the patch: %w", err)
	}
	return out, nil
}

// build returns the operation of one repair; none for an update of what is not there.
func build(object []byte, r finding.Repair) (finding.Operation, error) {
	steps, err := Steps(r.Path)
	if err != nil {
		return finding.Operation{}, err
	}
	present, err := depth(object, steps)
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
func depth(object []byte, steps []string) (int, error) {
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	var at any
	if err := d.Decode(&at); err != nil {
		return 0, fmt.Errorf("decoding the object: %w", err)
	}
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

func child(at any, step string) (any, bool) {
	switch node := at.(type) {
	case map[string]any:
		v, ok := node[step]
		return v, ok && v != nil
	case []any:
		i, err := strconv.Atoi(step)
		if err != nil || i < 0 || i >= len(node) {
			return nil, false
		}
		return node[i], true
	}
	return nil, false
}

func pointer(steps []string) string {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var b strings.Builder
	for _, s := range steps {
		b.WriteByte('/')
		b.WriteString(escape.Replace(s))
	}
	return b.String()
}
