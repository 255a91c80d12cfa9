package memory

import (
	"cmp"
	"errors"
	"fmt"
	"path"
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
	reads       []reads
	needs       []need
	ceilings    []ceiling
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
	Shows           string   `json:"shows"`
	Source          string   `json:"source"`
}

// file is the table as it is written.
type file struct {
	JavaVariables []struct {
		Names  []string `json:"names"`
		Read   When     `json:"read"`
		Source string   `json:"source"`
	} `json:"javaVariables"`
	Entrypoints []entrypoint `json:"entrypoints"`
	Readers     []reads      `json:"readers"`
	Needs       []need       `json:"needs"`
	Ceilings    []ceiling    `json:"ceilings"`
}

// ParseTable reads the table. It is strict: an unknown field or an entry without source is an error.
func ParseTable(data []byte) (Table, error) {
	var f file
	if err := yaml.UnmarshalStrict(data, &f); err != nil {
		return Table{}, fmt.Errorf("reading the table of memory: %w", err)
	}
	java, err := f.variables()
	if err == nil {
		err = errors.Join(f.validate(), f.validateReaders(java))
	}
	if err != nil {
		return Table{}, fmt.Errorf("reading the table of memory: %w", err)
	}
	// The largest need is the one that is told.
	slices.SortStableFunc(f.Needs, func(a, b need) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return Table{java: java, entrypoints: f.Entrypoints, reads: f.Readers, needs: f.Needs, ceilings: f.Ceilings}, nil
}

// variables are the moments in which the variables are read, by their names.
func (f file) variables() (map[string]When, error) {
	java := map[string]When{}
	for _, v := range f.JavaVariables {
		if !slices.Contains([]When{ReadFirst, ReadByLauncher, ReadByScript, ReadLast}, v.Read) || v.Source == "" {
			return nil, fmt.Errorf("%s: read or source is missing", strings.Join(v.Names, ", "))
		}
		for _, name := range v.Names {
			if _, ok := java[name]; ok {
				return nil, fmt.Errorf("%s is listed twice", name)
			}
			java[name] = v.Read
		}
	}
	return java, nil
}

func (f file) validateReaders(java map[string]When) error {
	for _, r := range f.Readers {
		if len(r.Programs)+len(r.Images)+len(r.Names) == 0 || r.Source == "" {
			return errors.New("a reader without programs, images and names, or without source")
		}
		for _, pattern := range r.Names {
			if _, err := path.Match(pattern, ""); err != nil {
				return fmt.Errorf("the name %s: %w", pattern, err)
			}
		}
		for _, name := range r.Reads {
			if _, ok := java[name]; !ok && name != nodeOptions && name != goLimitName {
				return fmt.Errorf("%s is read, and is none of the variables", name)
			}
		}
	}
	return nil
}

func (f file) validate() error {
	for _, e := range f.Entrypoints {
		if len(e.Images) == 0 || e.Program == "" || e.Source == "" {
			return errors.New("an entrypoint without images, program or source")
		}
	}
	for _, c := range f.Ceilings {
		if len(c.Programs) == 0 || len(c.Options) == 0 || len(c.Units) == 0 || c.Source == "" {
			return errors.New("a ceiling without programs, options, units or source")
		}
	}
	for _, n := range f.Needs {
		if n.Bytes <= 0 || n.Because == "" || n.Shows == "" || n.Source == "" {
			return errors.New("a need without bytes, because, shows or source")
		}
	}
	return nil
}
