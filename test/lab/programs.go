package lab

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/forestall/forestall/test/lab/image"
)

// programs are real programs from Debian's packages, by the image that has them.
// They are large, so a lab has them only where it was asked: see AddImages.
func programs() map[string]image.Image {
	users := image.File{Path: "/etc/passwd", Text: "root:x:0:0:root:/root:/bin/sh\nwww-data:x:33:33:www-data:/var/www:/bin/sh\n"}
	groups := image.File{Path: "/etc/group", Text: "root:x:0:\nadm:x:4:\nwww-data:x:33:\n"}
	return map[string]image.Image{
		"lab.forestall.dev/stress:1": {Packages: []string{"stress"}, Cmd: []string{"stress", "--help"}},
		"lab.forestall.dev/redis:1":  {Packages: []string{"redis-server"}, Cmd: []string{"redis-server"}},
		"lab.forestall.dev/node:1":   {Packages: []string{"nodejs"}, Cmd: []string{"node"}},
		"lab.forestall.dev/python:1": {Packages: []string{"python3-minimal"}, Cmd: []string{"python3"}},
		"lab.forestall.dev/java:1": {
			Packages: []string{"openjdk-17-jre-headless"}, Cmd: []string{"java", "-version"},
			Files: []image.File{{Path: "/usr/local/bin/java", Link: "/usr/lib/jvm/java-17-openjdk-" + runtime.GOARCH + "/bin/java"}},
		},
		"lab.forestall.dev/nginx:1": {
			Packages: []string{"nginx-light"}, Cmd: []string{"nginx", "-g", "daemon off;"},
			// What the installation would have made.
			Files: []image.File{
				users, groups,
				{Path: "/etc/nginx/sites-enabled/default", Link: "../sites-available/default"},
				{Path: "/run", Folder: true},
				{Path: "/var/log/nginx/error.log", Link: "/dev/stderr"},
			},
		},
	}
}

// AddImages gives the lab those of the named images that it can have and does not
// have from its start. It needs Debian's apt-get, and downloads packages.
func (l *Lab) AddImages(ctx context.Context, names ...string) error {
	var wanted []image.Image
	all := programs()
	shell, err := image.Busybox(ctx)
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		i, ok := all[name]
		if !ok {
			continue
		}
		l.options.Progress("image " + name + " from the packages " + strings.Join(i.Packages, ", "))
		i.Tags = []string{name}
		i.Files = append(slices.Clip(shell.Files), i.Files...) // people start these from a shell
		wanted = append(wanted, i)
	}
	if len(wanted) == 0 {
		return nil
	}
	return l.give(ctx, wanted)
}

// ImageNames lists the images that AddImages knows.
func ImageNames() []string { return slices.Sorted(maps.Keys(programs())) }
