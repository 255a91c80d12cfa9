package main

import (
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

// How kubectl finds its plugins, by the names of executables on the PATH (https://kubernetes.io/docs/tasks/extend-kubectl/kubectl-plugins/). The
// second is asked what may follow on the command line.
const (
	pluginFile     = "kubectl-forestall"
	completionFile = "kubectl_complete-forestall"
	pluginName     = "kubectl forestall"
)

// calledAs returns how the program is called in help, and the arguments of the command line.
func calledAs(argv []string) (name string, args []string) {
	if len(argv) == 0 {
		return "", nil
	}
	switch strings.TrimSuffix(filepath.Base(argv[0]), ".exe") {
	case pluginFile:
		return pluginName, argv[1:]
	case completionFile:
		return pluginName, append([]string{cobra.ShellCompRequestCmd}, argv[1:]...)
	}
	return "", argv[1:]
}

// rename makes all help texts of a command, and of those below it, say how it was called.
func rename(root *cobra.Command, name string) {
	if name == "" {
		return
	}
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: name}
	var words []string
	for _, c := range root.Commands() {
		words = append(words, regexp.QuoteMeta(c.Name()))
	}
	commands := regexp.MustCompile(`\b` + regexp.QuoteMeta(root.Name()) + ` (` + strings.Join(words, "|") + `)\b`)
	var all func(c *cobra.Command)
	all = func(c *cobra.Command) {
		c.Example, c.Long = commands.ReplaceAllString(c.Example, name+" $1"), commands.ReplaceAllString(c.Long, name+" $1")
		for _, sub := range c.Commands() {
			all(sub)
		}
	}
	all(root)
}
