package audit

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/render"
)

// stdinName stands for standard input where files are named.
const stdinName = "<stdin>"

// input is one file to read, or why it cannot be.
type input struct {
	name string
	// within is the folder in which the file was found; empty where the file itself was named.
	within string
	open   func() (io.ReadCloser, error)
	err    error
	// rendered is set for a text that was rendered.
	rendered *render.Text
}

// file opens the file.
func (in input) file() (io.ReadCloser, error) {
	if in.err != nil {
		return nil, in.err
	}
	return in.open()
}

// Extensions lists the endings of the files that are read from folders.
func Extensions() []string { return []string{".yaml", ".yml", ".json"} }

// inputs finds the files behind the paths. What is named twice is read once, and a file that was
// named counts as such even if it was found in a folder before.
func inputs(paths []string, stdin io.Reader) []input {
	var all []input
	at := map[string]int{}
	for _, path := range paths {
		for _, in := range inputsAt(path, stdin) {
			i, known := at[in.name]
			switch {
			case !known:
				at[in.name] = len(all)
				all = append(all, in)
			case in.within == "":
				all[i].within = ""
			}
		}
	}
	return all
}

func inputsAt(path string, stdin io.Reader) []input {
	if path == "-" {
		return []input{{name: stdinName, open: func() (io.ReadCloser, error) { return io.NopCloser(stdin), nil }}}
	}
	path = filepath.Clean(path)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return []input{{name: path, err: reason(err)}}
	case info.IsDir():
		return inputsIn(path)
	default: // whatever its name and kind: a person has named it
		return []input{fileInput(path)}
	}
}

func fileInput(name string) input {
	return input{name: name, open: func() (io.ReadCloser, error) { return os.Open(name) }}
}

// inputsIn walks a folder. Hidden files and folders are left out, and links to
// folders are not followed. Links to files are, even out of the folder: they are only read.
func inputsIn(dir string) []input {
	var found []input
	_ = fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		name := filepath.Join(dir, filepath.FromSlash(path))
		switch {
		case err != nil:
			found = append(found, input{name: name, within: dir, err: reason(err)})
		case path != "." && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
		case isManifest(name, d) || isKustomizationFile(name) && d.Type().IsRegular():
			in := fileInput(name)
			in.within = dir
			found = append(found, in)
		}
		return nil // one folder that cannot be read hides no other
	})
	if len(found) == 0 {
		found = append(found, input{name: dir, err: fmt.Errorf("no files that end in %s", strings.Join(Extensions(), ", "))})
	}
	return found
}

// isManifest goes by the ending and, for links, by what they lead to: volumes of
// ConfigMaps are full of links to files. A link that leads nowhere is taken, so
// that it is reported.
func isManifest(name string, d fs.DirEntry) bool {
	if !slices.Contains(Extensions(), strings.ToLower(filepath.Ext(name))) {
		return false
	}
	if d.Type()&fs.ModeSymlink == 0 {
		return d.Type().IsRegular()
	}
	info, err := os.Stat(name)
	return err != nil || info.Mode().IsRegular()
}

// reason drops the path from an error of the file system: the source has it.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
