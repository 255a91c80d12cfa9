package image

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// File is one file of an image: a copy, a text, a link, or an empty folder.
type File struct {
	// Path in the image, such as /bin/sh.
	Path string
	// Source is the file of this machine that is copied.
	Source string
	// Text is the content of a file that is copied from nowhere.
	Text string
	// Link is what a symbolic link points at.
	Link string
	// Folder makes an empty folder that anybody may write to.
	Folder bool
}

// layerOf packs files, with the folders above them.
func layerOf(files []File) (v1.Layer, error) {
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	made := map[string]bool{}
	for _, f := range files {
		if err := parents(w, made, f.Path); err != nil {
			return nil, err
		}
		if err := f.pack(w); err != nil {
			return nil, fmt.Errorf("packing %s: %w", f.Path, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("packing: %w", err)
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(packed.Bytes())), nil
	})
}

// parents adds the folders that a path needs and that are not there yet.
func parents(w *tar.Writer, made map[string]bool, file string) error {
	dir := path.Dir(file)
	if dir == "/" || dir == "." || made[dir] {
		return nil
	}
	if err := parents(w, made, dir); err != nil {
		return err
	}
	made[dir] = true
	return w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: relative(dir) + "/", Mode: 0o755})
}

func (f File) pack(w *tar.Writer) error {
	switch {
	case f.Folder:
		return w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: relative(f.Path) + "/", Mode: 0o1777})
	case f.Link != "":
		return w.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: relative(f.Path), Linkname: f.Link, Mode: 0o777})
	}
	content := []byte(f.Text)
	if f.Source != "" {
		var err error
		if content, err = os.ReadFile(f.Source); err != nil {
			return err
		}
	}
	header := &tar.Header{Typeflag: tar.TypeReg, Name: relative(f.Path), Mode: 0o755, Size: int64(len(content))}
	if err := w.WriteHeader(header); err != nil {
		return err
	}
	_, err := w.Write(content)
	return err
}

// relative is a path as archives write it.
func relative(file string) string { return strings.TrimPrefix(path.Clean(file), "/") }
