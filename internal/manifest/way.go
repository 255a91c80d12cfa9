package manifest

import (
	"slices"
	"strconv"
	"strings"
)

// way is the way to a value, step by step. Its path is written only where it is told.
type way struct {
	outer *way
	// item is true for the position in a list, else name is that of a field.
	item  bool
	index int
	name  string
}

// String writes the path as findings have it. A name that is no plain one stands in brackets.
func (w *way) String() string {
	var steps []string
	for at := w; at != nil; at = at.outer {
		switch {
		case at.item:
			steps = append(steps, "["+strconv.Itoa(at.index)+"]")
		case strings.ContainsAny(at.name, ".[]/"):
			steps = append(steps, "["+at.name+"]")
		default:
			steps = append(steps, at.name, ".")
		}
	}
	slices.Reverse(steps)
	return strings.TrimPrefix(strings.Join(steps, ""), ".")
}
