package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// controllersFile is in the directory of all labs while the root of cgroups of version 2 hands
// down controllers that it did not before the first lab.
const controllersFile = "controllers.json"

// controllers are what the labs of this machine have turned on in the root.
type controllers struct {
	// Boot is which start of the machine that was in; the next one begins anew.
	Boot string `json:"boot"`
	// Added are the controllers, such as memory.
	Added []string `json:"added"`
}

// handDown gives a cgroup of version 2, and those below it, all controllers. What that changes
// in the root is written down first, in the directory of all labs.
func handDown(base, root, dir string) error {
	unlock, err := lock(base)
	if err != nil {
		return err
	}
	defer unlock()
	all, err := words(filepath.Join(root, "cgroup.controllers"))
	if err != nil {
		return fmt.Errorf("reading the controllers: %w", err)
	}
	before, err := words(filepath.Join(root, "cgroup.subtree_control"))
	if err != nil {
		return fmt.Errorf("reading the controllers: %w", err)
	}
	missing := slices.DeleteFunc(slices.Clone(all), func(c string) bool { return slices.Contains(before, c) })
	if err := remember(base, missing); err != nil {
		return err
	}
	return errors.Join(control(root, "+", missing), control(dir, "+", all))
}

// control turns controllers on or off for what is below a cgroup, one by one.
func control(dir, sign string, controllers []string) error {
	var errs []error
	for _, c := range controllers {
		if err := os.WriteFile(filepath.Join(dir, "cgroup.subtree_control"), []byte(sign+c), 0o644); err != nil {
			errs = append(errs, fmt.Errorf("controller %s: %w", c, err))
		}
	}
	return errors.Join(errs...)
}

// remember adds to the controllers that labs have turned on.
func remember(base string, added []string) error {
	if len(added) == 0 {
		return nil
	}
	c := remembered(base)
	c.Added = slices.Compact(slices.Sorted(slices.Values(append(c.Added, added...))))
	text, err := json.Marshal(c)
	if err == nil {
		err = os.WriteFile(filepath.Join(base, controllersFile), text, 0o600)
	}
	if err != nil {
		return fmt.Errorf("writing down the controllers: %w", err)
	}
	return nil
}

// remembered returns what labs have turned on since the machine was started.
func remembered(base string) controllers {
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id") // without one, all starts are the same
	now := controllers{Boot: strings.TrimSpace(string(boot))}
	var c controllers
	text, err := os.ReadFile(filepath.Join(base, controllersFile))
	if err != nil || json.Unmarshal(text, &c) != nil || c.Boot != now.Boot {
		return now
	}
	return c
}

// takeBack turns off what labs have turned on in the root, if the lab of this name is the last
// one. The kernel refuses it where another cgroup hands the controller down in turn; then it
// stays on, and is no longer ours.
func takeBack(base, root, name string) error {
	unlock, err := lock(base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unlock()
	labs, err := List(base)
	if err != nil || slices.ContainsFunc(labs, func(r Record) bool { return r.Name != name }) {
		return err
	}
	_ = control(root, "-", remembered(base).Added)
	if err := os.Remove(filepath.Join(base, controllersFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forgetting the controllers: %w", err)
	}
	return nil
}

// words reads a file of one line.
func words(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	return strings.Fields(string(text)), err
}
