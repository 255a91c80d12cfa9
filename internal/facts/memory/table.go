package memory

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// When says when a JVM reads the options of a variable. What is read later wins.
type When string

// The moments, in their order.
const (
	// ReadFirst is before the command line, by the JVM itself.
	ReadFirst When = "first"
	// ReadByLauncher is before the command line, by the java command.
	ReadByLauncher When = "launcher"
	// ReadByScript is when a start script puts it on the command line: a convention.
	ReadByScript When = "script"
	// ReadLast is after the command line, by the JVM itself.
	ReadLast When = "last"
)

// Table is what is known of variables that set memory, and of what programs and
// images need. The zero value knows nothing. It is read-only.
type Table struct {
	java        map[string]When
	entrypoints []entrypoint
	needs       []need
}

// need is the least memory that something is known to work with.
type need struct {
	// Programs are the names of programs, Images repositories without registry and
	// tag, to which it belongs. Without both it belongs to every container.
	Programs []string `json:"programs"`
	Images   []string `json:"images"`
	// Tags are the beginnings of the tags that it holds for; empty: all.
	Tags []string `json:"tags"`
	// UnlessVariables are the variables that change the need.
	UnlessVariables []string `json:"unlessVariables"`
	Bytes           int64    `json:"bytes"`
	Because         string   `json:"because"`
	Source          string   `json:"source"`
}

// ParseTable reads the table. It is strict: an unknown field or an entry without source is an error.
func ParseTable(data []byte) (Table, error) {
	var raw struct {
		JavaVariables []struct {
			Names  []string `json:"names"`
			Read   When     `json:"read"`
			Source string   `json:"source"`
		} `json:"javaVariables"`
		Entrypoints []entrypoint `json:"entrypoints"`
		Needs       []need       `json:"needs"`
	}
	if err := yaml.UnmarshalStrict(data, &raw); err != nil {
		return Table{}, fmt.Errorf("reading the table of memory: %w", err)
	}
	t := Table{java: map[string]When{}, entrypoints: raw.Entrypoints, needs: raw.Needs}
	for _, v := range raw.JavaVariables {
		if !slices.Contains([]When{ReadFirst, ReadByLauncher, ReadByScript, ReadLast}, v.Read) || v.Source == "" {
			return Table{}, fmt.Errorf("reading the table of memory: %s: read or source is missing", strings.Join(v.Names, ", "))
		}
		for _, name := range v.Names {
			if _, ok := t.java[name]; ok {
				return Table{}, fmt.Errorf("reading the table of memory: %s is listed twice", name)
			}
			t.java[name] = v.Read
		}
	}
	for _, e := range t.entrypoints {
		if len(e.Images) == 0 || e.Program == "" || e.Source == "" {
			return Table{}, errors.New("reading the table of memory: an entrypoint without images, program or source")
		}
	}
	for _, n := range t.needs {
		if n.Bytes <= 0 || n.Because == "" || n.Source == "" {
			return Table{}, errors.New("reading the table of memory: a need without bytes, because or source")
		}
	}
	// The largest need is the one that is told.
	slices.SortStableFunc(t.needs, func(a, b need) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return t, nil
}
