package helm

import (
	"path"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/common"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/engine"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/render"
)

// texts renders the templates of a chart. It does so twice: as the chart is, and with marks in the templates that tell which line
// of them writes. What is judged is the first; the second says where it comes from, as far as it is the same without its marks.
func (c *loaded) texts(top common.Values) []render.Text {
	draws := &draws{}
	clean, err := c.render(top, draws.functions())
	if err != nil {
		return []render.Text{c.located(err)}
	}
	size := 0
	for _, text := range clean {
		size += len(text)
	}
	if size > render.MaxText {
		return []render.Text{render.Failed(c.path, 0, render.ErrLarge)}
	}
	lines := c.lines(top, draws, clean)
	places := c.templates()
	var all []render.Text
	for _, name := range sorted(clean) {
		if text := clean[name]; isManifest(name) && strings.TrimSpace(text) != "" {
			all = append(all, render.Text{Name: places[name], Text: []byte(text), Place: placeIn(places[name], lines[name])})
		}
	}
	return append(all, c.definitions()...)
}

// render renders the templates of the chart, without a cluster and without the network. The result is by the names that the
// engine gives to templates.
func (c *loaded) render(top common.Values, functions map[string]any) (map[string]string, error) {
	e := engine.Engine{CustomTemplateFuncs: functions}
	return e.RenderWithContext(nil, c.chart, common.Values(copied(top))) //nolint:staticcheck // the context is for look-ups in a cluster
}

// lines returns for each template the lines of it that wrote the lines of its text. It has none for a template that
// writes something else when it is marked.
func (c *loaded) lines(top common.Values, draws *draws, clean map[string]string) map[string][]int {
	m := marker{}
	plain := map[*common.File][]byte{}
	defer func() {
		for f, text := range plain {
			f.Data = text
		}
	}()
	each(c.chart, func(name string, f *common.File) {
		if _, known := plain[f]; !known && isManifest(name) {
			plain[f] = f.Data
			f.Data = []byte(m.marked(f, string(f.Data)))
		}
		m.add(name, f)
	})
	functions := draws.again()
	functions[markFunction] = m.mark
	marked, err := c.render(top, functions)
	if err != nil {
		return nil
	}
	all := map[string][]int{}
	for name, text := range marked {
		if without, lines := m.unmarked(text); without == clean[name] {
			all[name] = lines
		}
	}
	return all
}

// placeIn finds lines of a text in the template that wrote it.
func placeIn(name string, lines []int) func(string, int) finding.Source {
	return func(_ string, line int) finding.Source {
		at := finding.Source{File: name}
		if line > 0 && line <= len(lines) {
			at.Line = lines[line-1]
		}
		return at
	}
}

// isManifest reports whether Helm takes what a template renders for manifests: neither those that only define others nor notes are
// (helm.sh/helm/v4/pkg/action/action.go, renderResources; pkg/release/v1/util/manifest_sorter.go).
func isManifest(name string) bool {
	return !strings.HasPrefix(path.Base(name), "_") && !strings.HasSuffix(name, "NOTES.txt")
}

// each goes through the templates of a chart and of those that it depends on, by the names that the engine gives to them.
func each(c *chart.Chart, do func(name string, f *common.File)) {
	for _, f := range c.Templates {
		do(path.Join(c.ChartFullPath(), f.Name), f)
	}
	for _, d := range c.Dependencies() {
		each(d, do)
	}
}

// templates returns where the templates are, by the names that the engine gives to them.
func (c *loaded) templates() map[string]string {
	all := map[string]string{}
	each(c.chart, func(name string, f *common.File) { all[name] = c.place(f.Data) })
	return all
}

// definitions returns the files that define kinds, in crds/. They are no templates.
func (c *loaded) definitions() []render.Text {
	var all []render.Text
	for _, crd := range c.chart.CRDObjects() {
		name := c.place(crd.File.Data)
		all = append(all, render.Text{Name: name, Text: crd.File.Data, Place: func(_ string, line int) finding.Source {
			return finding.Source{File: name, Line: line}
		}})
	}
	return all
}

func sorted(texts map[string]string) []string {
	var names []string
	for name := range texts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
