package workload

import (
	"strings"
)

const (
	sha256Digits = 64
	sha384Digits = 96
	sha512Digits = 128
	maxTagLength = 128
)

// isLatest reports whether the API server takes an image for one with the tag
// "latest": a valid reference with that tag, or with neither tag nor digest. An
// invalid reference has no tag at all (pkg/util/parsers/parsers.go,
// ParseImageName). The grammar is that of github.com/distribution/reference
// v0.6.0, which the API server uses; it is decided here by hand because nothing
// else of it is needed.
func isLatest(image string) bool {
	if len(image) == sha256Digits && all(image, isLowerHex) {
		return false // an image ID, which is not a reference
	}
	domain, remainder := splitDomain(image)
	remainder, digest, hasDigest := strings.Cut(remainder, "@")
	path, tag, hasTag := strings.Cut(remainder, ":")
	if !isRepository(domain, path) || hasTag && !isTag(tag) || hasDigest && !isDigest(digest) {
		return false
	}
	return tag == "latest" || !hasTag && !hasDigest
}

// splitDomain separates the registry from the rest, with Docker Hub as the
// default (normalize.go, splitDockerDomain). What comes before the first slash is
// a registry if it could not be anything else.
func splitDomain(image string) (domain, remainder string) {
	const hub = "docker.io"
	first, rest, ok := strings.Cut(image, "/")
	switch {
	case !ok:
		return hub, "library/" + image
	case (first == hub || first == "index."+hub) && !strings.Contains(rest, "/"):
		return hub, "library/" + rest
	case first == "localhost", strings.ContainsAny(first, ".:"), strings.ToLower(first) != first:
		return first, rest
	default:
		return hub, image
	}
}

// isTag reports whether text is a tag (regexp.go, TagRegexp).
func isTag(text string) bool {
	return text != "" && len(text) <= maxTagLength && isWord(text[0]) &&
		all(text, func(c byte) bool { return isWord(c) || c == '.' || c == '-' })
}

// isDigest reports whether text is a digest of an algorithm that the API server
// knows (github.com/opencontainers/go-digest v1.0.0, Digest.Validate).
func isDigest(text string) bool {
	algorithm, encoded, _ := strings.Cut(text, ":")
	digits := map[string]int{"sha256": sha256Digits, "sha384": sha384Digits, "sha512": sha512Digits}
	return len(encoded) == digits[algorithm] && encoded != "" && all(encoded, isLowerHex)
}
