package patch

import (
	"fmt"
	"strings"
)

// Steps splits a field path into its steps. The forms are those of findings: names
// joined by dots, positions and awkward keys in brackets, as in
// spec.containers[0].args[1] and metadata.annotations[example.com/a.b].
func Steps(path string) ([]string, error) {
	var steps []string
	rest := path
	for rest != "" {
		if rest[0] == '[' {
			key, after, ok := strings.Cut(rest[1:], "]")
			if !ok || key == "" {
				return nil, fmt.Errorf("field path %q: a bracket is empty or not closed", path)
			}
			steps, rest = append(steps, key), after
			rest = strings.TrimPrefix(rest, ".")
			continue
		}
		end := strings.IndexAny(rest, ".[")
		if end < 0 {
			end = len(rest)
		}
		if end == 0 {
			return nil, fmt.Errorf("field path %q: a name is empty", path)
		}
		steps, rest = append(steps, rest[:end]), rest[end:]
		rest = strings.TrimPrefix(rest, ".")
	}
	if len(steps) == 0 {
		return nil, fmt.Errorf("field path %q is empty", path)
	}
	return steps, nil
}
