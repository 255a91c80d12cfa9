package fix

import (
	"bytes"
	"encoding/json"
	"strings"

	kyaml "sigs.k8s.io/yaml"
)

// scalarText writes a value that is no collection, or an empty one. A text stands
// in quotes of the given kind, or in any where it must.
func scalarText(v any, quote byte, flow bool) string {
	s, isText := v.(string)
	if !isText {
		return jsonText(v)
	}
	if quote == '"' || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' }) {
		return jsonText(s)
	}
	if quote == '\'' {
		return singleQuoted(s)
	}
	text, err := kyaml.Marshal(s)
	written := strings.TrimSuffix(string(text), "\n")
	switch {
	case err != nil || strings.Contains(written, "\n") || strings.HasPrefix(written, `"`):
		return jsonText(s)
	case flow && written == s && strings.ContainsAny(s, ",[]{}?:#"):
		return jsonText(s)
	}
	return written
}

func singleQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func jsonText(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // it comes from JSON
	return strings.TrimSuffix(b.String(), "\n")
}

// isEmpty reports whether a value is written in one word.
func isEmpty(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return true
}
