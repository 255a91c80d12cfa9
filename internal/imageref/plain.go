package imageref

import (
	"strings"

	"github.com/distribution/reference"
)

const (
	defaultDomain = "docker.io"
	official      = "library/"

	maxTag      = 128
	sha256Hex   = 64
	sha256Begin = "sha256:"
)

// plain takes apart what nearly all references look like, without the regular
// expressions of the library: those were a tenth of what a review costs. Whatever is not
// plain, and all that is wrong, is for the library to decide.
func plain(text string) (Reference, bool) {
	if len(text) == sha256Hex { // perhaps the ID of an image
		return Reference{}, false
	}
	rest, digest, digested := strings.Cut(text, "@")
	if digested && !isSHA256(digest) {
		return Reference{}, false
	}
	r := Reference{Domain: defaultDomain, Digest: digest}
	if first, others, ok := strings.Cut(rest, "/"); ok && (first == "localhost" || strings.ContainsAny(first, ".:")) {
		if !isDomain(first) {
			return Reference{}, false
		}
		r.Domain, rest = first, others
	}
	path, tag, tagged := strings.Cut(rest, ":")
	if !isPath(path) || tagged && !isTag(tag) {
		return Reference{}, false
	}
	r.Path, r.Tag = path, tag
	if r.Domain == defaultDomain && !strings.Contains(path, "/") {
		r.Path = official + path
	}
	return r, len(r.Path) <= reference.RepositoryNameTotalLengthMax
}

func isSHA256(digest string) bool {
	hex, ok := strings.CutPrefix(digest, sha256Begin)
	if !ok || len(hex) != sha256Hex {
		return false
	}
	for i := range len(hex) {
		if !isDigit(hex[i]) && (hex[i] < 'a' || hex[i] > 'f') {
			return false
		}
	}
	return true
}

// isDomain accepts lower-case names with and without a port, but for the old name of
// docker.io, which stands for the new one.
func isDomain(s string) bool {
	host, port, ported := strings.Cut(s, ":")
	if host == "index.docker.io" || ported && port == "" {
		return false
	}
	for i := range len(port) {
		if !isDigit(port[i]) {
			return false
		}
	}
	for label := range strings.SplitSeq(host, ".") {
		if !separated(label, func(between string) bool { return strings.Trim(between, "-") == "" }) {
			return false
		}
	}
	return true
}

func isPath(s string) bool {
	for part := range strings.SplitSeq(s, "/") {
		if !separated(part, isSeparator) {
			return false
		}
	}
	return true
}

// isSeparator: one period, one or two underscores, any number of dashes.
func isSeparator(s string) bool {
	return s == "." || s == "_" || s == "__" || strings.Trim(s, "-") == ""
}

// separated reports whether a text is of letters and digits, with allowed separators
// between them and not at its ends.
func separated(s string, allowed func(string) bool) bool {
	if s == "" || !isAlphanumeric(s[0]) || !isAlphanumeric(s[len(s)-1]) {
		return false
	}
	for i := 0; i < len(s); i++ {
		begin := i
		for !isAlphanumeric(s[i]) { // ends at the last character at the latest
			i++
		}
		if i > begin && !allowed(s[begin:i]) {
			return false
		}
	}
	return true
}

func isTag(s string) bool {
	if s == "" || len(s) > maxTag || s[0] == '.' || s[0] == '-' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !isAlphanumeric(c) && (c < 'A' || c > 'Z') && c != '_' && c != '.' && c != '-' {
			return false
		}
	}
	return true
}

func isAlphanumeric(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'z' }
func isDigit(c byte) bool        { return c >= '0' && c <= '9' }
