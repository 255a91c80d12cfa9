package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// replaceFile puts the new text into a file. The file has the old text or the new at any
// moment, and keeps its mode and owner. A link keeps leading to it, but one that was found in a
// folder leads no further than the folder.
func replaceFile(f audit.FixedFile) error {
	folder, name, err := place(f)
	if err != nil {
		return err
	}
	// A part of the name may become a link at any moment: the root is never left.
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	return errors.Join(replaceIn(root, name, f.Before, f.After), root.Close())
}

// place returns where a file really is: in which folder, and under which name below it. What is
// written stays in the folder.
func place(f audit.FixedFile) (folder, name string, err error) {
	file, err := realPath(f.Name)
	if err != nil {
		return "", "", err
	}
	if f.Within == "" {
		return filepath.Dir(file), filepath.Base(file), nil
	}
	if folder, err = realPath(f.Within); err != nil {
		return "", "", err
	}
	name, err = filepath.Rel(folder, file)
	if err != nil || !filepath.IsLocal(name) {
		return "", "", fmt.Errorf("it leads to %s, which is not in %s, and was left alone: to change it, name the link itself: forestall fix --in-place %s",
			finding.Quote(file), finding.Quote(f.Within), finding.Quote(f.Name))
	}
	return folder, name, nil
}

// realPath is the absolute path without links.
func realPath(name string) (string, error) {
	name, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	name, err = filepath.EvalSymlinks(name)
	return name, plain(err)
}

func replaceIn(root *os.Root, name string, before, after []byte) error {
	info, now, err := regular(root, name, max(len(before), len(after)))
	switch {
	case err != nil:
		return err
	case bytes.Equal(now, after): // another link to it was found before
		return nil
	case !bytes.Equal(now, before):
		return errors.New("it was changed while forestall read it: run the command again")
	}
	// Hidden, so that no reader of the folder takes it for a manifest.
	dir, base := filepath.Split(name)
	beside := dir + "." + base + ".forestall-" + strconv.FormatUint(uint64(rand.Uint32()), 36)
	file, err := root.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("it stays as it was, since no file can be made beside it: %w", plain(err))
	}
	if err = errors.Join(fill(file, after, info), file.Close()); err == nil {
		err = root.Rename(beside, name)
	}
	if err == nil {
		return nil
	}
	err = fmt.Errorf("it stays as it was, since the new text cannot be written beside it: %w", plain(err))
	return errors.Join(err, root.Remove(beside))
}

// regular reads a regular file, and no more of it than one byte beyond most.
func regular(root *os.Root, name string, most int) (fs.FileInfo, []byte, error) {
	file, err := root.OpenFile(name, os.O_RDONLY|atOnce, 0)
	if err != nil {
		return nil, nil, plain(err)
	}
	defer func() { _ = file.Close() }() // it is only read
	info, err := file.Stat()
	if err != nil {
		return nil, nil, plain(err)
	}
	if !info.Mode().IsRegular() {
		return nil, nil, errors.New("it is no regular file: leave out --in-place to print the result")
	}
	text, err := io.ReadAll(io.LimitReader(file, int64(most)+1))
	return info, text, plain(err)
}

// fill writes a text so that it is on the disk, under the mode and owner of another file.
func fill(file *os.File, text []byte, like fs.FileInfo) error {
	if err := keepOwner(file, like); err != nil {
		return fmt.Errorf("keeping the owner: %w", plain(err))
	}
	if err := file.Chmod(like.Mode().Perm()); err != nil {
		return err
	}
	if _, err := file.Write(text); err != nil {
		return err
	}
	return file.Sync()
}

// plain drops the path from an error of the file system: whoever tells it has named the file.
func plain(err error) error {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		return at.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
