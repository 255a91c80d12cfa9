package manifest

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// mayAlias reports whether there is something that looks like an alias: a star
// before a name and after what may stand before a value. It is wrong at times,
// with globs in scripts, but never misses one.
func mayAlias(raw []byte) bool {
	for i := 0; i+1 < len(raw); i++ {
		if raw[i] == '*' && isName(raw[i+1]) && (i == 0 || precedesValue(raw[i-1])) {
			return true
		}
	}
	return false
}

func precedesValue(c byte) bool {
	return c <= ' ' || c > '~' || strings.IndexByte(",[{:?-", c) >= 0
}

func isName(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// expansion measures a document with its aliases written out.
type expansion struct {
	limit int
	// sizes holds what was measured: an anchor is measured once for all its aliases.
	// While a node is being measured its size is beyond the limit, so that an
	// anchor that contains itself is too large.
	sizes map[*yaml.Node]int
}

// size returns the bytes that a node takes, or something beyond the limit.
func (e expansion) size(n *yaml.Node) int {
	if n.Kind == yaml.AliasNode {
		if n.Alias == nil {
			return 0
		}
		n = n.Alias
	}
	if known, ok := e.sizes[n]; ok {
		return known
	}
	if n.Anchor != "" {
		e.sizes[n] = e.limit + 1
	}
	const punctuation = 3 // quotes and a comma
	size := len(n.Value) + punctuation
	for _, child := range n.Content {
		if size += e.size(child); size > e.limit {
			return e.limit + 1
		}
	}
	if n.Anchor != "" {
		e.sizes[n] = size
	}
	return size
}
