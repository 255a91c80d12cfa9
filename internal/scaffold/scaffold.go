// Package scaffold writes the folder of a new rule. What it writes passes all
// checks as it stands, so that an author changes one thing at a time.
package scaffold

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
)

//go:embed templates
var templates embed.FS

// idForm is what a rule id looks like: it is a folder, a metric label and part of
// a URL at once.
const idForm = `^[a-z][a-z0-9]*(-[a-z0-9]+)+$`

// New writes the folder of rule id below dir and returns the files, in order. It
// overwrites nothing.
func New(dir, id string) ([]string, error) {
	if !regexp.MustCompile(idForm).MatchString(id) {
		return nil, fmt.Errorf("rule id %q: use lower-case words joined by hyphens, such as memory-limit-missing", id)
	}
	folder := filepath.Join(dir, id)
	if err := makeNew(folder); err != nil {
		return nil, err
	}
	var written []string
	err := fs.WalkDir(templates, "templates", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		// Ends in .tmpl so that no tool takes a template for a rule.
		name := strings.TrimSuffix(strings.TrimPrefix(path, "templates/"), ".tmpl")
		file := filepath.Join(folder, filepath.FromSlash(name))
		written = append(written, file)
		return write(path, file, id)
	})
	if err != nil { // as on a full disk; a part would stand in the way of the next try
		return nil, fmt.Errorf("writing rule %s: %w", id, errors.Join(err, os.RemoveAll(folder)))
	}
	return written, nil
}

// makeNew makes a folder that is not there.
func makeNew(folder string) error {
	if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		return err
	}
	err := os.Mkdir(folder, 0o755)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already", folder)
	}
	return err
}

func write(from, to, id string) error {
	raw, err := templates.ReadFile(from)
	if err != nil {
		return err
	}
	// Rego and prose are full of braces, so the templates use other marks.
	t, err := template.New(from).Delims("<<", ">>").Parse(string(raw))
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, map[string]string{"ID": id}); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, b.Bytes(), 0o644)
}
