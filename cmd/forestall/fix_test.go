package main

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/audit"
)

func TestReplaceFile(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "pod.yaml"), filepath.Join(dir, "link.yaml")
	put(t, file, 0o640)
	if err := os.Symlink("pod.yaml", link); err != nil {
		t.Fatal(err)
	}
	if err := replaceFile(audit.FixedFile{Name: link, Before: []byte("before"), After: []byte("after")}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Error(info, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is gone", err)
	}
	err = replaceFile(audit.FixedFile{Name: file, Before: []byte("before"), After: []byte("again")})
	if err == nil || err.Error() != "it was changed while forestall read it: run the command again" {
		t.Error(err)
	}
	if err := replaceFile(audit.FixedFile{Name: dir}); err == nil || err.Error() != "it is no regular file: leave out --in-place to print the result" {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"pod.yaml": "after", "link.yaml": "after"}, contents(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestReplaceFileWithoutRoomBeside: where no temporary file can be made, here because its
// name would be too long, the file stays as it was, and nothing is beside it.
func TestReplaceFileWithoutRoomBeside(t *testing.T) {
	dir := t.TempDir()
	name := strings.Repeat("p", 250) + ".yaml"
	put(t, filepath.Join(dir, name), 0o600)
	err := replaceFile(audit.FixedFile{Name: filepath.Join(dir, name), Before: []byte("before"), After: []byte("after")})
	if err == nil || err.Error() != "it stays as it was, since no file can be made beside it: file name too long" {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{name: "before"}, contents(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestInterruptedWhileWriting ends between two files: the first is written, the
// second is as it was.
func TestInterruptedWhileWriting(t *testing.T) {
	dir := t.TempDir()
	var files []audit.FixedFile
	for _, name := range []string{"a.yaml", "b.yaml"} {
		put(t, filepath.Join(dir, name), 0o600)
		files = append(files, audit.FixedFile{Name: filepath.Join(dir, name), Before: []byte("before"), After: []byte("after")})
	}
	ctx, cancel := context.WithCancel(t.Context())
	c := &cobra.Command{}
	c.SetContext(ctx)
	var complaints bytes.Buffer
	a := app{streams{out: writerFunc(func(p []byte) (int, error) {
		cancel()
		return len(p), nil
	}), err: &complaints}}
	unwritten, err := a.deliver(c, files, fixOptions{inPlace: true})
	if diff := cmp.Diff([]string{filepath.Join(dir, "b.yaml")}, unwritten); diff != "" {
		t.Errorf("unwritten (-want +got):\n%s", diff)
	}
	code := a.conclude(err)
	if code != exitInterrupted || complaints.String() != "forestall: interrupted: 1 of 2 files written, the rest is as it was\n" {
		t.Errorf("exit code %d, stderr %q", code, complaints.String())
	}
	if diff := cmp.Diff(map[string]string{"a.yaml": "after", "b.yaml": "before"}, contents(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestStream(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files []string
		want  string
	}{
		{"one file is as it is", []string{"\ufeffa: 1"}, "\ufeffa: 1"},
		{"no final newline", []string{"a: 1", "b: 1"}, "a: 1\n---\nb: 1"},
		{"a marker", []string{"a: 1\n", "---\nb: 1\n"}, "a: 1\n---\nb: 1\n"},
		{"a comment before the marker", []string{"a: 1\n", "# b\n---\nb: 1\n"}, "a: 1\n---\n# b\n---\nb: 1\n"},
		{"directives", []string{"a: 1\n", "# b\n%YAML 1.1\n---\nb: 1\n"}, "a: 1\n...\n# b\n%YAML 1.1\n---\nb: 1\n"},
		{"byte order marks", []string{"\ufeffa: 1\n", "\ufeffb: 1\n"}, "\ufeffa: 1\n---\nb: 1\n"},
		{"an empty file first", []string{"", "b: 1\n"}, "b: 1\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var files []audit.FixedFile
			for _, f := range tt.files {
				files = append(files, audit.FixedFile{After: []byte(f)})
			}
			if diff := cmp.Diff(tt.want, string(stream(files))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// put writes a file with the text "before".
func put(t *testing.T, file string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(file, []byte("before"), mode); err != nil {
		t.Fatal(err)
	}
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(text)
	}
	return all
}
