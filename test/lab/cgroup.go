package lab

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// cgroups are a lab's own cgroup, in each hierarchy of version 1 or in the one
// of version 2. The kubelet makes the pods' cgroups below it.
type cgroups struct {
	roots   []string // where the hierarchies are mounted
	unified string   // the hierarchy of version 2, which may stand beside those of version 1
	tracked string   // the hierarchy that knows all processes of the lab
	memory  string   // the hierarchy that bounds memory
	version int
	name    string
}

// findCgroups looks at what is mounted on this machine.
func findCgroups(lab string) (cgroups, error) {
	text, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		return cgroups{}, fmt.Errorf("looking for cgroups: %w", err)
	}
	c := cgroups{name: "forestall-" + lab, version: 2}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line) // device, mount point, type, options
		switch {
		case len(f) < 4:
		case f[2] == "cgroup2":
			c.unified = f[1]
		case f[2] == "cgroup":
			c.version = 1
			c.roots = append(c.roots, f[1])
			options := strings.Split(f[3], ",")
			if slices.Contains(options, "pids") {
				c.tracked = f[1]
			}
			if slices.Contains(options, "memory") {
				c.memory = f[1]
			}
		}
	}
	if c.version == 2 {
		c.roots, c.tracked, c.memory = []string{c.unified}, c.unified, c.unified
	}
	if c.tracked == "" || c.memory == "" {
		return cgroups{}, errors.New("no cgroups are mounted that count processes and memory")
	}
	return c, nil
}

// make makes the lab's cgroup. On version 1 nobody hands down which CPUs and
// which memory nodes it may use; on version 2 nobody hands down controllers.
// What it turns on for that is remembered in base, the directory of all labs.
func (c cgroups) make(base string) error {
	for _, root := range c.roots {
		dir := filepath.Join(root, c.name)
		if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("making the lab's cgroup: %w", err)
		}
		for _, file := range []string{"cpuset.cpus", "cpuset.mems"} {
			if err := c.inherit(root, dir, file); err != nil {
				return err
			}
		}
		if c.version == 2 {
			if err := handDown(base, root, dir); err != nil {
				return fmt.Errorf("handing down controllers: %w", err)
			}
		}
	}
	if err := os.MkdirAll(filepath.Dir(c.procs()), 0o755); err != nil {
		return fmt.Errorf("making the cgroup of the lab's processes: %w", err)
	}
	return nil
}

func (c cgroups) inherit(root, dir, file string) error {
	value, err := os.ReadFile(filepath.Join(root, file))
	if errors.Is(err, fs.ErrNotExist) || c.version == 2 {
		return nil
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, file), value, 0o644)
	}
	if err != nil {
		return fmt.Errorf("giving the lab's cgroup its %s: %w", file, err)
	}
	return nil
}

// procs is the file that takes the lab's own processes in.
func (c cgroups) procs() string {
	return filepath.Join(c.tracked, c.name, "daemons", "cgroup.procs")
}
