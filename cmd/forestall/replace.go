package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// replaceFile puts a new text into a file. The file has the old text or the new at any
// moment, and keeps its mode and owner; a link keeps leading to it.
func replaceFile(name string, before, after []byte) error {
	name, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is no regular file: leave out --in-place to print the result")
	}
	now, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, before) {
		return errors.New("it was changed while forestall read it: run the command again")
	}
	// Hidden, so that no reader of the folder takes it for a manifest.
	temporary, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".forestall-*")
	if err != nil {
		return err
	}
	err = errors.Join(fill(temporary, after, info), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return nil
}

// fill writes a text so that it is on the disk, under the mode and owner of another file.
func fill(file *os.File, text []byte, like fs.FileInfo) error {
	if err := keepOwner(file, like); err != nil {
		return fmt.Errorf("keeping the owner: %w", err)
	}
	if err := file.Chmod(like.Mode().Perm()); err != nil {
		return err
	}
	if _, err := file.Write(text); err != nil {
		return err
	}
	return file.Sync()
}
