package workload

import (
	"strings"
)

// maxPathLength is RepositoryNameTotalLengthMax of reference.go.
const maxPathLength = 255

// isRepository reports whether the two parts make a name. A domain that cannot be
// one may still be the first component of a path.
func isRepository(domain, path string) bool {
	for component := range strings.SplitSeq(path, "/") {
		if !isPathComponent(component) {
			return false
		}
	}
	if isDomain(domain) {
		return len(path) <= maxPathLength
	}
	return isPathComponent(domain) && len(domain)+len("/")+len(path) <= maxPathLength
}

// isPathComponent: lower-case words joined by ".", "_", "__" or dashes.
func isPathComponent(text string) bool {
	separator := ""
	for i := range len(text) {
		if !isLowerAlphanumeric(text[i]) {
			separator += text[i : i+1]
			continue
		}
		if !isSeparator(separator, i) {
			return false
		}
		separator = ""
	}
	return text != "" && separator == ""
}

// isSeparator judges the characters between two words, the second of which
// begins at position next.
func isSeparator(text string, next int) bool {
	switch text {
	case "":
		return true
	case ".", "_", "__":
		return next > len(text)
	default:
		return next > len(text) && strings.Trim(text, "-") == ""
	}
}

// isDomain reports whether text is a registry: a host name, an IPv4 address or an
// IPv6 address in brackets, with or without a port (regexp.go, DomainRegexp).
func isDomain(text string) bool {
	host, port, hasPort := text, "", false
	if i := strings.LastIndexByte(text, ':'); i > strings.LastIndexByte(text, ']') {
		host, port, hasPort = text[:i], text[i+1:], true
	}
	if hasPort && (port == "" || !all(port, isDigit)) {
		return false
	}
	if inside, ok := strings.CutPrefix(host, "["); ok {
		inside, ok = strings.CutSuffix(inside, "]")
		return ok && inside != "" && all(inside, func(c byte) bool { return isHex(c) || c == ':' })
	}
	return isHostName(host)
}

func isHostName(host string) bool {
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		if !all(label, func(c byte) bool { return isAlphanumeric(c) || c == '-' }) {
			return false
		}
	}
	return true
}
