package workload

import (
	_ "crypto/sha256" // the digests that a reference may have
	_ "crypto/sha512"

	"github.com/distribution/reference"
)

// maxReference bounds what is parsed.
const maxReference = 2048

// isLatest reports whether the API server takes an image for one with the tag
// "latest": a valid reference with that tag, or with neither tag nor digest. An
// invalid reference has no tag at all (k8s.io/kubernetes
// pkg/util/parsers/parsers.go, ParseImageName, with the same library). What is longer
// than maxReference would have a host name that cannot exist, and takes seconds to parse.
func isLatest(image string) bool {
	if len(image) > maxReference {
		return false
	}
	named, err := reference.ParseNormalizedNamed(image)
	if err != nil {
		return false
	}
	if tagged, ok := named.(reference.Tagged); ok {
		return tagged.Tag() == "latest"
	}
	_, digested := named.(reference.Digested)
	return !digested
}
