package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
	kyaml "sigs.k8s.io/yaml"
)

// yaml reads a text as one YAML document, with the meaning that kubectl gives it.
func (t *Text) yaml() Document {
	d := Document{Line: t.content, Offset: t.offset, Raw: t.raw, lines: &yamlLines{raw: t.raw, first: t.line}}
	raw, err := toJSON(t.raw, t.limit)
	if err != nil {
		d.Faults = faults(err, t)
		return d
	}
	d.collect(Object{JSON: raw, line: t.content})
	return d
}

// toJSON converts YAML to JSON of at most limit bytes. Keys that stand twice are
// errors, for one of the values would be lost.
func toJSON(raw []byte, limit int) ([]byte, error) {
	if err := checkAliases(raw, limit); err != nil {
		return nil, err
	}
	if err := checkEnd(raw); err != nil {
		return nil, err
	}
	converted, err := kyaml.YAMLToJSONStrict(raw)
	if err == nil || !bytes.Contains(raw, []byte("<<")) {
		return converted, err
	}
	// The parser takes a key that overrides a merged one for a key that stands twice.
	if merged, again := kyaml.YAMLToJSON(raw); again == nil && !repeatsKeys(raw) {
		return merged, nil
	}
	return nil, err
}

// checkEnd fails when there is more after the end of the document: the parser
// stops there without a word. That takes a document that is no block of keys or
// items, or a line break that is one for YAML alone.
func checkEnd(raw []byte) error {
	if !mayEndEarly(raw) {
		return nil
	}
	d := yaml.NewDecoder(bytes.NewReader(raw))
	var first, second yaml.Node
	if err := d.Decode(&first); err != nil {
		return nil // the conversion tells it better
	}
	if err := d.Decode(&second); !errors.Is(err, io.EOF) {
		return errors.New("there is more text after the end of the document: begin the next one with a line of ---")
	}
	return nil
}

func mayEndEarly(raw []byte) bool {
	if hasOddBreaks(raw) {
		return true
	}
	head := firstContent(raw)
	return len(head) > 0 && strings.IndexByte("{[\"'|>&!*", head[0]) >= 0
}

// hasOddBreaks reports whether there are line breaks that are some for YAML alone.
func hasOddBreaks(raw []byte) bool {
	if bytes.Count(raw, []byte("\r")) != bytes.Count(raw, []byte("\r\n")) {
		return true
	}
	for _, mark := range []string{"\u0085", "\u2028", "\u2029"} {
		if bytes.Contains(raw, []byte(mark)) {
			return true
		}
	}
	return false
}

// firstContent returns the text without the blank lines, comments and marker that
// it begins with.
func firstContent(raw []byte) []byte {
	for len(raw) > 0 {
		raw = bytes.TrimLeft(raw, " \t\r\n")
		if hasMarker(raw, startMarker) {
			raw = raw[len(startMarker):]
			continue
		}
		if !bytes.HasPrefix(raw, []byte("#")) {
			return raw
		}
		_, raw, _ = bytes.Cut(raw, []byte("\n"))
	}
	return raw
}

// repeatsKeys reports whether a mapping of the document has one key twice.
func repeatsKeys(raw []byte) bool {
	var root yaml.Node
	if err := yaml.Unmarshal(raw, &root); err != nil {
		return true
	}
	return repeatsKey(&root)
}

func repeatsKey(n *yaml.Node) bool {
	seen := map[string]bool{}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && !isMerge(child) {
			if seen[child.Value] {
				return true
			}
			seen[child.Value] = true
		}
		if repeatsKey(child) {
			return true
		}
	}
	return false
}

// checkAliases fails when the document would be far larger with its aliases
// written out. The parser counts nodes, not bytes, so that a few thousand aliases
// of one long text could fill the memory.
func checkAliases(raw []byte, limit int) error {
	if !mayAlias(raw) {
		return nil
	}
	var root yaml.Node
	if err := yaml.Unmarshal(raw, &root); err != nil {
		return err
	}
	if written := (expansion{limit: limit, sizes: map[*yaml.Node]int{}}).size(&root); written > limit {
		return fmt.Errorf("the document is larger than %s with its aliases written out", mebibytes(limit))
	}
	return nil
}
