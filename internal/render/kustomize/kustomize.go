// Package kustomize builds kustomizations as 'kubectl kustomize' does, with the library of kustomize, and knows of each field
// in which file and on which line it was written.
//
// A kustomization may come from a stranger. Nothing is fetched, nothing is run, and as with kubectl no file is read that is not in
// the folder of the kustomization that names it, or below.
package kustomize

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"

	"github.com/forestall/forestall/internal/render"
)

// Render builds the kustomization in a folder: a text for each object, in the order of kustomize. What is wrong with the
// kustomization is a text of its own. Render itself fails when the context ends, and with render.ErrTooMuch.
func Render(ctx context.Context, path string) ([]render.Text, error) {
	var texts []render.Text
	err := render.Bounded(ctx, func() { texts = built(ctx, path) })
	if err != nil {
		return nil, fmt.Errorf("building %s: %w", path, err)
	}
	return texts, nil
}

func built(ctx context.Context, path string) []render.Text {
	failed := func(err error) []render.Text { return []render.Text{render.Failed(path, 0, err)} }
	dir, err := folder(path)
	if err != nil {
		return failed(err)
	}
	plain := newFiles(ctx)
	clean, err := build(plain, dir)
	if err != nil {
		return []render.Text{inWords(err, dir, path)}
	}
	t := tracer{files: newFiles(ctx), dir: dir, path: path}
	t.files.read = t.traced
	traced, err := build(t.files, dir)
	if err != nil { // what was traced is not judged
		traced = resmap.New()
	}
	texts, err := t.texts(clean.Resources(), traced.Resources())
	if err != nil {
		return failed(err)
	}
	if len(texts) == 0 {
		return []render.Text{{Name: path}}
	}
	return texts
}

// build runs kustomize, with neither plugins nor Helm.
func build(files *files, dir string) (m resmap.ResMap, err error) {
	defer func() {
		if p := recover(); p != nil { // kustomize panics on some objects that are none
			err = fmt.Errorf("kustomize broke off: %v", p)
		}
		if files.refused != nil {
			err = files.refused
		}
	}()
	return krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, dir)
}

// folder returns the absolute path of the folder of a kustomization, without links: as kustomize sees it.
func folder(path string) (string, error) {
	if isKustomization(path) {
		return "", fmt.Errorf("--kustomize takes the folder, which is %s", filepath.Dir(path))
	}
	dir, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", reason(err)
	}
	return dir, nil
}

// inWords says what is wrong as a person would, who has named the folder.
func inWords(err error, dir, path string) render.Text {
	var remote *remoteError
	if errors.As(err, &remote) {
		return render.Failed(named(remote.file, dir, path), remote.line,
			fmt.Errorf("%w: kubectl kustomize %s | forestall audit -f -", remote, path))
	}
	text := strings.Join(strings.Fields(err.Error()), " ")
	text = strings.ReplaceAll(text, dir, path)
	if here, err := os.Getwd(); err == nil {
		text = strings.ReplaceAll(text, here+string(filepath.Separator), "")
	}
	if strings.Contains(text, "must specify --enable-helm") {
		return render.Failed(path, 0, fmt.Errorf("it renders charts, which kustomize leaves to another program: kubectl kustomize --enable-helm %s | forestall audit -f -", path))
	}
	// Kustomize takes what is no file for a folder, and tells both.
	text = regexp.MustCompile(`accumulation err='(.*?)': must build at directory: .*$`).ReplaceAllString(text, "$1")
	return render.Failed(path, 0, fmt.Errorf("building the kustomization: %s", text))
}

// named returns a file as a person finds it who has named the folder.
func named(file, dir, path string) string {
	rel, err := filepath.Rel(dir, file)
	if err != nil {
		return file
	}
	return filepath.Join(path, rel)
}
