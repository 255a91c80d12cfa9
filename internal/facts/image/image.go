// Package image observes what a container's image reference names, and whether the
// kubelet can read it at all.
package image

import (
	_ "crypto/sha256" // the digests that a reference may have
	_ "crypto/sha512"

	"github.com/distribution/reference"
	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/facts/fact"
)

// maxReference bounds what is parsed. A name has at most 255 characters, a tag
// 128 and a digest 135; what is longer holds a host name that cannot exist.
const maxReference = 2048

// latest is the tag that stands for none.
const latest = "latest"

// Facts are the observations about one container's image.
type Facts struct {
	fact.Observation
	// Text is the reference as it was written.
	Text string `json:"text,omitempty"`
	// Name is the repository with its registry written out: docker.io/library/nginx.
	// It is empty where the reference cannot be read.
	Name string `json:"name,omitempty"`
	// Tag as it was written; empty where there is none.
	Tag string `json:"tag,omitempty"`
	// Digest as it was written; empty where there is none.
	Digest string `json:"digest,omitempty"`
	// PullPolicy is the one in force.
	PullPolicy string `json:"pullPolicy,omitempty" jsonschema:"enum=Always,enum=IfNotPresent,enum=Never"`
	// Invalid says whether the reference is one that the kubelet cannot read.
	Invalid Invalid `json:"invalid"`
	// Mutable says whether the reference means another image after the next push: it
	// has neither a digest nor a tag, or the tag latest.
	Mutable fact.Observation `json:"mutable"`
	// NeverPulled says whether only an image that the node has already can run.
	NeverPulled fact.Observation `json:"neverPulled"`
}

// Observe returns the facts about a container's image. Others put the image there
// where replaced says who; then what is written says nothing.
func Observe(c *corev1.Container, path, replaced string) Facts {
	at := path + ".image"
	unknown := func(reason string) Facts {
		o := fact.UnknownAt(at, reason)
		return Facts{Observation: o, Invalid: Invalid{Observation: o}, Mutable: o, NeverPulled: o}
	}
	f := unknown("no image is named")
	f.PullPolicy = string(c.ImagePullPolicy)
	switch {
	case c.Image == "":
		f.Observation = fact.AbsentAt(at)
		return f
	case replaced != "":
		f = unknown(replaced)
	case len(c.Image) > maxReference:
		f = unknown("the reference is too long to be read")
	default:
		f.parse(c.Image, at)
		f.NeverPulled = neverPulled(&f, path)
	}
	f.Observation, f.Text, f.PullPolicy = fact.PresentAt(at), c.Image, string(c.ImagePullPolicy)
	return f
}

// parse reads the reference as the kubelet does before it does anything else with
// an image (k8s.io/kubernetes pkg/kubelet/images/image_manager.go,
// applyDefaultImageTag; pkg/util/parsers/parsers.go, ParseImageName, with the same library).
func (f *Facts) parse(text, at string) {
	named, err := reference.ParseNormalizedNamed(text)
	if err != nil {
		f.Invalid = invalid(text, at, err)
		f.Mutable = fact.UnknownAt(at, "the reference cannot be read")
		return
	}
	f.Invalid.Observation = fact.AbsentAt(at)
	f.Name = named.Name()
	if tagged, ok := named.(reference.Tagged); ok {
		f.Tag = tagged.Tag()
	}
	if digested, ok := named.(reference.Digested); ok {
		f.Digest = digested.Digest().String()
	}
	f.Mutable = fact.AbsentAt(at)
	if f.Digest == "" && (f.Tag == "" || f.Tag == latest) {
		f.Mutable = fact.PresentAt(at)
	}
}

// neverPulled leaves images alone whose tag is their own ID: tools that build an image and
// load it into the nodes name it so, and nobody pushes it.
func neverPulled(f *Facts, path string) fact.Observation {
	at := path + ".imagePullPolicy"
	switch {
	case f.Invalid.Is(fact.Present):
		return fact.UnknownAt(at, "the reference cannot be read")
	case corev1.PullPolicy(f.PullPolicy) != corev1.PullNever || isID(f.Tag):
		return fact.AbsentAt(at)
	}
	return fact.PresentAt(at)
}
