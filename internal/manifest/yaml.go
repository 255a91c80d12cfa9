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
	raw, repeated, err := t.toJSON()
	switch {
	case err == nil:
		d.collect(Object{JSON: raw, line: t.content})
		d.give(repeated)
	case errors.Is(err, errData):
		d.Skipped = true
	default:
		d.Faults = faults(err, t)
	}
	return d
}

// toJSON converts YAML to JSON of at most limit bytes. Of keys that stand twice the last one counts, as it does for kubectl,
// which converts in the same way.
func (t *Text) toJSON() ([]byte, []Repeated, error) {
	if err := checkAliases(t.raw, t.limit); err != nil {
		return nil, nil, err
	}
	if err := checkEnd(t.raw); err != nil {
		return nil, nil, err
	}
	converted, err := kyaml.YAMLToJSONStrict(t.raw)
	if err == nil {
		return converted, nil, nil
	}
	// Besides keys that stand twice, the parser has something against those that override merged ones.
	loose, again := kyaml.YAMLToJSON(t.raw)
	var root yaml.Node
	switch unread := yaml.Unmarshal(t.raw, &root); {
	case again != nil && unread == nil && isData(t.raw, &root):
		return nil, nil, errData
	case again != nil || unread != nil:
		return nil, nil, err
	}
	keys := repeatedKeys{first: t.line}
	keys.in(&root, nil)
	return loose, keys.found, nil
}

// errData says that a text is YAML, but none that can be an object.
var errData = errors.New("it is no object")

// isData reports whether a text that cannot be converted is none of an object, which has apiVersion and kind. A template may
// have lost them.
func isData(raw []byte, root *yaml.Node) bool {
	if bytes.Contains(raw, []byte("{{")) || len(root.Content) != 1 {
		return false
	}
	n := root.Content[0]
	found := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		found[n.Content[i].Value] = true
	}
	return n.Kind == yaml.MappingNode && (!found["apiVersion"] || !found["kind"])
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
