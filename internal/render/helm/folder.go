package helm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"

	"helm.sh/helm/v4/pkg/chart/loader/archive"
	"helm.sh/helm/v4/pkg/ignore"
)

// maxFiles and maxDepth bound what is read of a folder; links in it may make it look deeper than it is.
const (
	maxFiles = 50_000
	maxDepth = 64
)

// walk reads the files of a chart's folder.
type walk struct {
	root   *os.Root
	rules  *ignore.Rules
	files  []*archive.BufferedFile
	seen   int
	budget int64
}

// folder reads the files of a chart as the loader of Helm does (helm.sh/helm/v4/pkg/chart/v2/loader/directory.go): without what
// .helmignore names, and through links. Unlike Helm it follows no link that leads out of the folder: whoever writes a chart could
// have files of others read.
func folder(ctx context.Context, name string) ([]*archive.BufferedFile, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, reason(err)
	}
	defer func() { _ = root.Close() }()
	w := walk{root: root, rules: ignore.Empty(), budget: archive.MaxDecompressedChartSize}
	if text, err := root.ReadFile(ignore.HelmIgnore); err == nil {
		if w.rules, err = ignore.Parse(bytes.NewReader(text)); err != nil {
			return nil, fmt.Errorf("reading %s: %w", ignore.HelmIgnore, err)
		}
	}
	w.rules.AddDefaults()
	if err := w.dir(ctx, ".", 0); err != nil {
		return nil, err
	}
	return w.files, nil
}

func (w *walk) dir(ctx context.Context, name string, depth int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if depth > maxDepth {
		return fmt.Errorf("%s: folders are in each other more than %d times", name, maxDepth)
	}
	entries, err := fs.ReadDir(w.root.FS(), name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, reason(err))
	}
	for _, e := range entries {
		if w.seen++; w.seen > maxFiles {
			return fmt.Errorf("there are more than %d files in the folder", maxFiles)
		}
		if err := w.entry(ctx, path.Join(name, e.Name()), e, depth); err != nil {
			return err
		}
	}
	return nil
}

func (w *walk) entry(ctx context.Context, name string, e fs.DirEntry, depth int) error {
	info, err := w.root.Stat(name)
	switch {
	case err != nil && e.Type()&fs.ModeSymlink != 0:
		if link, lerr := e.Info(); lerr == nil && w.rules.Ignore(name, link) {
			return nil
		}
		return linkError{name, reason(err)}
	case err != nil:
		return fmt.Errorf("%s: %w", name, reason(err))
	case w.rules.Ignore(name, info):
		return nil
	case info.IsDir():
		return w.dir(ctx, name, depth+1)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: it is neither a folder nor a file", name)
	}
	text, err := w.text(name, info.Size())
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	w.files = append(w.files, &archive.BufferedFile{Name: name, ModTime: info.ModTime(), Data: text})
	return nil
}

// text reads a file within the bound that Helm has.
func (w *walk) text(name string, size int64) ([]byte, error) {
	f, err := w.root.Open(name)
	if err != nil {
		return nil, reason(err)
	}
	defer func() { _ = f.Close() }()
	var text []byte
	if size <= w.budget {
		if text, err = io.ReadAll(io.LimitReader(f, w.budget+1)); err != nil {
			return nil, reason(err)
		}
	}
	if max(size, int64(len(text))) > w.budget {
		return nil, fmt.Errorf("with it the chart is larger than the %d MiB that Helm takes: leave out in %s what is no part of the chart",
			archive.MaxDecompressedChartSize>>20, ignore.HelmIgnore)
	}
	w.budget -= int64(len(text))
	return bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF")), nil
}

// linkError is a link in a chart that is not followed.
type linkError struct {
	name string
	err  error
}

// Error says what to do.
func (e linkError) Error() string {
	switch {
	case errors.Is(e.err, fs.ErrNotExist):
		return e.name + " is a link that leads nowhere"
	case errors.Is(e.err, syscall.ELOOP):
		return e.name + " is a link that leads back to itself"
	}
	return fmt.Sprintf("%s is a link that leads out of the chart, and is not followed (%v): 'helm package' makes a chart that is whole", e.name, e.err)
}

func (e linkError) Unwrap() error { return e.err }
