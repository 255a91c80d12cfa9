package fix

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/patch"
)

// steps returns the way to the field of an operation, from the root of the document.
func (c Change) steps(op finding.Operation) ([]string, error) {
	var steps []string
	if c.At != "" {
		var err error
		if steps, err = patch.Steps(c.At); err != nil {
			return nil, err
		}
	}
	rest, ok := strings.CutPrefix(op.Path, "/")
	if !ok {
		return nil, fmt.Errorf("the path %q of a patch names no field", op.Path)
	}
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for step := range strings.SplitSeq(rest, "/") {
		steps = append(steps, unescape.Replace(step))
	}
	return steps, nil
}

func pointer(steps []string) string {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var b strings.Builder
	for _, s := range steps {
		b.WriteString("/" + escape.Replace(s))
	}
	return b.String()
}

// lookup returns what the steps lead to; nil when there is nothing.
func lookup(v any, steps []string) any {
	for _, step := range steps {
		switch at := v.(type) {
		case map[string]any:
			v = at[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(at) {
				return nil
			}
			v = at[i]
		default:
			return nil
		}
	}
	return v
}

// set puts a value into a value that an earlier operation has brought.
func set(into any, steps []string, op string, value any) (any, error) {
	if len(steps) == 0 {
		return value, nil
	}
	switch at := into.(type) {
	case map[string]any:
		if op == "remove" && len(steps) == 1 {
			delete(at, steps[0])
			return at, nil
		}
		inner, err := set(at[steps[0]], steps[1:], op, value)
		if err != nil {
			return nil, err
		}
		at[steps[0]] = inner
		return at, nil
	case []any:
		i, err := strconv.Atoi(steps[0])
		if err != nil || i < 0 || i >= len(at) || len(steps) == 1 {
			return nil, errUnlike
		}
		at[i], err = set(at[i], steps[1:], op, value)
		return at, err
	}
	return nil, errUnlike
}
