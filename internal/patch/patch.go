// Package patch turns repairs into JSON Patch operations on the object as it was
// submitted. Operations are minimal: fields that our types do not know survive.
package patch

import (
	"encoding/json"
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
	d, err := Read(object)
	if err != nil {
		return nil, err
	}
	return d.Build(repairs)
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
