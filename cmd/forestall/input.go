package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/finding"
)

// inputFlags are the flags of the commands that read manifests.
type inputFlags struct {
	files      *[]string
	complete   *bool
	namespaces *namespaces
	config     *configFlags
}

// reads adds the flags for what is read, and the shell's offers for arguments.
func reads(c *cobra.Command) inputFlags {
	c.Args = cobra.ArbitraryArgs
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return endings(), cobra.ShellCompDirectiveFilterFileExt
	}
	return inputFlags{files: filesFlag(c), complete: completeFlag(c), namespaces: namespaceFlag(c), config: configFlag(c)}
}

// endings are those of manifests in folders, without the dot.
func endings() []string {
	var all []string
	for _, e := range audit.Extensions() {
		all = append(all, strings.TrimPrefix(e, "."))
	}
	return all
}

// options returns what is to be read: what -f names, then the arguments.
func (f inputFlags) options(args []string) audit.Options {
	return audit.Options{Paths: slices.Concat(*f.files, args), Complete: *f.complete, Namespace: f.namespaces.last()}
}

// load reads what the options name.
func (a app) load(c *cobra.Command, o audit.Options) (*audit.Set, error) {
	if len(o.Paths)+len(o.Rendered) == 0 || slices.Contains(o.Paths, "") { // "$UNSET" is no wish to read this folder
		what := "FILE, DIR, or - for standard input"
		if c.Flags().Lookup("cluster") != nil {
			what = "FILE, DIR, - for standard input, --helm CHART, --kustomize DIR, or --cluster"
		}
		return nil, usage(c, fmt.Errorf("say what to read: forestall %s %s", c.Name(), what))
	}
	for _, path := range o.Paths {
		if err := notAddress(c, path); err != nil {
			return nil, err
		}
	}
	o.Stdin = a.in
	return audit.Load(c.Context(), o)
}

// address is how an address on the web begins, or of another store than the file system.
const address = `^[A-Za-z][A-Za-z0-9+.-]*://`

// notAddress refuses an address, which kubectl would fetch. Forestall reads files, and makes no connections.
func notAddress(c *cobra.Command, path string) error {
	if !regexp.MustCompile(address).MatchString(path) {
		return nil
	}
	err := fmt.Errorf("%s reads files, and %s is an address", c.Name(), finding.Quote(path))
	if scheme, _, _ := strings.Cut(strings.ToLower(path), ":"); scheme == "http" || scheme == "https" {
		err = fmt.Errorf("%w: curl -fsSL '%s' | forestall %s -f -", err, finding.Quote(path), c.Name())
	}
	return usage(c, err)
}

// configFlags say which configuration file is used.
type configFlags struct {
	path string
	none bool
}

func configFlag(c *cobra.Command) *configFlags {
	f := &configFlags{}
	c.Flags().StringVar(&f.path, "config", "", "configuration file: levels and parameters of rules (default: the nearest "+config.FileName+", in this folder or one around it)")
	c.Flags().BoolVar(&f.none, "no-config", false, "use no configuration file, and look for none")
	_ = c.MarkFlagFilename("config", "yaml", "yml")
	return f
}

// configFile returns the path of the configuration file, and says which one was found; it is empty for none.
func (a app) configFile(c *cobra.Command, f *configFlags) (string, error) {
	named := c.Flags().Changed("config")
	switch {
	case named && f.none:
		return "", usage(c, errors.New("--config names a configuration and --no-config wants none: choose one"))
	case named && f.path == "": // as of --config "$UNSET"
		return "", usage(c, errors.New("--config names no file: --no-config is for none"))
	case named || f.none:
		return f.path, nil
	}
	here, err := os.Getwd()
	if err != nil {
		return "", nil //nolint:nilerr // a folder that was removed meanwhile is in no project
	}
	path := config.Find(here)
	if path == "" {
		return "", nil
	}
	if near, err := filepath.Rel(here, path); err == nil {
		path = near
	}
	a.note("the configuration is " + finding.Quote(path) + " (--no-config leaves it out)")
	return path, nil
}

// configuration reads the configuration file that the flags mean.
func (a app) configuration(c *cobra.Command, f *configFlags) (config.Configuration, error) {
	path, err := a.configFile(c, f)
	if err != nil {
		return config.Configuration{}, err
	}
	return config.Load(path)
}
