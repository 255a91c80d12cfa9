package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/forestall/forestall/internal/finding"
)

// fingerprints gives each finding a text that stays the same from run to run: when lists are reordered, lines move, values
// change or the object moves to another file. Findings with one identity, as those of an object that stands in several
// overlays, are numbered, so that all texts differ. The zero value is ready.
type fingerprints struct{ seen map[finding.Key]int }

func (p *fingerprints) of(f *finding.Finding) string {
	if p.seen == nil {
		p.seen = map[finding.Key]int{}
	}
	key := f.Key()
	p.seen[key]++
	return fingerprint(key, p.seen[key])
}

// fingerprint of the n-th finding with a key. Parts are written with their lengths, so that no two keys are written alike.
func fingerprint(k finding.Key, n int) string {
	sum := sha256.New()
	for _, part := range []string{k.Rule, k.Group, k.Kind, k.Namespace, k.Name, k.Container, k.Field} {
		fmt.Fprintf(sum, "%d:%s", len(part), part) // a hash takes all
	}
	if n > 1 {
		fmt.Fprintf(sum, "#%d", n)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// pathOf is where a reader of a repository finds what a finding is about: the file, with slashes and without "./". What comes from
// a cluster or from standard input has no file; it gets a path that is made of the object's name.
func pathOf(s finding.Source, o finding.Object) string {
	if s.File == "" || s.File == stdin {
		return path.Join(orDash(o.Namespace), strings.ToLower(orDash(o.Kind)), orDash(o.Name))
	}
	return filepath.ToSlash(filepath.Clean(s.File))
}

// orDash makes a part of a path of a name, which is never empty and leads nowhere else.
func orDash(name string) string {
	name = strings.ReplaceAll(name, "/", "-")
	if name == "" || name == "." || name == ".." {
		return "-"
	}
	return name
}
