package facts

import (
	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts/image"
	"github.com/forestall/forestall/internal/workload"
)

// imageStep is how many bytes of a reference are read in one step.
const imageStep = 16

func observeImage(b *budget.Budget, v *workload.View, c *workload.Container, w cluster.World, t triggers) image.Facts {
	b.Spend(1 + len(c.Image)/imageStep)
	return image.Observe(&c.Container, c.Path, replacesImage(v, c, w, t))
}

// meshPlaceholder is the image of a container that is a template for Istio's injection
// (https://istio.io/latest/docs/setup/additional-setup/gateway/, image: auto).
const meshPlaceholder = "auto"

// replacesImage says who replaces the image that is written; empty for nobody.
func replacesImage(v *workload.View, c *workload.Container, w cluster.World, t triggers) string {
	if t.replace(c) {
		return "the annotation " + workload.TriggersAnnotation + " replaces it"
	}
	if v.Fills.Images {
		return v.Kind + " replaces it"
	}
	if c.Image == meshPlaceholder {
		return "a service mesh replaces it"
	}
	if w.ReplacesImage(c.Image) {
		return "a kustomization replaces it"
	}
	return ""
}

// withoutReplaced returns the container without an image that a kustomization replaces. What is known of images holds for
// some of their tags, and nothing of the one that comes in its place.
func withoutReplaced(c *workload.Container, w cluster.World) *workload.Container {
	if !w.ReplacesImage(c.Image) {
		return c
	}
	other := *c
	other.Image = ""
	return &other
}
