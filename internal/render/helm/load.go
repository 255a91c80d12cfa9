package helm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/loader/archive"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"sigs.k8s.io/yaml"
)

// loaded is a chart, and where its files are.
type loaded struct {
	path  string
	chart *chart.Chart
	// places are the names of the files as a person finds them, by the first byte of what they hold: charts are renamed where
	// they are loaded (by aliases, and since folders need not have the names of their charts), and what is in a file stays where it is.
	places map[*byte]string
}

// load reads the chart in a folder or an archive.
func load(ctx context.Context, name string) (*loaded, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, unfound(name, reason(err))
	}
	c := &loaded{path: name, places: map[*byte]string{}}
	var files []*archive.BufferedFile
	if info.IsDir() {
		files, err = folder(ctx, name)
	} else {
		files, err = packed(name)
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		name = filepath.Join(name, topOf(files))
	}
	room := int64(maxChart)
	if files, err = c.unpacked(name, files, &room, 0); err != nil {
		return nil, err
	}
	if c.chart, err = loader.LoadFiles(files); err != nil {
		return nil, unloaded(files, err)
	}
	return c, nil
}

// unfound says what to do about a name that may be that of a chart elsewhere.
func unfound(name string, err error) error {
	if errors.Is(err, os.ErrNotExist) && !strings.HasPrefix(name, ".") && strings.Contains(name, "/") {
		return fmt.Errorf("%w here, and nothing is fetched: for a chart of a repository, helm pull %s, and audit what it has fetched", err, name)
	}
	return err
}

// unloaded says why files are no chart.
func unloaded(files []*archive.BufferedFile, err error) error {
	if slices.ContainsFunc(files, func(f *archive.BufferedFile) bool { return f.Name == "Chart.yaml" }) {
		return fmt.Errorf("loading the chart: %w", err)
	}
	return errors.New("there is no Chart.yaml in it: --helm takes the folder of a chart, or a packaged one (.tgz)")
}

// packed reads an archive.
func packed(name string) ([]*archive.BufferedFile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, reason(err)
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.New("it is neither a folder nor a file")
	}
	files, err := archive.LoadArchiveFiles(f)
	if err != nil {
		return nil, fmt.Errorf("unpacking the chart: %w (--helm takes the folder of a chart, or a packaged one)", err)
	}
	return files, nil
}

// topOf returns the name of the folder in an archive: that of the chart (helm.sh/helm/v4/pkg/chart/v2/util/save.go).
func topOf(files []*archive.BufferedFile) string {
	for _, f := range files {
		var head struct{ Name string }
		if f.Name == "Chart.yaml" && yaml.Unmarshal(f.Data, &head) == nil {
			return head.Name
		}
	}
	return ""
}

// maxChart bounds what the archives within a chart hold together, in bytes, and maxNested how deep they are in each other.
const (
	maxChart  = 256 << 20
	maxNested = 16
)

// unpacked returns the files of a chart with those of the archives in its charts/ in their place, and remembers where all of them
// are. The loader would unpack them itself, and nobody could tell where a template comes from.
func (c *loaded) unpacked(at string, files []*archive.BufferedFile, room *int64, depth int) ([]*archive.BufferedFile, error) {
	var all []*archive.BufferedFile
	for _, f := range files {
		place := filepath.Join(at, filepath.FromSlash(f.Name))
		if isDependency(f.Name) {
			inner, err := c.dependency(place, f, room, depth)
			if err != nil {
				return nil, err
			}
			all = append(all, inner...)
			continue
		}
		if *room -= int64(len(f.Data)); *room < 0 {
			return nil, fmt.Errorf("the chart and the charts in it are larger than %d MiB", maxChart>>20)
		}
		if len(f.Data) > 0 {
			c.places[&f.Data[0]] = place
		}
		all = append(all, f)
	}
	return all, nil
}

// dependency returns the files of a packed chart as those of a folder.
func (c *loaded) dependency(place string, packed *archive.BufferedFile, room *int64, depth int) ([]*archive.BufferedFile, error) {
	if depth == maxNested {
		return nil, fmt.Errorf("%s: charts are packed in each other more than %d times", packed.Name, maxNested)
	}
	files, err := archive.LoadArchiveFiles(bytes.NewReader(packed.Data))
	if err != nil {
		return nil, fmt.Errorf("unpacking %s: %w", packed.Name, err)
	}
	if files, err = c.unpacked(filepath.Join(place, topOf(files)), files, room, depth+1); err != nil {
		return nil, err
	}
	for _, f := range files {
		f.Name = path.Join(packed.Name+".unpacked", f.Name) // a folder of any name is loaded as a chart
	}
	return files, nil
}

// isDependency reports whether the loader takes a file for a packed chart that the chart depends on
// (helm.sh/helm/v4/pkg/chart/v2/loader/load.go, LoadFiles).
func isDependency(name string) bool {
	for {
		rest, ok := strings.CutPrefix(name, "charts/")
		if !ok || strings.HasPrefix(rest, "_") || strings.HasPrefix(rest, ".") {
			return false
		}
		dir, below, nested := strings.Cut(rest, "/")
		if path.Ext(dir) == ".tgz" || !nested {
			return path.Ext(dir) == ".tgz" && !nested
		}
		name = below
	}
}

// place returns where the file with the text is.
func (c *loaded) place(text []byte) string {
	if len(text) > 0 {
		if name, ok := c.places[&text[0]]; ok {
			return name
		}
	}
	return c.path
}
