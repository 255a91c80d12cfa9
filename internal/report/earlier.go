package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// Bounds of earlier reports, which somebody else may have written. YAML is converted in memory.
const (
	maxEarlier     = 4 << 30
	maxEarlierYAML = 256 << 20
)

// Earlier is an earlier report, of which it keeps what is compared.
type Earlier struct {
	// File that it was read from.
	File string
	// entries by key. Where an object stood in several files, there are several with one key.
	entries map[finding.Key][]entry
}

// entry is a finding or a trouble of an earlier report.
type entry struct {
	Finding finding.Finding
	trouble bool
}

// ReadEarlier reads a report that an audit wrote as JSON, NDJSON or YAML. It fails for anything else, and for a report that is not whole.
func ReadEarlier(r io.Reader, file string) (*Earlier, error) {
	e := &Earlier{File: file, entries: map[finding.Key][]entry{}}
	in := &sized{from: r, left: maxEarlier}
	begin, err := firstByte(in)
	if err != nil {
		return nil, err
	}
	all := io.MultiReader(bytes.NewReader(begin), in)
	if begin[0] != '{' {
		in.left = maxEarlierYAML
		text, err := io.ReadAll(all)
		if err != nil {
			return nil, err
		}
		if text, err = yaml.YAMLToJSON(text); err != nil {
			return nil, fmt.Errorf("it is neither JSON nor YAML: %w", err)
		}
		all = bytes.NewReader(text)
	}
	if err := e.read(json.NewDecoder(all)); err != nil {
		return nil, err
	}
	return e, nil
}

// firstByte reads up to the first byte that is no space.
func firstByte(r io.Reader) ([]byte, error) {
	b := make([]byte, 1)
	for {
		if _, err := io.ReadFull(r, b); errors.Is(err, io.EOF) {
			return nil, errors.New("it is empty")
		} else if err != nil {
			return nil, err
		}
		if !bytes.Contains([]byte(" \t\r\n"), b) {
			return b, nil
		}
	}
}

// sized is a reader that fails where there is too much.
type sized struct {
	from io.Reader
	left int64
}

func (s *sized) Read(p []byte) (int, error) {
	if s.left <= 0 {
		return 0, errors.New("it is too long")
	}
	n, err := s.from.Read(p)
	s.left -= int64(n)
	return n, err
}

// read reads the document, or the lines.
func (e *Earlier) read(d *json.Decoder) error {
	first, err := e.object(d)
	if err != nil {
		return err
	}
	if first.Kind == reportKind {
		return first.whole(errors.New("it is not whole: the summary is missing"))
	}
	for line := first; ; {
		last, err := e.line(line)
		if last || err != nil {
			return err
		}
		if line, err = e.object(d); errors.Is(err, io.EOF) {
			return errors.New("it is not whole: the line of the summary is missing")
		} else if err != nil {
			return err
		}
	}
}

// document is an object of a report: all of it, or a line.
type document struct {
	lineHead
	// Summary is that of a report, and the other fields are those of a line.
	Summary *audit.Summary
	rest    map[string]json.RawMessage
}

// object reads an object. The lists of a report are taken in while they are read.
func (e *Earlier) object(d *json.Decoder) (document, error) {
	doc := document{rest: map[string]json.RawMessage{}}
	t, err := d.Token()
	if err != nil {
		return doc, err
	}
	if t != json.Delim('{') {
		return doc, errors.New("it is no report")
	}
	for d.More() {
		if err := e.field(d, &doc); err != nil {
			return doc, whole(err)
		}
	}
	if _, err := d.Token(); err != nil {
		return doc, whole(err)
	}
	if doc.APIVersion != APIVersion {
		return doc, fmt.Errorf("it is no report of this version: its apiVersion is %q, and not %q", doc.APIVersion, APIVersion)
	}
	return doc, nil
}

func whole(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it is not whole: it ends within an object")
	}
	return err
}

func (e *Earlier) field(d *json.Decoder, doc *document) error {
	name, err := d.Token()
	if err != nil {
		return err
	}
	var value json.RawMessage
	switch name {
	case "apiVersion":
		return d.Decode(&doc.APIVersion)
	case "kind":
		return d.Decode(&doc.Kind)
	case "summary":
		return d.Decode(&doc.Summary)
	case "findings":
		value, err = items(d, e.found)
	case "troubles":
		value, err = items(d, e.trouble)
	default:
		err = d.Decode(&value)
	}
	if text, ok := name.(string); ok && value != nil && doc.Kind != reportKind {
		doc.rest[text] = value
	}
	return err
}

// items takes in the items of a list, one after another. What is no list, as the counts of a summary, is returned.
func items[T any](d *json.Decoder, take func(T)) (json.RawMessage, error) {
	t, err := d.Token()
	switch {
	case err != nil || t == nil: // null
		return nil, err
	case t == json.Delim('{'):
		return counts(d)
	case t != json.Delim('['):
		return json.Marshal(t)
	}
	for d.More() {
		var item T
		if err := d.Decode(&item); err != nil {
			return nil, err
		}
		take(item)
	}
	_, err = d.Token()
	return nil, err
}

// counts reads the rest of an object that was begun.
func counts(d *json.Decoder) (json.RawMessage, error) {
	all := map[string]json.RawMessage{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		all[fmt.Sprint(name)] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	return json.Marshal(all)
}

// line takes in a line of NDJSON, and reports whether it was the last.
func (e *Earlier) line(doc document) (last bool, err error) {
	text, err := json.Marshal(doc.rest)
	if err != nil {
		return false, err
	}
	switch doc.Kind {
	case findingLine:
		var f finding.Finding
		err = json.Unmarshal(text, &f)
		e.found(f)
	case troubleLine:
		var t finding.Trouble
		err = json.Unmarshal(text, &t)
		e.trouble(t)
	case summaryLine:
		doc.Summary = &audit.Summary{}
		err = errors.Join(json.Unmarshal(text, doc.Summary), doc.whole(nil))
		return true, err
	case ignoredLine, warningLine, errorLine:
	default:
		return false, fmt.Errorf("it is no report of an audit, but of the kind %q: make one with forestall audit -o json=FILE", doc.Kind)
	}
	return false, err
}

// whole fails for a report that does not list all findings.
func (d document) whole(missing error) error {
	switch {
	case d.Summary == nil:
		return missing
	case d.Summary.Baseline != nil:
		return errors.New("it was made with --baseline, and lists only what was new: make one without")
	case d.Summary.NotShown > 0:
		return errors.New("it was made with --min-level, and does not list everything: make one without")
	}
	return nil
}

func (e *Earlier) found(f finding.Finding) {
	key := f.Key()
	f.Merged, f.Patch, f.Suggestion, f.Evidence = nil, nil, nil, nil // nobody tells them again
	e.entries[key] = append(e.entries[key], entry{Finding: f})
}

func (e *Earlier) trouble(t finding.Trouble) {
	f := troubleAsFinding(t)
	e.entries[f.Key()] = append(e.entries[f.Key()], entry{Finding: f, trouble: true})
}

// troubleAsFinding gives a trouble a key: one object can be in one trouble of a container.
func troubleAsFinding(t finding.Trouble) finding.Finding {
	return finding.Finding{Rule: observedRule, Object: t.Object, Container: t.Container, Reason: t.Reason}
}

// Keep forgets what is of other rules than those that are wanted, so that it is not taken for gone.
func (e *Earlier) Keep(wanted func(rule string) bool) {
	maps.DeleteFunc(e.entries, func(k finding.Key, _ []entry) bool { return k.Rule != observedRule && !wanted(k.Rule) })
}

// take takes an entry with the key out, the first that was there.
func (e *Earlier) take(k finding.Key) (entry, bool) {
	all := e.entries[k]
	if len(all) == 0 {
		return entry{}, false
	}
	if e.entries[k] = all[1:]; len(all) == 1 {
		delete(e.entries, k)
	}
	return all[0], true
}

// left returns what was not taken out, in an order that is the same each time.
func (e *Earlier) left() []entry {
	var all []entry
	for _, entries := range e.entries {
		all = append(all, entries...)
	}
	slices.SortFunc(all, func(a, b entry) int { return inOrder(&a.Finding, &b.Finding) })
	return all
}
