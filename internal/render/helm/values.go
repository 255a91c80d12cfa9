package helm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"helm.sh/helm/v4/pkg/chart/common"
	commonutil "helm.sh/helm/v4/pkg/chart/common/util"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/strvals"

	"github.com/forestall/forestall/internal/render"
)

// maxValues bounds a file of values, in bytes.
const maxValues = 16 << 20

// Values are what is laid over the values of a chart: each list over those before it, as Helm does
// (helm.sh/helm/v4/pkg/cli/values/options.go). All but Files are written key=value.
type Values struct {
	// Files are the names of YAML files.
	Files []string
	// JSON are keys with JSON, or JSON objects.
	JSON []string
	// Set are keys with values of the type that they look like.
	Set []string
	// Strings are keys with strings.
	Strings []string
	// FromFiles are keys with the names of files that hold the value.
	FromFiles []string
}

// merged returns the values as one.
func (v Values) merged() (map[string]any, *render.Text) {
	all := map[string]any{}
	for _, name := range v.Files {
		text, err := contents(name)
		if err != nil {
			return nil, wrongValues(name, err)
		}
		more, err := loader.LoadValues(bytes.NewReader(text))
		if err != nil {
			return nil, wrongValues(name, fmt.Errorf("reading the values: %w", err))
		}
		all = loader.MergeMaps(all, more)
	}
	for _, text := range v.JSON {
		if err := setJSON(&all, text); err != nil {
			return nil, wrongValues("--set-json "+text, err)
		}
	}
	sets := []struct {
		flag  string
		texts []string
		parse func(string, map[string]any) error
	}{
		{"--set ", v.Set, strvals.ParseInto},
		{"--set-string ", v.Strings, strvals.ParseIntoString},
		{"--set-file ", v.FromFiles, setFile},
	}
	for _, s := range sets {
		for _, text := range s.texts {
			if err := s.parse(text, all); err != nil {
				return nil, wrongValues(s.flag+text, err)
			}
		}
	}
	return all, nil
}

func wrongValues(name string, err error) *render.Text {
	t := render.Failed(name, 0, err)
	return &t
}

func setJSON(all *map[string]any, text string) error {
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return strvals.ParseJSON(text, *all)
	}
	var more map[string]any
	if err := json.Unmarshal([]byte(text), &more); err != nil {
		return err
	}
	*all = loader.MergeMaps(*all, more)
	return nil
}

func setFile(text string, all map[string]any) error {
	return strvals.ParseIntoFile(text, all, func(name []rune) (any, error) {
		text, err := contents(string(name))
		return string(text), err
	})
}

// contents reads a file that the caller has named.
func contents(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, reason(err)
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxValues+1))
	switch {
	case err != nil:
		return nil, reason(err)
	case len(text) > maxValues:
		return nil, fmt.Errorf("it is larger than %d MiB", maxValues>>20)
	}
	return text, nil
}

// reason drops the path from an error of the file system: whoever tells it has it.
func reason(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// scope is what templates see.
func (o Options) scope(c *chart.Chart, values map[string]any) (common.Values, error) {
	caps, err := o.capabilities()
	if err != nil {
		return nil, err
	}
	if need := c.Metadata.KubeVersion; need != "" && !compatible(need, caps.KubeVersion.String()) {
		return nil, fmt.Errorf("the chart wants Kubernetes %s and is rendered for %s: --kube-version says which one you have", need, caps.KubeVersion.Version)
	}
	release := common.ReleaseOptions{Name: o.release(), Namespace: o.namespace(), Revision: 1, IsInstall: true}
	const unchecked = true // checkValues does it, without the network
	top, err := commonutil.ToRenderValuesWithSchemaValidation(c, copied(values), release, caps, unchecked)
	if err != nil {
		return nil, fmt.Errorf("putting the values together: %w", err)
	}
	return top, nil
}

// copied returns values that may be changed: templates change theirs (set), and a chart is rendered twice.
func copied(values map[string]any) map[string]any {
	return copiedValue(values).(map[string]any) //nolint:forcetypeassert // it is what went in
}

func copiedValue(v any) any {
	switch v := v.(type) {
	case common.Values:
		return common.Values(copied(v))
	case map[string]any:
		c := make(map[string]any, len(v))
		for name, value := range v {
			c[name] = copiedValue(value)
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i := range v {
			c[i] = copiedValue(v[i])
		}
		return c
	}
	return v
}
