package lab

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestControllers: what the first lab turns on in the root of cgroups is turned off with the
// last one, and nothing else is. The tree is of plain files, which keep what was last written.
func TestControllers(t *testing.T) {
	const all = "cpu memory pids"
	for _, test := range []struct {
		name   string
		before string // in the root
		boot   string // instead of the current one
		first  string // what the first lab leaves in the root
		after  string // the last one
	}{
		{"nothing was missing", all, "", all, all},
		{"one was missing", "cpu pids", "", "+memory", "-memory"},
		{"the machine was started again", "cpu pids", "another", "+memory", all},
	} {
		t.Run(test.name, func(t *testing.T) {
			base, root := filepath.Join(t.TempDir(), "labs"), t.TempDir()
			file := filepath.Join(root, "cgroup.subtree_control")
			write(t, filepath.Join(root, "cgroup.controllers"), all)
			write(t, file, test.before)
			for _, name := range []string{"a", "b"} {
				if _, err := claim(Options{Name: name, Base: base}); err != nil {
					t.Fatal(err)
				}
				c := cgroups{roots: []string{root}, unified: root, tracked: root, memory: root, version: 2, name: "forestall-" + name}
				if err := c.make(base); err != nil {
					t.Fatal(err)
				}
				if got := content(t, filepath.Join(root, c.name, "cgroup.subtree_control")); got != "+pids" { // the last of three
					t.Errorf("lab %s hands down %q", name, got)
				}
				if got := content(t, file); name == "a" && got != test.first {
					t.Errorf("the first lab leaves %q in the root, want %q", got, test.first)
				}
				write(t, file, all) // as the kernel says it then
			}
			if test.boot != "" {
				write(t, filepath.Join(base, controllersFile), `{"boot":"`+test.boot+`","added":["memory"]}`)
			}
			for _, name := range []string{"a", "b"} {
				if got := content(t, file); got != all {
					t.Errorf("before lab %s is stopped, the root hands down %q", name, got)
				}
				if err := errors.Join(takeBack(base, root, name), os.RemoveAll(filepath.Join(base, name))); err != nil {
					t.Fatal(err)
				}
			}
			if got := content(t, file); got != test.after {
				t.Errorf("in the end the root hands down %q, want %q", got, test.after)
			}
			if err := os.Remove(base); err != nil {
				t.Errorf("something is left: %v", err)
			}
		})
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
