package workload

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// maxQuantityDepth is deeper than any quantity stands in an object. What is
// nested deeper is skipped, to bound the recursion.
const maxQuantityDepth = 32

// errUnreadable ends a walk over JSON that cannot be read.
var errUnreadable = errors.New("unreadable JSON")

// quantityWalk visits the quantities of one object.
type quantityWalk struct {
	decoder *json.Decoder
	visit   func(path, text string) error
	// under is the path of the pod spec; quantities elsewhere are not visited.
	under string
}

// eachQuantity calls visit with each quantity of the pod spec, as it was written,
// and with its place, until visit returns an error. It reads tokens, not a tree,
// to see what a second field of the same name would hide. JSON that cannot be
// read ends the walk without an error: the decoder says it better.
func eachQuantity(raw []byte, specPath string, visit func(path, text string) error) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	walk := quantityWalk{decoder: d, visit: visit, under: specPath}
	if err := walk.value(location{}, 0); !errors.Is(err, errUnreadable) {
		return err
	}
	return nil
}

// location is where a value stands: with list indices, to be shown, and without,
// to be compared.
type location struct{ path, fields string }

func (l location) field(name string) location {
	if l.path == "" {
		return location{path: name, fields: name}
	}
	return location{path: l.path + "." + name, fields: l.fields + "." + name}
}

func (l location) index(i int) location {
	return location{path: l.path + "[" + strconv.Itoa(i) + "]", fields: l.fields}
}

func (w *quantityWalk) value(at location, depth int) error {
	if depth > maxQuantityDepth {
		return unreadable(w.decoder.Decode(new(json.RawMessage)))
	}
	token, err := w.decoder.Token()
	if err != nil {
		return errUnreadable
	}
	switch t := token.(type) {
	case json.Delim:
		return w.nested(t, at, depth+1)
	case string:
		return w.scalar(at, strings.TrimSpace(t))
	case json.Number:
		return w.scalar(at, t.String())
	default:
		return nil
	}
}

// nested walks an object or a list, whose opening bracket has been read.
func (w *quantityWalk) nested(open json.Delim, at location, depth int) error {
	for i := 0; w.decoder.More(); i++ {
		next := at.index(i)
		if open == '{' {
			key, err := w.decoder.Token()
			if err != nil {
				return errUnreadable
			}
			name, _ := key.(string)
			next = at.field(name)
		}
		if err := w.value(next, depth); err != nil {
			return err
		}
	}
	_, err := w.decoder.Token() // the closing bracket
	return unreadable(err)
}

func (w *quantityWalk) scalar(at location, text string) error {
	inSpec, ok := strings.CutPrefix(at.fields, w.under)
	if !ok || !isQuantity(inSpec) {
		return nil
	}
	return w.visit(at.path, text)
}

// isQuantity reports whether a place in a pod spec, with a leading dot, holds a
// quantity. They are the fields of type resource.Quantity and ResourceList that
// can be reached from PodSpec in k8s.io/api/core/v1/types.go.
func isQuantity(place string) bool {
	lists := [...]string{".resources.limits.", ".resources.requests."}
	for _, list := range lists {
		if strings.Contains(place, list) {
			return true
		}
	}
	return strings.HasPrefix(place, ".overhead.") ||
		strings.HasSuffix(place, ".emptyDir.sizeLimit") ||
		strings.HasSuffix(place, ".resourceFieldRef.divisor")
}

func unreadable(err error) error {
	if err != nil {
		return errUnreadable
	}
	return nil
}
