package proof

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/yaml"
)

// caseNames fit into the name of a namespace.
var caseNames = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$`)

// Decode reads a proof. Unknown fields are errors, as is what makes no sense.
func Decode(text []byte) (Proof, error) {
	var p Proof
	if err := yaml.UnmarshalStrict(text, &p); err != nil {
		return Proof{}, fmt.Errorf("reading the proof: %w", err)
	}
	return p, p.validate()
}

// Load reads the proof in a folder of test data, and checks that the manifests
// that it names are there.
func Load(folder string) (Proof, error) {
	file := filepath.Join(folder, "proof.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		return Proof{}, fmt.Errorf("reading the proof: %w", err)
	}
	p, err := Decode(text)
	if err != nil {
		return Proof{}, fmt.Errorf("%s: %w", file, err)
	}
	for _, c := range p.Cases() {
		if _, err := os.Stat(filepath.Join(folder, c.Manifest)); err != nil {
			return Proof{}, fmt.Errorf("%s: case %s: %w", file, c.Name, err)
		}
	}
	return p, nil
}

// Cases are all cases: those that fail, then those that work.
func (p Proof) Cases() []Case { return append(append([]Case(nil), p.Fails...), p.Works...) }

func (p Proof) validate() error {
	var errs []error
	if p.APIVersion != APIVersion || p.Kind != Kind {
		errs = append(errs, fmt.Errorf("it is a %s of %s; known is %s of %s", p.Kind, p.APIVersion, Kind, APIVersion))
	}
	if (p.Unproved == "") == (len(p.Fails) == 0) {
		errs = append(errs, errors.New("it has either cases under fails, or says under unproved why not"))
	}
	named := map[string]bool{}
	for _, c := range p.Cases() {
		if named[c.Name] {
			errs = append(errs, fmt.Errorf("two cases are named %q", c.Name))
		}
		named[c.Name] = true
		if err := c.validate(); err != nil {
			errs = append(errs, fmt.Errorf("case %q: %w", c.Name, err))
		}
	}
	for _, c := range p.Fails {
		if c.Patched {
			errs = append(errs, fmt.Errorf("case %q: what was patched belongs under works", c.Name))
		}
	}
	return errors.Join(errs...)
}

func (c Case) validate() error {
	var errs []error
	if !caseNames.MatchString(c.Name) {
		errs = append(errs, errors.New("its name is lower-case letters, digits and dashes, at most 40"))
	}
	if c.Manifest != filepath.Base(c.Manifest) || c.Manifest == "." {
		errs = append(errs, fmt.Errorf("manifest %q is no file of the same folder", c.Manifest))
	}
	if c.within() <= 0 {
		errs = append(errs, errors.New("within is missing"))
	}
	if _, err := c.Memory(); err != nil {
		errs = append(errs, err)
	}
	if len(c.Expect) == 0 {
		errs = append(errs, errors.New("nothing is expected"))
	}
	for i, e := range c.Expect {
		switch {
		case !e.says():
			errs = append(errs, fmt.Errorf("expect[%d] says nothing", i))
		case e.StillNot.Duration < 0 || e.StillNot.Duration > c.within():
			errs = append(errs, fmt.Errorf("expect[%d]: stillNot is no part of within", i))
		}
	}
	return errors.Join(errs...)
}

// Memory is PodsMemory in bytes; 0 where it is not set.
func (c Case) Memory() (int64, error) {
	if c.PodsMemory == "" {
		return 0, nil
	}
	q, err := resource.ParseQuantity(c.PodsMemory)
	if err != nil || q.Sign() <= 0 {
		return 0, fmt.Errorf("podsMemory %q is no size", c.PodsMemory)
	}
	return q.Value(), nil
}
