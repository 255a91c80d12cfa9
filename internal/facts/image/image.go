// Package image observes what a container's image reference names, and whether the
// kubelet can read it at all.
package image

import (
	"errors"

	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/imageref"
)

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
	default:
		r, err := imageref.Parse(c.Image)
		if errors.Is(err, imageref.ErrTooLong) {
			f = unknown(err.Error())
			break
		}
		f.take(r, err, c.Image, at)
		f.NeverPulled = neverPulled(&f, path)
	}
	f.Observation, f.Text, f.PullPolicy = fact.PresentAt(at), c.Image, string(c.ImagePullPolicy)
	return f
}

// take notes what the kubelet reads in the reference before it does anything else with
// an image (k8s.io/kubernetes pkg/kubelet/images/image_manager.go, applyDefaultImageTag).
func (f *Facts) take(r imageref.Reference, err error, text, at string) {
	if err != nil {
		f.Invalid = invalid(text, at, err)
		f.Mutable = fact.UnknownAt(at, "the reference cannot be read")
		return
	}
	f.Invalid.Observation = fact.AbsentAt(at)
	f.Name, f.Tag, f.Digest = r.Name(), r.Tag, r.Digest
	f.Mutable = fact.AbsentAt(at)
	if r.Mutable() {
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
