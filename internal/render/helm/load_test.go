package helm

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestStrangeFolders are charts that somebody may have made to do harm.
func TestStrangeFolders(t *testing.T) {
	tests := map[string]struct {
		make func(dir string) error
		want string
	}{
		"a link to a folder around it": {
			func(dir string) error { return os.Symlink("..", filepath.Join(dir, "files", "loop")) },
			"files/loop" + strings.Repeat("/files/loop", 8) + " is a link that leads back to itself",
		},
		"a link to a file elsewhere": {
			func(dir string) error { return os.Symlink("/etc/passwd", filepath.Join(dir, "files", "passwd")) },
			"files/passwd is a link that leads out of the chart, and is not followed (path escapes from parent): 'helm package' makes a chart that is whole",
		},
		"a link to a folder elsewhere": {
			func(dir string) error { return os.Symlink("../../..", filepath.Join(dir, "files", "up")) },
			"files/up is a link that leads out of the chart, and is not followed (path escapes from parent): 'helm package' makes a chart that is whole",
		},
		"a link to nothing": {
			func(dir string) error { return os.Symlink("nothing", filepath.Join(dir, "files", "l")) },
			"files/l is a link that leads nowhere",
		},
		"a pipe": {
			func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, "files", "pipe"), 0o600) },
			"files/pipe: it is neither a folder nor a file",
		},
		"a large file": {
			func(dir string) error {
				file := filepath.Join(dir, "files", "large")
				if err := os.WriteFile(file, nil, 0o600); err != nil {
					return err
				}
				return os.Truncate(file, 100<<20)
			},
			"files/large: with it the chart is larger than the 100 MiB that Helm takes: leave out in .helmignore what is no part of the chart",
		},
		"a broken dependency": {
			func(dir string) error {
				if err := os.MkdirAll(filepath.Join(dir, "charts"), 0o755); err != nil {
					return err
				}
				return os.WriteFile(filepath.Join(dir, "charts", "a-1.0.0.tgz"), []byte("no archive"), 0o600)
			},
			"unpacking charts/a-1.0.0.tgz: gzip: invalid header",
		},
		"a broken .helmignore": {
			func(dir string) error { return os.WriteFile(filepath.Join(dir, ".helmignore"), []byte("a**"), 0o600) },
			"reading .helmignore: double-star (**) syntax is not supported",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := chartOf(t, map[string]string{"files/a": "a", "templates/a.yaml": "a: {{ .Files.Get \"files/passwd\" }}"})
			if err := test.make(dir); err != nil {
				t.Fatal(err)
			}
			r, err := Render(t.Context(), dir, Options{})
			if err != nil || len(r.Texts) != 1 || r.Texts[0].Err == nil {
				t.Fatalf("%v, %v", r, err)
			}
			if got := r.Texts[0].Err.Error(); got != test.want || r.Texts[0].Name != dir {
				t.Errorf("%s: %s\nwant %s", r.Texts[0].Name, got, test.want)
			}
		})
	}
}

// TestIgnoredLinks are not followed, so that they may lead anywhere.
func TestIgnoredLinks(t *testing.T) {
	dir := chartOf(t, map[string]string{".helmignore": "secret\n", "templates/a.yaml": "a: 1\n"})
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "secret")); err != nil {
		t.Fatal(err)
	}
	if texts := rendering(t, dir, Options{}); len(texts) != 1 || string(texts[0].Text) != "a: 1\n" {
		t.Errorf("%v", texts)
	}
}

func TestDependencies(t *testing.T) {
	for name, want := range map[string]bool{
		"charts/a-1.tgz": true, "charts/a/charts/b.tgz": true, "charts/a.tgz/b": false, "templates/a.tgz": false, "charts/_a.tgz": false,
		"charts/.a.tgz": false, "charts/a/b.tgz": false, "charts/a": false, "charts/a/templates/charts/b.tgz": false, "": false,
	} {
		if got := isDependency(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// TestValues lays each kind of values over those before.
func TestValues(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"one.yaml": "a: {b: file, c: file}\nl: [1, 2]\n", "two.yaml": "a: {c: second}\nnil: null\n", "text": "from a file\n"} {
		write(t, filepath.Join(dir, name), text)
	}
	v := Values{
		Files:     []string{filepath.Join(dir, "one.yaml"), filepath.Join(dir, "two.yaml")},
		JSON:      []string{`a={"b":"json","j":[true]}`, `{"o":{"p":1.5}}`},
		Set:       []string{"a.b=set,l[1]=3", "i=1,t=true,s=a\\,b"},
		Strings:   []string{"i=2"},
		FromFiles: []string{"f=" + filepath.Join(dir, "text")},
	}
	got, wrong := v.merged()
	if wrong != nil {
		t.Fatal(wrong.Err)
	}
	want := map[string]any{
		"a": map[string]any{"b": "set", "j": []any{true}}, "l": []any{float64(1), int64(3)}, "nil": nil,
		"o": map[string]any{"p": 1.5}, "i": "2", "t": true, "s": "a,b", "f": "from a file\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, test := range []struct {
		values     Values
		name, want string
	}{
		{Values{Files: []string{"none.yaml"}}, "none.yaml", "no such file or directory"},
		{Values{JSON: []string{"{"}}, "--set-json {", "unexpected end of JSON input"},
		{Values{Set: []string{"a[999999]=1"}}, "--set a[999999]=1", "index of 999999 is greater than maximum supported index of 65536"},
		{Values{FromFiles: []string{"a=none"}}, "--set-file a=none", "no such file or directory"},
	} {
		_, wrong := test.values.merged()
		if wrong == nil || wrong.Name != test.name || wrong.Err.Error() != test.want {
			t.Errorf("%v: %+v", test.values, wrong)
		}
	}
}
