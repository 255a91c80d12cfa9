package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/similar"
	"github.com/forestall/forestall/internal/workload"
)

// CustomKind is a custom kind of object with a pod template. Of a kind that forestall
// knows, group and kind are enough.
type CustomKind struct {
	Group string `json:"group"`
	// Version may be left out for a known kind: all its versions are meant then.
	Version string `json:"version,omitempty"`
	Kind    string `json:"kind"`
	// Resource is the plural in lower case that the API server serves.
	Resource string `json:"resource,omitempty"`
	// TemplatePath is the place of the pod template, such as spec.template.
	TemplatePath string `json:"templatePath,omitempty"`
	// ReplicasPath is the place of the number of pods, if there is one.
	ReplicasPath string `json:"replicasPath,omitempty"`
	// Like is the built-in kind whose pods behave the same: they run on (Deployment), or end (Job).
	Like string `json:"like,omitempty"`
	// Fills says what the controller sets in the pods beyond the template: env, probes, images.
	Fills []string `json:"fills,omitempty"`
}

// The words for what a controller fills in.
const (
	fillsEnv    = "env"
	fillsProbes = "probes"
	fillsImages = "images"
)

// kinds returns the custom kinds that the file names and, for each, the entry of the file that it
// comes from.
func (c Configuration) kinds() (all []workload.Kind, entries []int) {
	for i, given := range c.Kinds {
		for _, k := range given.completed() {
			all, entries = append(all, k), append(entries, i)
		}
	}
	return all, entries
}

// completed fills in what is known of a kind. Without a version it returns one kind for each
// known version.
func (k CustomKind) completed() []workload.Kind {
	known := slices.DeleteFunc(workload.Known(), func(w workload.Kind) bool {
		return w.Group != k.Group || w.Kind != k.Kind || k.Version != "" && w.Version != k.Version
	})
	if len(known) == 0 {
		known = []workload.Kind{{Group: k.Group, Version: k.Version, Kind: k.Kind}}
	}
	for i := range known {
		w := &known[i]
		if k.TemplatePath != "" && k.TemplatePath != w.TemplatePath { // then nothing else is as it is known
			*w = workload.Kind{Group: w.Group, Version: w.Version, Kind: w.Kind, Resource: w.Resource, Like: w.Like, TemplatePath: k.TemplatePath}
		}
		w.Resource = cmp.Or(k.Resource, w.Resource)
		w.ReplicasPath = cmp.Or(k.ReplicasPath, w.ReplicasPath)
		w.Like = cmp.Or(k.Like, w.Like)
		w.Fills.Env = w.Fills.Env || slices.Contains(k.Fills, fillsEnv)
		w.Fills.Probes = w.Fills.Probes || slices.Contains(k.Fills, fillsProbes)
		w.Fills.Images = w.Fills.Images || slices.Contains(k.Fills, fillsImages)
	}
	return known
}

// CompletedKinds returns the kinds of the file with what is known of them filled in.
func (c Configuration) CompletedKinds() []CustomKind {
	all, _ := c.kinds()
	var out []CustomKind
	for _, k := range all {
		out = append(out, CustomKind{
			Group: k.Group, Version: k.Version, Kind: k.Kind, Resource: k.Resource,
			TemplatePath: k.TemplatePath, ReplicasPath: k.ReplicasPath, Like: k.Like, Fills: words(k.Fills),
		})
	}
	return out
}

func words(f workload.Fills) []string {
	var out []string
	for _, w := range []struct {
		word string
		set  bool
	}{{fillsEnv, f.Env}, {fillsProbes, f.Probes}, {fillsImages, f.Images}} {
		if w.set {
			out = append(out, w.word)
		}
	}
	return out
}

// checkKinds says what is wrong with the kinds of the file, each error with its place.
func (c Configuration) checkKinds() error {
	var errs []error
	for i, k := range c.Kinds {
		for j, word := range k.Fills {
			if all := words(workload.Fills{Env: true, Probes: true, Images: true}); !slices.Contains(all, word) {
				errs = append(errs, fmt.Errorf("kinds[%d].fills[%d]: %q is not one of %s%s", i, j, word, strings.Join(all, ", "), similar.Question(word, all)))
			}
		}
	}
	all, entries := c.kinds()
	_, err := workload.NewTable(all...)
	var wrong interface{ Unwrap() []error }
	if errors.As(err, &wrong) {
		for _, err := range wrong.Unwrap() {
			at := placed(err, entries)
			told := func(other error) bool { return other.Error() == at.Error() }
			if !slices.ContainsFunc(errs, told) { // what is wrong with an entry is wrong with each of its versions
				errs = append(errs, at)
			}
		}
	}
	return errors.Join(errs...)
}

// placed returns the error with the entry of the file in place of that of the table.
func placed(err error, entries []int) error {
	at := 0
	if _, scanErr := fmt.Sscanf(err.Error(), "[%d]", &at); scanErr != nil {
		return err
	}
	_, rest, _ := strings.Cut(err.Error(), "].")
	return fmt.Errorf("kinds[%d].%s", entries[at], rest)
}

// table holds the built-in kinds and those of the file, which Parse has checked.
func (c Configuration) table() workload.Table {
	all, _ := c.kinds()
	t, err := workload.NewTable(all...)
	if err != nil {
		return workload.Table{}
	}
	return t
}

// auditTable also holds the known kinds that the file says nothing about.
func (c Configuration) auditTable() workload.Table {
	all, _ := c.kinds()
	for _, k := range workload.Known() {
		if !c.table().Judged(k.GroupVersionKind()) {
			all = append(all, k)
		}
	}
	t, err := workload.NewTable(all...)
	if err != nil {
		return workload.Table{}
	}
	return t
}
