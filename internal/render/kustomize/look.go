package kustomize

import (
	"bytes"
	"maps"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/konfig"
	kyaml "sigs.k8s.io/yaml"
)

// look refuses a file that would have something fetched, and remembers which files are patches. Kustomize offers no way to keep it
// from the network, so that what it reads is looked at before: kustomizations, and the configuration of its own transformers.
func (f *files) look(path string, text []byte) error {
	if isKustomization(path) {
		var k any
		if err := kyaml.Unmarshal(text, &k); err != nil {
			return nil //nolint:nilerr // kustomize, which reads it in the same way, says what is wrong
		}
		f.patchesOf(filepath.Dir(path), k)
		return refused(path, text, address(k, false))
	}
	return refused(path, text, addressIn(text, func(d any) bool {
		m, ok := d.(map[string]any)
		return ok && m["apiVersion"] == "builtin"
	}))
}

// isKustomization reports whether kustomize takes files of this name for kustomizations.
func isKustomization(path string) bool {
	return slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(path))
}

// remoteError is an address in a file, on a line, or 0 where that is not known.
type remoteError struct {
	file    string
	line    int
	address string
}

// Error says what is not done.
func (e *remoteError) Error() string { return e.address + " is an address, and nothing is fetched" }

func refused(file string, text []byte, address string) error {
	if address == "" {
		return nil
	}
	return &remoteError{file, lineOf(text, address), address}
}

// lineOf returns the line of the first value that is an address, or holds it; 0 where that is not known.
func lineOf(text []byte, address string) int {
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		return 0
	}
	var find func(n *yaml.Node) int
	find = func(n *yaml.Node) int {
		if n.Kind == yaml.ScalarNode && strings.Contains(n.Value, address) {
			return n.Line
		}
		for _, below := range n.Content {
			if line := find(below); line > 0 {
				return line
			}
		}
		return 0
	}
	return find(&root)
}

// pathFields are the fields of kustomizations, and of the configuration of transformers, in which names of files and folders stand
// (sigs.k8s.io/kustomize/api/types/kustomization.go). Kustomize reads them in any case.
func pathFields() []string {
	return []string{
		"resources", "bases", "components", "generators", "transformers", "validators", "crds", "configurations",
		"path", "paths", "files", "env", "envs", "patchesStrategicMerge", "targetFilePath", "valuesFile", "additionalValuesFiles",
	}
}

// address returns the first name in the fields that is an address; empty for none. Within is true for the value of such a field.
func address(value any, within bool) string {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			names := slices.ContainsFunc(pathFields(), func(field string) bool { return strings.EqualFold(field, name) })
			if found := address(v[name], names); found != "" {
				return found
			}
		}
	case []any:
		for _, below := range v {
			if found := address(below, within); found != "" {
				return found
			}
		}
	case string:
		if within {
			return addressOf(v)
		}
	}
	return ""
}

// addressOf returns the address that a value of such a field is, or holds.
func addressOf(value string) string {
	if strings.Contains(value, "\n") { // what stands in the kustomization itself
		return addressIn([]byte(value), func(any) bool { return true })
	}
	_, file, _ := strings.Cut(value, "=") // KEY=FILE
	for _, name := range []string{value, file} {
		if isAddress(name) {
			return name
		}
	}
	return ""
}

// addressIn returns the first address in those documents of a text that are chosen.
func addressIn(text []byte, chosen func(document any) bool) string {
	docs := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var d any
		if err := docs.Decode(&d); err != nil { // the end, or a text that is nothing to kustomize
			return ""
		}
		if !chosen(d) {
			continue
		}
		if found := address(d, false); found != "" {
			return found
		}
	}
}

// isAddress reports whether kustomize would fetch what has the name: with git, or as a file
// (sigs.k8s.io/kustomize/api/internal/git/repospec.go, internal/loader/fileloader.go).
func isAddress(name string) bool {
	if u, err := url.Parse(name); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		return true
	}
	return regexp.MustCompile(`^(?i)(git::|ssh://|https?://|file://|github\.com[:/]|[a-z][a-z0-9-]*@)`).MatchString(name)
}

// patchesOf remembers the files that a kustomization names as patches.
func (f *files) patchesOf(dir string, kustomization any) {
	k, _ := kustomization.(map[string]any)
	for name, value := range k {
		if !strings.HasPrefix(strings.ToLower(name), "patches") {
			continue
		}
		list, _ := value.([]any)
		for _, p := range list {
			if m, ok := p.(map[string]any); ok {
				p = m["path"]
			}
			if file, ok := p.(string); ok && !strings.Contains(file, "\n") {
				f.patches[resolved(filepath.Join(dir, file))] = true
			}
		}
	}
}

// resolved returns a path without links, as kustomize reads files.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
