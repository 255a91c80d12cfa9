// Package helm renders charts as 'helm template' does, with the loader and the engine of Helm, and knows of each line that was
// rendered which line of which template wrote it.
//
// A chart may come from a stranger. Nothing is fetched, nothing is run, no variable of the environment is read, and no file
// outside of the chart. A chart that takes too long or too much ends the run (render.ErrTooMuch): a template cannot be stopped.
package helm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"helm.sh/helm/v4/pkg/chart/common"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"

	"github.com/forestall/forestall/internal/render"
)

// DefaultKubeVersion is the version of Kubernetes that charts are rendered for where no other is given: that of the Kubernetes
// modules that forestall is built with, as it is in Helm (helm.sh/helm/v4/pkg/chart/common/capabilities.go).
const DefaultKubeVersion = "v1.37.0"

// DefaultRelease is the name that 'helm template' gives to a release without one (helm.sh/helm/v4/pkg/cmd/template.go).
const DefaultRelease = "release-name"

// Options say how a chart is rendered.
type Options struct {
	// Values are laid over those of the chart.
	Values Values
	// Release is the name of the release; empty for DefaultRelease.
	Release string
	// Namespace that the release is installed in; empty for "default".
	Namespace string
	// KubeVersion is that of the cluster; empty for DefaultKubeVersion.
	KubeVersion string
	// APIVersions are known to the cluster beside those of Kubernetes itself: group/version or group/version/kind.
	APIVersions []string
}

// CheckKubeVersion says what is wrong with a version of Kubernetes.
func CheckKubeVersion(version string) error {
	_, err := common.ParseKubeVersion(version)
	return err
}

// Result is what was rendered of a chart.
type Result struct {
	// Texts are those that were rendered, in the order of the names of their templates, or why there are none.
	Texts []render.Text
	// Notes are what a person should know who reads the verdict.
	Notes []string
}

// Render renders the chart in a folder or an archive. What is wrong with the chart is one of the texts. Render itself fails when
// the context ends, and with render.ErrTooMuch.
func Render(ctx context.Context, path string, o Options) (Result, error) {
	values, wrong := o.Values.merged()
	if wrong != nil {
		return Result{Texts: []render.Text{*wrong}}, nil
	}
	var r Result
	err := render.Bounded(ctx, func() { r = rendered(ctx, path, values, o) })
	if err != nil {
		return Result{}, fmt.Errorf("rendering %s: %w", path, err)
	}
	return r, nil
}

func rendered(ctx context.Context, path string, values map[string]any, o Options) Result {
	c, err := load(ctx, path)
	if err != nil {
		return failed(path, err)
	}
	if err := fit(c.chart, path); err != nil {
		return failed(path, err)
	}
	if err := chartutil.ProcessDependencies(c.chart, copied(values)); err != nil {
		return failed(path, fmt.Errorf("processing the dependencies: %w", err))
	}
	top, err := o.scope(c.chart, values)
	if err != nil {
		return failed(path, err)
	}
	var r Result
	if r.Notes, err = checkValues(c.chart, top); err != nil {
		return failed(path, err)
	}
	r.Texts = c.texts(top)
	for i := range r.Texts {
		r.Texts[i].Namespace = o.namespace()
	}
	if len(r.Texts) == 0 {
		r.Texts = []render.Text{{Name: path}}
	}
	return r
}

func failed(name string, err error) Result {
	return Result{Texts: []render.Text{render.Failed(name, 0, err)}}
}

func (o Options) namespace() string { return cmp.Or(o.Namespace, "default") }

func (o Options) release() string { return cmp.Or(o.Release, DefaultRelease) }

// capabilities are what a chart can ask of the cluster.
func (o Options) capabilities() (*common.Capabilities, error) {
	version, err := common.ParseKubeVersion(cmp.Or(o.KubeVersion, DefaultKubeVersion))
	if err != nil {
		return nil, fmt.Errorf("reading the version of Kubernetes: %w", err)
	}
	c := common.DefaultCapabilities.Copy()
	c.KubeVersion = *version
	c.APIVersions = slices.Concat(c.APIVersions, o.APIVersions) // the list of Helm itself is not to grow
	return c, nil
}

// fit reports why a chart is nothing to render, as 'helm template' does.
func fit(c *chart.Chart, path string) error {
	switch {
	case c.Metadata.APIVersion != chart.APIVersionV1 && c.Metadata.APIVersion != chart.APIVersionV2:
		return fmt.Errorf("it is a chart of apiVersion %s: charts of v1 and v2 are rendered", c.Metadata.APIVersion)
	case c.Metadata.Type == "library":
		return errors.New("it is a library chart, which renders nothing: audit a chart that uses it")
	case c.Metadata.Type != "" && c.Metadata.Type != "application":
		return fmt.Errorf("a chart of the type %s is nothing that Helm installs", c.Metadata.Type)
	}
	var missing []string
	for _, d := range c.Metadata.Dependencies {
		if !slices.ContainsFunc(c.Dependencies(), func(have *chart.Chart) bool { return have.Name() == d.Name }) {
			missing = append(missing, d.Name)
		}
	}
	if len(missing) > 0 {
		return missingError{missing, path}
	}
	return nil
}
