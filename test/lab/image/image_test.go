package image

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// TestWrite reads an archive back as containerd does.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	if err := os.WriteFile(program, []byte("content"), 0o700); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(dir, "images.tar")
	file, err := os.Create(archive)
	if err != nil {
		t.Fatal(err)
	}
	err = Write(t.Context(), file, dir, []Image{{
		Tags: []string{"lab.example.com/app:1", "app:1"}, Entrypoint: []string{"/bin/app"}, Env: []string{"A=b"},
		Files: []File{{Path: "/bin/app", Source: program}, {Path: "/bin/other", Link: "app"}, {Path: "/tmp", Folder: true}},
	}})
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	for _, tag := range []string{"lab.example.com/app:1", "app:1"} {
		ref, err := name.NewTag(tag)
		if err != nil {
			t.Fatal(err)
		}
		built, err := tarball.ImageFromPath(archive, &ref)
		if err != nil {
			t.Fatal(err)
		}
		config, err := built.ConfigFile()
		if err != nil || config.OS != "linux" || config.Config.Entrypoint[0] != "/bin/app" {
			t.Errorf("%s: %+v, %v", tag, config, err)
		}
		layers, err := built.Layers()
		if err != nil || len(layers) != 1 {
			t.Fatalf("%d layers, %v", len(layers), err)
		}
		content, err := layers[0].Uncompressed()
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"bin/ ", "bin/app content", "bin/other -> app", "tmp/ "}
		if diff := cmp.Diff(want, entries(t, content)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tag, diff)
		}
	}
}

func entries(t *testing.T, r io.Reader) []string {
	t.Helper()
	var all []string
	for archive := tar.NewReader(r); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if _, err := io.Copy(&text, archive); err != nil {
			t.Fatal(err)
		}
		line := h.Name + " " + text.String()
		if h.Linkname != "" {
			line = h.Name + " -> " + h.Linkname
		}
		all = append(all, line)
	}
}

// TestWriteNamesWhatIsMissing because the sources are files of the machine.
func TestWriteNamesWhatIsMissing(t *testing.T) {
	err := Write(t.Context(), io.Discard, t.TempDir(), []Image{{Tags: []string{"app:1"}, Files: []File{{Path: "/app", Source: "/no/such/file"}}}})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
