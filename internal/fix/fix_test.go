package fix_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	kyaml "sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/fix"
)

var update = flag.Bool("update", false, "write what comes out into the files")

// TestApply reads testdata/*.txtar: a document, changes, and what comes out of it.
func TestApply(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for i := 0; i+2 < len(archive.Files); i += 3 {
				in, change, want := archive.Files[i], archive.Files[i+1], &archive.Files[i+2]
				got := result(t, in, change.Data)
				if *update {
					want.Data = []byte(got)
				} else if diff := cmp.Diff(string(want.Data), got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", in.Name, diff)
				}
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// result is what comes out: the text, or the error. In the name of the file stands
// how it differs from what an archive can hold.
func result(t *testing.T, in txtar.File, change []byte) string {
	t.Helper()
	var changes []fix.Change
	if err := kyaml.UnmarshalStrict(change, &changes); err != nil {
		t.Fatal(err)
	}
	text := string(in.Data)
	crlf, open := strings.Contains(in.Name, "crlf"), strings.Contains(in.Name, "no-newline")
	if crlf {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if open {
		text = strings.TrimRight(text, "\r\n")
	}
	d, err := fix.Parse([]byte(text))
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	out, err := d.Apply(changes)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	got := string(out)
	if crlf {
		if strings.Count(got, "\n") != strings.Count(got, "\r\n") {
			t.Errorf("%s: not all lines end in CRLF: %q", in.Name, got)
		}
		got = strings.ReplaceAll(got, "\r\n", "\n")
	}
	if open {
		if strings.HasSuffix(got, "\n") {
			t.Errorf("%s: there is a final newline", in.Name)
		}
		got += "\n"
	}
	return got
}
