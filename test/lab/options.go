package lab

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

const (
	// DefaultName is the name of a lab that was not given one.
	DefaultName = "main"
	// defaultBase is the directory of all labs. It is under none of the folders
	// that a lab has for itself.
	defaultBase = "/var/cache/forestall-lab"
	// defaultPodsMemory bounds what all pods of a lab take together, whatever the
	// machine has: a lab never exhausts it.
	defaultPodsMemory = 4 << 30
)

// Options say how a lab is started. The zero value is a good one.
type Options struct {
	// Name tells labs apart: lower-case letters, digits and dashes.
	Name string
	// Base is the directory of all labs.
	Base string
	// Binaries are the folders of the programs that it runs.
	Binaries Binaries
	// PodsMemory is what all pods may take together, in bytes.
	PodsMemory int64
	// Keep leaves the lab running when this process ends.
	Keep bool
	// Progress, if set, is told what happens.
	Progress func(string)
}

// names are those that fit where Kubernetes and cgroups use them.
var names = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,30}[a-z0-9])?$`)

// complete fills in what was left out, and refuses what cannot work.
func (o Options) complete() (Options, error) {
	if o.Name == "" {
		o.Name = DefaultName
	}
	if !names.MatchString(o.Name) {
		return o, fmt.Errorf("%q is no name of a lab: lower-case letters, digits and dashes, at most 32", o.Name)
	}
	if o.Base == "" {
		o.Base = defaultBase
	}
	if o.PodsMemory == 0 {
		o.PodsMemory = defaultPodsMemory
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	var err error
	if o.Base, err = filepath.Abs(o.Base); err != nil {
		return o, fmt.Errorf("resolving the directory of the labs: %w", err)
	}
	for _, own := range ownFolders() {
		if o.Base == own || strings.HasPrefix(o.Base, own+"/") {
			return o, fmt.Errorf("labs cannot live in %s: each has a %s of its own", o.Base, own)
		}
	}
	o.Binaries, err = o.Binaries.complete()
	return o, err
}
