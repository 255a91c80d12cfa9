package image

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// Busybox is the image of busybox: the static binary of this machine, with a
// link for each of its applets.
func Busybox(ctx context.Context, tags ...string) (Image, error) {
	binary, err := exec.LookPath("busybox")
	if err != nil {
		return Image{}, fmt.Errorf("finding busybox (Debian: busybox-static): %w", err)
	}
	applets, err := exec.CommandContext(ctx, binary, "--list").Output()
	if err != nil {
		return Image{}, fmt.Errorf("listing the applets of busybox: %w", err)
	}
	i := Image{Tags: tags, Cmd: []string{"sh"}, Files: []File{
		{Path: "/bin/busybox", Source: binary},
		{Path: "/tmp", Folder: true},
	}}
	for _, applet := range strings.Fields(string(applets)) {
		if applet != "busybox" {
			i.Files = append(i.Files, File{Path: "/bin/" + applet, Link: "busybox"})
		}
	}
	return i, nil
}
