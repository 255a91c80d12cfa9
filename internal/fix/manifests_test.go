package fix_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	kyaml "sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/fix"
)

// TestManifests adds an entry to every mapping, and replaces every value, of all
// manifests of the examples and rules, and of those below FORESTALL_MANIFESTS.
func TestManifests(t *testing.T) {
	for _, dir := range []string{"../../examples", "../../policies", "../../test", os.Getenv("FORESTALL_MANIFESTS")} {
		if dir == "" {
			continue
		}
		tried := 0
		for _, file := range manifests(t, dir) {
			for i, text := range documents(t, file) {
				tried += tryAll(t, file, i, text)
			}
		}
		t.Logf("%s: %d changes", dir, tried)
	}
}

func manifests(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && (strings.HasSuffix(path, ".yaml") || strings.HasSuffix(path, ".json")) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func documents(t *testing.T, file string) [][]byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]byte
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, document)
	}
}

// tryAll returns how many changes it has tried.
func tryAll(t *testing.T, file string, number int, text []byte) int {
	t.Helper()
	d, err := fix.Parse(text)
	if err != nil {
		return 0 // a comment alone, a template, data of somebody else
	}
	if _, err := kyaml.YAMLToJSONStrict(text); err != nil {
		return 0 // a key stands twice
	}
	const most = 50 // of each document
	all := fix.Everywhere(d)
	tried := 0
	for i := 0; i < len(all); i += 1 + len(all)/most {
		op := all[i]
		tried++
		out, err := d.Apply([]fix.Change{{Patch: []finding.Operation{op}}})
		switch {
		case err != nil && (strings.Contains(err.Error(), "alias") || strings.Contains(err.Error(), "unknown anchor")):
		case err != nil:
			t.Errorf("%s, document %d, %s %s: %v", file, number, op.Op, op.Path, err)
		case op.Op == "add" && !keeps(text, out):
			t.Errorf("%s, document %d, %s: the text has lost something:\n%s", file, number, op.Path, out)
		}
	}
	return tried
}

// keeps reports whether a text is another one with something put in.
func keeps(text, out []byte) bool {
	for _, c := range out {
		if len(text) > 0 && text[0] == c {
			text = text[1:]
		}
	}
	return len(text) == 0
}
