package image

import (
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// Program is the image of a dynamically linked program of this machine: the
// file, its interpreter, and the libraries that it and they are linked with.
func Program(binary string, tags ...string) (Image, error) {
	i := Image{Tags: tags, Cmd: []string{binary}, Files: []File{{Path: binary, Source: binary}, {Path: "/tmp", Folder: true}}}
	libraries := linked{seen: map[string]bool{}}
	if err := libraries.add(binary); err != nil {
		return Image{}, fmt.Errorf("reading what %s is linked with: %w", binary, err)
	}
	i.Files = append(i.Files, libraries.files...)
	return i, nil
}

// linked collects the libraries of a program.
type linked struct {
	seen  map[string]bool
	files []File
}

func (l *linked) add(binary string) error {
	file, err := elf.Open(binary)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // it was only read
	names, err := file.ImportedLibraries()
	if err != nil {
		return err
	}
	if err := l.interpreter(file); err != nil {
		return err
	}
	for _, name := range names {
		if l.seen[name] {
			continue
		}
		l.seen[name] = true
		source, err := findLibrary(name)
		if err != nil {
			return err
		}
		l.files = append(l.files, File{Path: source, Source: source})
		if err := l.add(source); err != nil {
			return err
		}
	}
	return nil
}

// interpreter adds the loader, under the path that the program names.
func (l *linked) interpreter(file *elf.File) error {
	for _, p := range file.Progs {
		if p.Type != elf.PT_INTERP {
			continue
		}
		text := make([]byte, p.Filesz)
		if _, err := p.ReadAt(text, 0); err != nil {
			return fmt.Errorf("reading the interpreter: %w", err)
		}
		loader := string(text[:slices.Index(append(text, 0), 0)])
		if !l.seen[path.Base(loader)] {
			l.seen[path.Base(loader)] = true
			l.files = append(l.files, File{Path: loader, Source: loader})
		}
	}
	return nil
}

// findLibrary looks where Debian puts libraries.
func findLibrary(name string) (string, error) {
	for _, pattern := range []string{"/lib/*-linux-*/", "/usr/lib/*-linux-*/", "/lib64/", "/usr/lib/"} {
		found, err := filepath.Glob(pattern + name)
		if err != nil {
			return "", err
		}
		for _, file := range found {
			if _, err := os.Stat(file); err == nil || !errors.Is(err, fs.ErrNotExist) {
				return file, err
			}
		}
	}
	return "", fmt.Errorf("%s is in no library folder", name)
}
