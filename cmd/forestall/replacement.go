package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/forestall/forestall/internal/finding"
)

// replacement is a file that is written beside the one that it replaces, so that a run which ends early leaves the
// one of the run before.
type replacement struct {
	*os.File
	name string
	kept bool
}

// replaceLater begins a replacement of a file, which need not exist. A link stays, and leads to the new text. What is no
// regular file, such as a pipe, is written as it is, and so is what an open file is called, such as /dev/stderr.
func replaceLater(name string) (*replacement, error) {
	info, err := os.Stat(name)
	if err == nil && (!info.Mode().IsRegular() || ofDescriptor(name)) {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", finding.Quote(name), plain(err))
		}
		return &replacement{File: f}, nil
	}
	if err == nil {
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return nil, fmt.Errorf("%s: %w", finding.Quote(name), plain(err))
		}
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", finding.Quote(name), plain(err))
	}
	return &replacement{File: f, name: name}, nil
}

// ofDescriptor reports whether a name stands for a file that a process holds open: no other file can take its place.
func ofDescriptor(name string) bool {
	name, err := filepath.Abs(name)
	return err == nil && (strings.HasPrefix(name, "/dev/") || strings.HasPrefix(name, "/proc/"))
}

// keep puts what was written in the place of the file. The mode is that of the file, or what others may read.
func (r *replacement) keep() error {
	if r.name == "" {
		return r.Close()
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(r.name); err == nil {
		mode = info.Mode().Perm()
	}
	err := errors.Join(r.Chmod(mode), r.Close())
	if err == nil {
		err = os.Rename(r.Name(), r.name)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", finding.Quote(r.name), err)
	}
	r.kept = true
	return nil
}

// drop removes what was written, unless it was kept.
func (r *replacement) drop() {
	if r.kept || r.name == "" {
		return
	}
	_ = r.Close()
	_ = os.Remove(r.Name())
}
