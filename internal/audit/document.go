package audit

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// document is what became of one document of a file.
type document struct {
	source finding.Source
	// raw is its text, without a byte order mark, and offset where it begins in the file.
	raw    []byte
	offset int
	// missing is set for a file that could not be read, which has no documents.
	missing bool
	// skipped is set when apiVersion and kind are missing.
	skipped bool
	objects []object
	errors  []Error
	// lines finds fields in the file.
	lines lines
}

// object is one object of a document: the document itself, or an item of a List.
type object struct {
	finding.Object
	// raw is the object as JSON.
	raw []byte
	at  position
}

// Subject is the object as it is put under review.
func (o *object) subject() review.Subject {
	return review.Subject{
		Operation: review.Audit,
		Kind:      schema.FromAPIVersionAndKind(o.APIVersion, o.Kind),
		Namespace: o.Namespace,
		Name:      o.Name,
		Object:    o.raw,
	}
}

// reader makes documents of the texts of one file.
type reader struct {
	file  string
	limit int
}

// read makes documents of a text: one, or as many as there are JSON values in it.
func (r reader) read(t text) []document {
	single := r.document(t.content)
	values, isJSON := t.json()
	var docs []document
	err := guarded(func() error {
		switch {
		case t.tooLarge:
			return fmt.Errorf("the document is larger than %s: split it (a List with: jq -c '.items[]')", mebibytes(r.limit))
		case !utf8.Valid(t.raw):
			single.source.Line = t.line + lineOfInvalid(t.raw)
			return errEncoding(t.raw)
		case isJSON:
			docs = r.json(values)
		default:
			docs = []document{r.yaml(t)}
		}
		return nil
	})
	if err != nil {
		single.fail(single.source.Line, err)
		return []document{single}
	}
	return docs
}

func (r reader) document(line int) document {
	return document{source: finding.Source{File: r.file, Line: line}, lines: &jsonLines{}}
}

// json returns the text from its first brace, if it looks like JSON there: a
// brace and a quote. A template and YAML in flow style do not.
func (t text) json() (text, bool) {
	raw := firstContent(t.raw)
	rest, ok := bytes.CutPrefix(raw, []byte("{"))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	if !ok || len(rest) == 0 || rest[0] != '"' && rest[0] != '}' {
		return text{}, false
	}
	before := t.raw[:len(t.raw)-len(raw)]
	return text{
		line: t.line + bytes.Count(before, []byte("\n")), content: t.content,
		offset: t.offset + len(before), raw: raw,
	}, true
}

func (d *document) fail(line int, err error) {
	d.errors = append(d.errors, Error{Source: finding.Source{File: d.source.File, Line: line}, Err: err})
}

func errEncoding(raw []byte) error {
	if bytes.HasPrefix(raw, []byte("\xff\xfe")) || bytes.HasPrefix(raw, []byte("\xfe\xff")) {
		return errors.New("the file is in UTF-16: save it as UTF-8")
	}
	return errors.New("the text is not valid UTF-8")
}

// lineOfInvalid returns how many lines stand before the first invalid byte.
func lineOfInvalid(raw []byte) int {
	valid := 0
	for valid < len(raw) {
		r, size := utf8.DecodeRune(raw[valid:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		valid += size
	}
	return bytes.Count(raw[:valid], []byte("\n"))
}

func mebibytes(n int) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
