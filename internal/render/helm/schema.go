package helm

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"helm.sh/helm/v4/pkg/chart/common"
	chart "helm.sh/helm/v4/pkg/chart/v2"
)

// checkValues holds the values against the schemas of a chart and of those that it depends on, as Helm does
// (helm.sh/helm/v4/pkg/chart/common/util/jsonschema.go). A schema elsewhere is not fetched: it takes everything, and a note says so.
func checkValues(c *chart.Chart, top common.Values) (notes []string, err error) {
	values, _ := table(top["Values"])
	s := schemas{}
	s.check(c, values)
	return s.notes, errors.Join(s.wrong...)
}

type schemas struct {
	notes []string
	wrong []error
}

func (s *schemas) check(c *chart.Chart, values map[string]any) {
	if c.Schema != nil {
		if err := s.against(c, values); err != nil {
			s.wrong = append(s.wrong, err)
		}
	}
	for _, d := range c.Dependencies() {
		below, known := values[d.Name()]
		if !known || below == nil {
			continue
		}
		if t, ok := table(below); ok {
			s.check(d, t)
			continue
		}
		s.wrong = append(s.wrong, fmt.Errorf("the value %s is to be a mapping: it holds those of the chart %s", d.Name(), d.Name()))
	}
}

func (s *schemas) against(c *chart.Chart, values map[string]any) (err error) {
	defer func() {
		if p := recover(); p != nil { // as Helm does: the library panics on some schemas
			err = fmt.Errorf("reading values.schema.json of the chart %s: %v", c.Name(), p)
		}
	}()
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(c.Schema))
	if err != nil {
		return fmt.Errorf("reading values.schema.json of the chart %s: %w", c.Name(), err)
	}
	const url = "file:///values.schema.json"
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(elsewhere{s, c.Name()})
	if err := compiler.AddResource(url, schema); err != nil {
		return fmt.Errorf("reading values.schema.json of the chart %s: %w", c.Name(), err)
	}
	compiled, err := compiler.Compile(url)
	if err != nil {
		return fmt.Errorf("reading values.schema.json of the chart %s: %w", c.Name(), err)
	}
	err = compiled.Validate(map[string]any(values))
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		problems := said(invalid)
		slices.Sort(problems) // the validator goes through maps
		return fmt.Errorf("the values do not fit values.schema.json of the chart %s: %s", c.Name(), strings.Join(problems, "; "))
	}
	return err
}

// elsewhere stands for schemas that a schema refers to.
type elsewhere struct {
	s     *schemas
	chart string
}

// Load returns a schema that takes everything.
func (e elsewhere) Load(url string) (any, error) {
	note := fmt.Sprintf("values.schema.json of the chart %s refers to %s, which is not fetched: what it says of the values was not checked", e.chart, url)
	if !slices.Contains(e.s.notes, note) {
		e.s.notes = append(e.s.notes, note)
	}
	return true, nil
}

// said returns what is wrong with which value.
func said(e *jsonschema.ValidationError) []string {
	if len(e.Causes) == 0 {
		where := strings.Join(e.InstanceLocation, ".")
		if where == "" {
			where = "the values"
		}
		return []string{where + ": " + e.ErrorKind.LocalizedString(message.NewPrinter(language.English))}
	}
	var all []string
	for _, c := range e.Causes {
		all = append(all, said(c)...)
	}
	return all
}
