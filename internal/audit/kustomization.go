package audit

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"

	kyaml "sigs.k8s.io/yaml"
)

// maxPatches bounds how many files are kept as patches, and maxKustomization the bytes of a kustomization that does not
// say that it is one.
const (
	maxPatches       = 10_000
	maxKustomization = 1 << 20
)

// isKustomization reports whether an object tells kustomize what to build.
func isKustomization(apiVersion, kind string) bool {
	return strings.HasPrefix(apiVersion, "kustomize.config.k8s.io/") && (kind == "Kustomization" || kind == "Component")
}

// isKustomizationFile reports whether kustomize looks for files of this name; they need not have apiVersion and kind
// (sigs.k8s.io/kustomize/api/konfig/general.go, RecognizedKustomizationFileNames).
func isKustomizationFile(name string) bool {
	switch filepath.Base(name) {
	case "kustomization.yaml", "kustomization.yml", "Kustomization":
		return true
	}
	return false
}

// kustomization is what of one is read.
type kustomization struct {
	Images []struct {
		Name, NewName, Digest string
		NewTag, TagSuffix     any // a number without its quotes
	}
	Patches               []patchFile
	PatchesJSON6902       []patchFile `json:"patchesJson6902"`
	PatchesStrategicMerge []string
}

// patchFile is a patch that may stand in a file.
type patchFile struct{ Path string }

// files returns the paths of the patches. What stands in the kustomization itself is taken for a path, too: no file has
// such a name.
func (k *kustomization) files() []string {
	all := k.PatchesStrategicMerge
	for _, p := range append(k.Patches, k.PatchesJSON6902...) {
		all = append(all, p.Path)
	}
	return all
}

// customizeUnnamed learns from a kustomization without apiVersion and kind.
func (s *Set) customizeUnnamed(d *read) {
	if !isKustomizationFile(s.files[d.file].name) || len(d.Raw) > maxKustomization {
		return
	}
	if raw, err := kyaml.YAMLToJSON(d.Raw); err == nil {
		s.customize(d.file, raw)
	}
}

// customize learns which files are patches and which images are replaced. A kustomization that cannot be read says nothing:
// it is not for forestall to judge.
func (s *Set) customize(file int, raw []byte) {
	var k kustomization
	// The rest is read where a value is of a wrong type: old kustomizations have patches that are names alone.
	if err := json.Unmarshal(raw, &k); err != nil && !errors.As(err, new(*json.UnmarshalTypeError)) {
		return
	}
	for _, i := range k.Images {
		if i.NewName != "" || i.NewTag != nil || i.TagSuffix != nil || i.Digest != "" {
			s.cluster.ReplaceImage(i.Name)
		}
	}
	if in := &s.files[file]; in.name != stdinName && in.rendered == nil { // which are in no folder
		s.patches.add(in.name, k.files())
	}
}

// patches are files, by their absolute names, with the kustomization that names each. The zero value holds none.
type patches map[string]string

func (p *patches) add(kustomization string, files []string) {
	for _, file := range files {
		if file == "" || strings.Contains(file, "\n") || len(*p) >= maxPatches {
			continue
		}
		if *p == nil {
			*p = patches{}
		}
		path := absolute(filepath.Join(filepath.Dir(kustomization), filepath.FromSlash(file)))
		if _, known := (*p)[path]; !known {
			(*p)[path] = kustomization
		}
	}
}

// why says why what stands in a file is a part of an object; empty where it may be whole.
func (p patches) why(file string) string {
	if len(p) == 0 {
		return ""
	}
	if by, ok := p[absolute(file)]; ok {
		return "a patch of " + by
	}
	return ""
}

// absolute returns the absolute path where it can be told.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
