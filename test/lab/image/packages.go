package image

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// leftOut are folders of packages that no program needs to run.
var leftOut = [...]string{"usr/share/doc/", "usr/share/man/", "usr/share/locale/", "usr/share/icons/", "usr/share/fonts/"}

// packagesLayer downloads Debian packages with all that they depend on and packs
// what is in them into the file at archive. Nothing of them is run: what their
// installation would set up is among the image's Files.
func packagesLayer(ctx context.Context, packages []string, archive string) (v1.Layer, error) {
	debs, err := download(ctx, packages, filepath.Dir(archive))
	if err != nil {
		return nil, err
	}
	file, err := os.Create(archive)
	if err != nil {
		return nil, fmt.Errorf("making a layer: %w", err)
	}
	w := tar.NewWriter(file)
	seen := map[string]bool{}
	for _, deb := range debs {
		if err := unpack(ctx, deb, w, seen); err != nil {
			return nil, errors.Join(fmt.Errorf("unpacking %s: %w", filepath.Base(deb), err), file.Close())
		}
	}
	if err := errors.Join(w.Close(), file.Close()); err != nil {
		return nil, fmt.Errorf("making a layer: %w", err)
	}
	return tarball.LayerFromFile(archive)
}

// download returns the files of packages and of all that they depend on. apt is
// told that nothing is installed, so that it leaves nothing out, and keeps what it
// fetches in dir alone.
func download(ctx context.Context, packages []string, dir string) ([]string, error) {
	debs := filepath.Join(dir, "debs-"+strings.Join(packages, "-"))
	if err := os.MkdirAll(filepath.Join(debs, "partial"), 0o755); err != nil {
		return nil, fmt.Errorf("making the folder of the packages: %w", err)
	}
	nothing := filepath.Join(debs, "status")
	if err := os.WriteFile(nothing, nil, 0o644); err != nil {
		return nil, fmt.Errorf("making the folder of the packages: %w", err)
	}
	args := append([]string{
		"install", "--download-only", "--yes", "--quiet=2", "--no-install-recommends",
		"-o", "Dir::State::status=" + nothing, "-o", "Dir::Cache::archives=" + debs,
		"-o", "Debug::NoLocking=1", "-o", "APT::Sandbox::User=root",
	}, packages...)
	if aptGet(ctx, args...) != nil { // its lists may be missing, or too old
		if err := errors.Join(aptGet(ctx, "update", "--quiet=2"), aptGet(ctx, args...)); err != nil {
			return nil, fmt.Errorf("downloading the packages %s: %w", strings.Join(packages, ", "), err)
		}
	}
	return filepath.Glob(filepath.Join(debs, "*.deb"))
}

func aptGet(ctx context.Context, args ...string) error {
	out, err := exec.CommandContext(ctx, "apt-get", args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("apt-get: %w\n%s", err, out)
	}
	return nil
}

// unpack appends the files of a package to an archive.
func unpack(ctx context.Context, deb string, w *tar.Writer, seen map[string]bool) error {
	cmd := exec.CommandContext(ctx, "dpkg-deb", "--fsys-tarfile", deb)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = appendFiles(tar.NewReader(out), w, seen)
	_, drained := io.Copy(io.Discard, out) // or dpkg-deb would fail on what it cannot write
	return errors.Join(err, drained, cmd.Wait())
}

func appendFiles(r *tar.Reader, w *tar.Writer, seen map[string]bool) error {
	for {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		header.Name = strings.TrimPrefix(header.Name, "./")
		if header.Typeflag == tar.TypeLink {
			header.Linkname = strings.TrimPrefix(header.Linkname, "./")
		}
		without := slices.ContainsFunc(leftOut[:], func(folder string) bool { return strings.HasPrefix(header.Name, folder) })
		if header.Name == "" || without || seen[header.Name] {
			continue
		}
		seen[header.Name] = true
		if err := w.WriteHeader(header); err != nil {
			return err
		}
		if _, err := io.Copy(w, r); err != nil { //nolint:gosec // packages of the distribution, not of strangers
			return err
		}
	}
}
