package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// deliver hands over repaired files in the way that the flags ask for. It returns the names of those
// that stay as they were although they were to be written.
func (a app) deliver(c *cobra.Command, files []audit.FixedFile, o fixOptions) (unwritten []string, err error) {
	switch {
	case o.inPlace:
		return a.writeFiles(c, files)
	case o.diff:
		return nil, a.showDiff(files)
	}
	_, err = a.out.Write(stream(files))
	return nil, err
}

// showDiff prints what differs, for people, git apply and patch -p1.
func (a app) showDiff(files []audit.FixedFile) error {
	var all []byte
	for _, f := range files {
		name := strings.TrimPrefix(filepath.ToSlash(f.Name), "/")
		all = append(all, diff.Diff(finding.Quote("a/"+name), f.Before, finding.Quote("b/"+name), f.After)...)
	}
	if len(all) == 0 {
		return nil
	}
	if _, err := a.out.Write(all); err != nil {
		return err
	}
	return errFound
}

// writeFiles replaces the files that have changed and prints their names.
func (a app) writeFiles(c *cobra.Command, files []audit.FixedFile) (unwritten []string, err error) {
	var todo []audit.FixedFile
	for _, f := range files {
		if !bytes.Equal(f.Before, f.After) {
			todo = append(todo, f)
			unwritten = append(unwritten, f.Name)
		}
	}
	var failed []error
	for _, f := range todo {
		err := a.whole(c.Context(), func() error { return replaceFile(f) })
		switch {
		case c.Context().Err() != nil && errors.Is(err, c.Context().Err()):
			return unwritten, errors.Join(append(failed, partialError{fmt.Sprintf("interrupted: %d of %s written, the rest is as it was",
				len(todo)-len(unwritten), counted(len(todo), "file"))})...)
		case err != nil:
			failed = append(failed, fmt.Errorf("%s: %w", finding.Quote(f.Name), err))
			continue
		}
		unwritten = slices.DeleteFunc(unwritten, func(name string) bool { return name == f.Name })
		if _, err := io.WriteString(a.out, finding.Quote(f.Name)+"\n"); err != nil {
			failed = append(failed, err)
		}
	}
	return unwritten, errors.Join(failed...)
}

const mark = "\ufeff"

// stream joins files to one stream of documents. One file is printed as it is.
func stream(files []audit.FixedFile) []byte {
	var out []byte
	for _, f := range files {
		text := f.After
		if len(out) > 0 {
			text = bytes.TrimPrefix(text, []byte(mark))
			if !bytes.HasSuffix(out, []byte("\n")) {
				out = append(out, '\n')
			}
			out = append(out, separator(text)...)
		}
		out = append(out, text...)
	}
	return out
}

// separator is what must stand before a text that follows another.
func separator(text []byte) string {
	if bytes.HasPrefix(text, []byte("---")) {
		return ""
	}
	for line := range bytes.Lines(text) {
		if body := bytes.TrimSpace(line); len(body) > 0 && body[0] != '#' {
			if line[0] == '%' { // directives follow the end of a document
				return "...\n"
			}
			break
		}
	}
	return "---\n"
}
