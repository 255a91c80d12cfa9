package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// parse reads all files below the folder and does nothing with them.
func parse(folder string) error {
	documents := make(chan []byte, 64)
	errs := make([]error, runtime.GOMAXPROCS(0))
	var workers sync.WaitGroup
	for w := range errs {
		workers.Go(func() {
			for d := range documents {
				errs[w] = errors.Join(errs[w], decode(d))
			}
		})
	}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return read(path, documents)
	})
	close(documents)
	workers.Wait()
	return errors.Join(append(errs, err)...)
}

func read(path string, documents chan<- []byte) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for len(text) > 0 {
		var document []byte
		document, text, _ = bytes.Cut(text, []byte("\n---\n"))
		documents <- document
	}
	return nil
}

func decode(document []byte) error {
	raw, err := yaml.YAMLToJSONStrict(document)
	if err != nil {
		return fmt.Errorf("converting: %w", err)
	}
	var kind metav1.TypeMeta
	if err := json.Unmarshal(raw, &kind); err != nil || kind.Kind != "Deployment" {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if err := d.Decode(&appsv1.Deployment{}); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("decoding: %w", err)
	}
	return nil
}
