// Package imageref takes image references apart as the kubelet does
// (k8s.io/kubernetes pkg/util/parsers/parsers.go, ParseImageName).
package imageref

import (
	_ "crypto/sha256" // the digests that a reference may have
	_ "crypto/sha512"
	"errors"
	"strings"

	"github.com/distribution/reference"
)

// maxLength bounds what is parsed, in bytes: it takes seconds to find out that a very long text is
// no reference. A name has at most 255 characters, a tag 128 and a digest 135; what is
// longer holds a host name that cannot exist.
const maxLength = 2048

// ErrTooLong says that a text was not looked at.
var ErrTooLong = errors.New("the reference is too long to be read")

// Reference is an image reference with what may be left out written in: nginx is
// library/nginx of docker.io.
type Reference struct {
	// Domain is the registry, with its port.
	Domain string
	// Path is the repository in the registry.
	Path string
	// Tag and Digest as they were written; empty where there is none.
	Tag, Digest string
}

// Name is the repository with its registry.
func (r Reference) Name() string { return r.Domain + "/" + r.Path }

// FamiliarName is the repository as people write it: without docker.io and library.
func (r Reference) FamiliarName() string {
	if r.Domain != defaultDomain {
		return r.Name()
	}
	if name, ok := strings.CutPrefix(r.Path, official); ok && !strings.Contains(name, "/") {
		return name
	}
	return r.Path
}

// Mutable reports whether the reference means another image after the next push: it has
// neither a digest nor a tag, or the tag latest.
func (r Reference) Mutable() bool {
	return r.Digest == "" && (r.Tag == "" || r.Tag == latest)
}

// latest is the tag that stands for none.
const latest = "latest"

// Parse takes a reference apart. The error is ErrTooLong, or what the kubelet reports.
func Parse(text string) (Reference, error) {
	if len(text) > maxLength {
		return Reference{}, ErrTooLong
	}
	if r, ok := plain(text); ok {
		return r, nil
	}
	return parse(text)
}

// parse leaves it to the library that the kubelet uses.
func parse(text string) (Reference, error) {
	named, err := reference.ParseNormalizedNamed(text)
	if err != nil {
		return Reference{}, err
	}
	r := Reference{Domain: reference.Domain(named), Path: reference.Path(named)}
	if tagged, ok := named.(reference.Tagged); ok {
		r.Tag = tagged.Tag()
	}
	if digested, ok := named.(reference.Digested); ok {
		r.Digest = digested.Digest().String()
	}
	return r, nil
}
