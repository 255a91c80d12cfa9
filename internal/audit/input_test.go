package audit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInputs(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{
		"one.txt", "dir/b.yaml", "dir/a.YML", "dir/c.json", "dir/d.txt", "dir/.e.yaml", "dir/.f/g.yaml",
		"dir/deep/er/h.yaml", "other/i.yaml", ".hidden/j.yaml", "none/k.txt", "dir/folder.yaml/l.txt",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"dir/link.yaml": "../one.txt", "dir/linked": "../other", "dir/nowhere.yaml": "missing", "dir/linked.yaml": "../other",
	} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	var got []string
	for _, in := range inputs([]string{"one.txt", "dir/", "./dir/b.yaml", ".hidden", "-", "-", "none", "gone"}, nil) {
		text := filepath.ToSlash(in.name)
		if in.err == nil && in.name != stdinName {
			if f, err := in.open(); err != nil {
				in.err = reason(err)
			} else if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
		switch {
		case errors.Is(in.err, fs.ErrNotExist):
			text += ": is not there"
		case in.err != nil:
			text += ": " + in.err.Error()
		}
		got = append(got, text)
	}
	want := []string{
		"one.txt", "dir/a.YML", "dir/b.yaml", "dir/c.json", "dir/deep/er/h.yaml", "dir/link.yaml",
		"dir/nowhere.yaml: is not there", ".hidden/j.yaml", "<stdin>",
		"none: no files that end in .yaml, .yml, .json", "gone: is not there",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
}

func TestFolderThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.yaml"), []byte(pod), 0o644); err != nil {
		t.Fatal(err)
	}
	closed := filepath.Join(dir, "closed")
	if err := os.Mkdir(closed, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadDir(closed); err == nil {
		t.Skip("this user may read everything")
	}
	set, err := Load(t.Context(), Options{Paths: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	objects, errs := all(t, set)
	if len(objects) != 1 || len(errs) != 1 || errs[0].Source.File != closed {
		t.Errorf("got %d objects and errors %v", len(objects), errs)
	}
}
