//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/audit"
)

// TestFilesInAFolder: what was found in a folder is written only if it really is there, however
// the links lead to it.
func TestFilesInAFolder(t *testing.T) {
	const before, after = "before", "after"
	for _, tt := range []struct {
		name string
		// make puts the file a.yaml into the folder, beside which the file out/x.yaml is.
		make func(t *testing.T, folder, out string)
		// want is the error, with OUT for the real path of out; empty where the file is written.
		want string
	}{
		{"a file", func(t *testing.T, folder, _ string) { put(t, filepath.Join(folder, "a.yaml"), 0o644) }, ""},
		{"a link within", func(t *testing.T, folder, _ string) {
			put(t, filepath.Join(folder, "b.yaml"), 0o644)
			link(t, "b.yaml", filepath.Join(folder, "a.yaml"))
		}, ""},
		{"an absolute link within", func(t *testing.T, folder, _ string) {
			put(t, filepath.Join(folder, "b.yaml"), 0o644)
			link(t, filepath.Join(folder, "b.yaml"), filepath.Join(folder, "a.yaml"))
		}, ""},
		{"links as in the volume of a ConfigMap", func(t *testing.T, folder, _ string) {
			data := filepath.Join(folder, "..2026_11_22")
			if err := os.Mkdir(data, 0o755); err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(data, "a.yaml"), 0o644)
			link(t, "..2026_11_22", filepath.Join(folder, "..data"))
			link(t, "..data/a.yaml", filepath.Join(folder, "a.yaml"))
		}, ""},
		{"a link out of it", func(t *testing.T, folder, out string) {
			link(t, filepath.Join("..", filepath.Base(out), "x.yaml"), filepath.Join(folder, "a.yaml"))
		}, "leads"},
		{"an absolute link out of it", func(t *testing.T, folder, out string) {
			link(t, filepath.Join(out, "x.yaml"), filepath.Join(folder, "a.yaml"))
		}, "leads"},
		{"a link to a link out of it", func(t *testing.T, folder, out string) {
			link(t, out, filepath.Join(folder, "linked"))
			link(t, "linked/x.yaml", filepath.Join(folder, "a.yaml"))
		}, "leads"},
		{"a second name of a file out of it", func(t *testing.T, folder, out string) {
			if err := os.Link(filepath.Join(out, "x.yaml"), filepath.Join(folder, "a.yaml")); err != nil {
				t.Skip("no hard links here: ", err)
			}
		}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			all := t.TempDir()
			folder, out := filepath.Join(all, "manifests"), filepath.Join(all, "manifests-of-others")
			for _, dir := range []string{folder, out} {
				if err := os.Mkdir(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			put(t, filepath.Join(out, "x.yaml"), 0o644)
			tt.make(t, folder, out)
			file := filepath.Join(folder, "a.yaml")
			err := replaceFile(audit.FixedFile{Name: file, Within: folder, Before: []byte(before), After: []byte(after)})
			want, text := "", after
			if tt.want != "" {
				real, _ := filepath.EvalSymlinks(filepath.Join(out, "x.yaml"))
				want = "it leads to " + real + ", which is not in " + folder + ", and was left alone: to change it, name the link itself: forestall fix --in-place " + file
				text = before
			}
			got := ""
			if err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if now, err := os.ReadFile(file); err != nil || string(now) != text {
				t.Errorf("the file is %q, want %q: %v", now, text, err)
			}
			if diff := cmp.Diff(map[string]string{"x.yaml": before}, contents(t, out)); diff != "" {
				t.Errorf("outside (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSwappedWhileWriting: the place of a file is known, and then a part of it becomes a link, or
// the file becomes something else.
func TestSwappedWhileWriting(t *testing.T) {
	for _, tt := range []struct {
		name string
		swap func(t *testing.T, folder, out string)
		want string
	}{
		{"a folder becomes a link out", func(t *testing.T, folder, out string) {
			gone(t, filepath.Join(folder, "deep"))
			link(t, out, filepath.Join(folder, "deep"))
		}, "path escapes from parent"},
		{"the file becomes a link out", func(t *testing.T, folder, out string) {
			gone(t, filepath.Join(folder, "deep/x.yaml"))
			link(t, filepath.Join(out, "x.yaml"), filepath.Join(folder, "deep/x.yaml"))
		}, "path escapes from parent"},
		{"the file becomes a FIFO, which has no writer", func(t *testing.T, folder, _ string) {
			gone(t, filepath.Join(folder, "deep/x.yaml"))
			if err := syscall.Mkfifo(filepath.Join(folder, "deep/x.yaml"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "it is no regular file: leave out --in-place to print the result"},
		{"the file grows without end", func(t *testing.T, folder, _ string) {
			if err := os.Truncate(filepath.Join(folder, "deep/x.yaml"), 1<<40); err != nil {
				t.Skip("no files with holes here: ", err)
			}
		}, "it was changed while forestall read it: run the command again"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			all := t.TempDir()
			folder, out := filepath.Join(all, "manifests"), filepath.Join(all, "out")
			for _, dir := range []string{filepath.Join(folder, "deep"), out} {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				put(t, filepath.Join(dir, "x.yaml"), 0o644)
			}
			root, err := os.OpenRoot(folder)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = root.Close() }()
			tt.swap(t, folder, out)
			err = replaceIn(root, "deep/x.yaml", []byte("before"), []byte("after"))
			if err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			if diff := cmp.Diff(map[string]string{"x.yaml": "before"}, contents(t, out)); diff != "" {
				t.Errorf("outside (-want +got):\n%s", diff)
			}
		})
	}
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
}

func gone(t *testing.T, name string) {
	t.Helper()
	if err := os.RemoveAll(name); err != nil {
		t.Fatal(err)
	}
}
