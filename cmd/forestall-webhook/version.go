package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/forestall/forestall/webhook"
)

// buildInfo returns what the Go tool noted in the program.
func buildInfo() webhook.BuildInfo {
	out := webhook.BuildInfo{Version: "unknown", Revision: "unknown", GoVersion: runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return out
	}
	if info.Main.Version != "" {
		out.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			out.Revision = s.Value
		}
	}
	return out
}

func versionLine(b webhook.BuildInfo) string {
	return fmt.Sprintf("forestall-webhook %s (revision %s, %s, %s/%s)", b.Version, b.Revision, b.GoVersion, runtime.GOOS, runtime.GOARCH)
}
