package workload

import (
	"github.com/forestall/forestall/internal/imageref"
)

// isLatest reports whether the API server takes an image for one with the tag
// "latest": a valid reference with that tag, or with neither tag nor digest. An
// invalid reference has no tag at all (k8s.io/kubernetes
// pkg/util/parsers/parsers.go, ParseImageName, with the same library).
func isLatest(image string) bool {
	r, err := imageref.Parse(image)
	return err == nil && (r.Tag == "latest" || r.Tag == "" && r.Digest == "")
}
