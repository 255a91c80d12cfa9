package kustomize

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// What is read of one kustomization at most, in bytes: of a file, and of all of them.
const (
	maxFile  = 16 << 20
	maxFiles = 256 << 20
)

// errReadOnly is for what no build of a kustomization does.
var errReadOnly = errors.New("files are only read")

// files are the files on disk, as a kustomization may see them. It refuses those that would have something fetched.
type files struct {
	filesys.FileSystem
	ctx  context.Context
	room int64
	// read, if set, changes what was read.
	read func(path string, text []byte) []byte
	// refused is the first reason to refuse a file. Kustomize takes a kustomization that it cannot read for none.
	refused error
	// patches are the files that kustomizations have named as patches so far, by their absolute names.
	patches map[string]bool
}

func newFiles(ctx context.Context) *files {
	return &files{FileSystem: filesys.MakeFsOnDisk(), ctx: ctx, room: maxFiles, patches: map[string]bool{}}
}

// ReadFile reads a file.
func (f *files) ReadFile(path string) ([]byte, error) {
	text, err := f.contents(path)
	if err != nil {
		return nil, err
	}
	if err := f.look(path, text); err != nil {
		return nil, f.refuse(err)
	}
	if f.read != nil {
		text = f.read(path, text)
	}
	return text, nil
}

func (f *files) contents(path string) ([]byte, error) {
	if err := f.ctx.Err(); err != nil {
		return nil, f.refuse(err)
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.Mode()&(os.ModeNamedPipe|os.ModeDevice|os.ModeSocket) != 0: // which may never end
		return nil, f.refuse(fmt.Errorf("%s is no file", path))
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	limit := min(maxFile, f.room)
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(text)) > limit:
		return nil, f.refuse(fmt.Errorf("%s is too large: of a kustomization %d MiB are read, and %d MiB of a file", path, maxFiles>>20, maxFile>>20))
	}
	f.room -= int64(len(text))
	return text, nil
}

func (f *files) refuse(err error) error {
	if f.refused == nil {
		f.refused = err
	}
	return err
}

// Create fails.
func (*files) Create(string) (filesys.File, error) { return nil, errReadOnly }

// Mkdir fails.
func (*files) Mkdir(string) error { return errReadOnly }

// MkdirAll fails.
func (*files) MkdirAll(string) error { return errReadOnly }

// RemoveAll fails.
func (*files) RemoveAll(string) error { return errReadOnly }

// WriteFile fails.
func (*files) WriteFile(string, []byte) error { return errReadOnly }

// reason drops the path from an error of the file system: whoever tells it has it.
func reason(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
