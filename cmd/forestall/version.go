package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/report"
)

// version tells which forestall this is.
type version struct {
	Version string `json:"version"`
	// Revision of the source; empty where the build did not know it.
	Revision string `json:"revision"`
	// Modified is true where the source differed from the revision.
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
}

func (a app) versionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "version",
		Short:   "Tell which forestall this is",
		Example: `  forestall version -o json`,
		Args:    noArgs(""),
	}
	output := choose(c, "output", "o", "how to show it", "text", "json")
	c.RunE = func(*cobra.Command, []string) error {
		v := thisVersion()
		if output.value == "json" {
			return report.Indented(a.out, v)
		}
		_, err := io.WriteString(a.out, v.String()+"\n")
		return err
	}
	return c
}

func thisVersion() version {
	v := version{Version: "unknown", Go: runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	v.Version = info.Main.Version
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// String returns the version in one line.
func (v version) String() string {
	revision := v.Revision
	switch {
	case revision == "":
		revision = "unknown"
	case v.Modified:
		revision += ", modified"
	}
	return fmt.Sprintf("forestall %s (revision %s, %s %s/%s)", v.Version, revision, v.Go, runtime.GOOS, runtime.GOARCH)
}
