package kustomize

import (
	"bytes"
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
	if !isKustomization(path) {
		return refused(path, addressIn(text, func(d *yaml.Node) bool {
			v := valueOf(d, "apiVersion")
			return v != nil && textOf(v) == "builtin"
		}))
	}
	var k any
	if err := kyaml.Unmarshal(text, &k); err == nil { // else kustomize, which reads it in the same way, says what is wrong
		f.patchesOf(filepath.Dir(path), k)
	}
	return refused(path, addressIn(text, every))
}

func every(*yaml.Node) bool { return true }

// isKustomization reports whether kustomize takes files of this name for kustomizations.
func isKustomization(path string) bool {
	return slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(path))
}

// remoteError is an address in a file.
type remoteError struct {
	file    string
	line    int
	address string
}

// Error says what is not done.
func (e *remoteError) Error() string { return e.address + " is an address, and nothing is fetched" }

func refused(file string, at address) error {
	if at.name == "" {
		return nil
	}
	return &remoteError{file, at.line, at.name}
}

// pathFields are the fields of kustomizations, and of the configuration of transformers, in which names of files and folders stand
// (sigs.k8s.io/kustomize/api/types/kustomization.go). Kustomize reads them in any case.
func pathFields() []string {
	return []string{
		"resources", "bases", "components", "generators", "transformers", "validators", "crds", "configurations",
		"path", "paths", "files", "env", "envs", "patchesStrategicMerge", "targetFilePath", "valuesFile", "additionalValuesFiles",
	}
}

// address is the name of something elsewhere, and the line on which it stands. The zero value is none.
type address struct {
	name string
	line int
}

// addressIn returns the first address in those documents of a text that are chosen. What it cannot read kustomize cannot.
func addressIn(text []byte, chosen func(document *yaml.Node) bool) address {
	docs := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var d yaml.Node
		if docs.Decode(&d) != nil {
			return address{}
		}
		if root := content(&d); !chosen(root) {
			continue
		}
		s := addresses{seen: map[seen]bool{}}
		if found := s.in(&d, false); found.name != "" {
			return found
		}
	}
}

// addresses looks for addresses in a document. What aliases bring in is looked at once.
type addresses struct{ seen map[seen]bool }

type seen struct {
	node   *yaml.Node
	within bool
}

// in returns the first address in a node. Within is true for the value of a field in which names of files stand.
func (s addresses) in(n *yaml.Node, within bool) address {
	n = resolvedNode(n)
	if s.seen[seen{n, within}] {
		return address{}
	}
	s.seen[seen{n, within}] = true
	if n.Kind == yaml.ScalarNode {
		if within {
			return address{addressOf(textOf(n)), n.Line}
		}
		return address{}
	}
	for i, below := range n.Content {
		if n.Kind == yaml.MappingNode {
			if i%2 == 0 {
				continue
			}
			within = isPathField(textOf(n.Content[i-1]))
		}
		if found := s.in(below, within); found.name != "" {
			return found
		}
	}
	return address{}
}

func isPathField(name string) bool {
	return slices.ContainsFunc(pathFields(), func(field string) bool { return strings.EqualFold(field, name) })
}

// textOf returns the text that a scalar stands for, whatever its tag.
func textOf(n *yaml.Node) string {
	var v any
	if resolvedNode(n).Decode(&v) != nil {
		return n.Value
	}
	text, _ := v.(string)
	return text
}

// addressOf returns the address that a value of such a field is, or holds.
func addressOf(value string) string {
	if strings.Contains(value, "\n") { // what stands in the kustomization itself
		return addressIn([]byte(value), every).name
	}
	_, file, _ := strings.Cut(value, "=") // KEY=FILE
	for _, name := range []string{value, file} {
		if isAddress(name) {
			return name
		}
	}
	return ""
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
