package main

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/render"
	"github.com/forestall/forestall/internal/render/helm"
	"github.com/forestall/forestall/internal/render/kustomize"
)

// renderFlags are the flags for what is rendered before it is read.
type renderFlags struct {
	charts, kustomizations []string
	values                 helm.Values
	release, kubeVersion   string
	apiVersions            []string
}

// renders adds the flags for charts and kustomizations.
func renders(c *cobra.Command) *renderFlags {
	f := &renderFlags{}
	all := c.Flags()
	all.StringArrayVar(&f.charts, "helm", nil, "render this chart, a folder or a .tgz, as 'helm template' does; repeatable")
	all.StringArrayVar(&f.kustomizations, "kustomize", nil, "build the kustomization in this folder, as 'kubectl kustomize' does; repeatable")
	all.StringArrayVar(&f.values.Files, "values", nil, "file with values for the charts; repeatable, the last one counts")
	all.StringArrayVar(&f.values.Set, "set", nil, "value for the charts, as KEY=VALUE[,...]; repeatable")
	all.StringArrayVar(&f.values.Strings, "set-string", nil, "the same for values that are strings, whatever they look like")
	all.StringArrayVar(&f.values.JSON, "set-json", nil, "the same for values in JSON")
	all.StringArrayVar(&f.values.FromFiles, "set-file", nil, "the same for values that are in files, as KEY=FILE")
	all.StringVar(&f.release, "release", "", "name of the release that the charts are rendered for (default: "+helm.DefaultRelease+")")
	all.StringVar(&f.kubeVersion, "kube-version", "", "version of Kubernetes that the charts are rendered for (default: "+helm.DefaultKubeVersion+")")
	all.StringSliceVar(&f.apiVersions, "api-versions", nil, "APIs that the cluster has beside its own, for charts that ask for them, as GROUP/VERSION[,...]")
	_ = c.MarkFlagDirname("kustomize")
	_ = c.RegisterFlagCompletionFunc("helm", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return []cobra.Completion{"tgz"}, cobra.ShellCompDirectiveFilterFileExt // the shell offers folders, too
	})
	_ = c.MarkFlagFilename("values", "yaml", "yml")
	for _, name := range []string{"set", "set-string", "set-json", "release", "kube-version", "api-versions"} {
		complete(c, name)
	}
	return f
}

// check says what is wrong with the flags, whatever is in the files.
func (f *renderFlags) check(c *cobra.Command) error {
	for _, name := range []string{"values", "set", "set-string", "set-json", "set-file", "release", "kube-version", "api-versions"} {
		if c.Flags().Changed(name) && len(f.charts) == 0 {
			return usage(c, fmt.Errorf("--%s is for charts, and none is named: --helm CHART", name))
		}
	}
	if f.kubeVersion != "" {
		if err := helm.CheckKubeVersion(f.kubeVersion); err != nil {
			return usage(c, fmt.Errorf("--kube-version takes a version such as 1.34 or v1.34.2: %w", err))
		}
	}
	for _, path := range slices.Concat(f.charts, f.kustomizations, f.values.Files) {
		if path == "" {
			return usage(c, errors.New("--helm, --kustomize and --values take the name of a file or a folder, and one is empty"))
		}
		if regexp.MustCompile(address).MatchString(path) {
			return usage(c, fmt.Errorf("%s reads files, and %s is an address: nothing is fetched", c.Name(), finding.Quote(path)))
		}
	}
	return nil
}

// texts renders what the flags name. A chart or a kustomization that is named twice is rendered once.
func (a app) texts(c *cobra.Command, f *renderFlags, namespace string) ([]render.Text, error) {
	if err := f.check(c); err != nil {
		return nil, err
	}
	var all []render.Text
	err := a.overheard(func() (err error) {
		all, err = f.render(c, a, namespace)
		return err
	})
	return all, err
}

// render renders what the flags name.
func (f *renderFlags) render(c *cobra.Command, a app, namespace string) ([]render.Text, error) {
	o := helm.Options{Values: f.values, Release: f.release, Namespace: namespace, KubeVersion: f.kubeVersion, APIVersions: f.apiVersions}
	var all []render.Text
	for _, path := range distinct(f.charts) {
		r, err := helm.Render(c.Context(), path, o)
		if err != nil {
			return nil, err
		}
		for _, note := range r.Notes {
			a.complain(note)
		}
		all = append(all, r.Texts...)
	}
	for _, path := range distinct(f.kustomizations) {
		texts, err := kustomize.Render(c.Context(), path)
		if err != nil {
			return nil, err
		}
		all = append(all, texts...)
	}
	return all, nil
}

// distinct returns the paths once each, as they were first written.
func distinct(paths []string) []string {
	var all []string
	known := map[string]bool{}
	for _, path := range paths {
		path = filepath.Clean(path)
		at := path
		if abs, err := filepath.Abs(path); err == nil {
			at = abs
		}
		if !known[at] {
			known[at] = true
			all = append(all, path)
		}
	}
	return all
}

// overheard tells what libraries log while something is done, each line once. What they write to stderr by themselves is left out: it
// is advice of kustomize for those who write kustomizations.
func (a app) overheard(do func() error) error {
	flags, screen := log.Flags(), os.Stderr
	var logged bytes.Buffer
	log.SetFlags(0)
	log.SetOutput(&logged)
	if nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		defer func() { _ = nowhere.Close() }()
		os.Stderr = nowhere //nolint:reassign // kustomize knows no other way
	}
	defer func() {
		log.SetFlags(flags)
		log.SetOutput(screen)
		os.Stderr = screen //nolint:reassign // as above
	}()
	err := do()
	told := map[string]bool{}
	for line := range strings.Lines(logged.String()) {
		line = strings.TrimSpace(strings.TrimPrefix(line, "WARN "))
		if line != "" && !told[line] {
			told[line] = true
			a.complain("while rendering: " + line)
		}
	}
	return err
}

// rendersNothing makes a command say why it does not take a chart or a kustomization.
func rendersNothing(c *cobra.Command) {
	for _, name := range []string{"helm", "kustomize"} {
		c.Flags().StringArray(name, nil, "")
		_ = c.Flags().MarkHidden(name)
	}
	c.PreRunE = func(c *cobra.Command, _ []string) error {
		switch {
		case c.Flags().Changed("helm"):
			return usage(c, fmt.Errorf("%s changes manifests, and the templates of a chart are none: 'forestall audit --helm' says on which line of which template to change what", c.Name()))
		case c.Flags().Changed("kustomize"):
			return usage(c, fmt.Errorf("%s changes manifests, and a kustomization is built of several: name the files that it is built of", c.Name()))
		}
		return nil
	}
}
