package lab

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// processes lists everything that runs in the lab, pods included.
func (c cgroups) processes() []int {
	var all []int
	_ = filepath.WalkDir(filepath.Join(c.tracked, c.name), func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil //nolint:nilerr // a cgroup that went away in the meantime holds no process
		}
		text, _ := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
		for _, line := range strings.Fields(string(text)) {
			if pid, err := strconv.Atoi(line); err == nil && pid > 1 {
				all = append(all, pid)
			}
		}
		return nil
	})
	return all
}

// kill ends everything that runs in the lab.
func (c cgroups) kill(ctx context.Context) error {
	return until(ctx, "ending the lab's processes", func() error {
		left := c.processes()
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL) // one that has ended is fine, too
		}
		if len(left) > 0 {
			return fmt.Errorf("still running: %v", left)
		}
		return nil
	})
}

// remove removes the lab's cgroups, leaves first. The kernel lets go of a
// cgroup a moment after its last process.
func (c cgroups) remove(ctx context.Context) error {
	return until(ctx, "removing the lab's cgroups", func() error {
		var errs []error
		// runc makes cgroups in the unified hierarchy of version 1 machines, too.
		for _, root := range append([]string{c.unified}, c.roots...) {
			errs = append(errs, removeTree(filepath.Join(root, c.name)))
		}
		return errors.Join(errs...)
	})
}

func removeTree(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if e.IsDir() {
			if err := removeTree(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	if err := syscall.Rmdir(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", dir, err)
	}
	return nil
}

// until tries something again until it succeeds or ctx ends.
func until(ctx context.Context, doing string, try func() error) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		err := try()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", doing, errors.Join(context.Cause(ctx), err))
		case <-tick.C:
		}
	}
}
