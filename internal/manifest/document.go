// Package manifest reads the text of manifests, YAML and JSON, into documents: the objects
// in them as JSON, what is wrong with them, and the line of every field.
package manifest

import (
	"bytes"
	"fmt"

	"github.com/forestall/forestall/internal/finding"
)

// Document is one document of a file: what stands between two markers, or one of the JSON
// values there.
type Document struct {
	// Line of its first content in the file.
	Line int
	// Raw is its text, without a byte order mark, and Offset where it begins in the file.
	Raw    []byte
	Offset int
	// Skipped is true when it has neither apiVersion nor kind: it is data of somebody else.
	Skipped bool
	// Objects are the document itself, or the items of a List.
	Objects []Object
	// Faults are what is wrong with it.
	Faults []Fault
	lines  lines
}

// Object is one object of a document.
type Object struct {
	finding.Object
	// JSON is the object as JSON.
	JSON []byte
	// At is the path of the object within the text of its document: items[3]. It is empty
	// where the object is the document.
	At string
	// Repeated are the fields that stand more than once in one mapping of the text. The last one counts, as
	// it does for kubectl.
	Repeated []Repeated
	// line in the file at which it begins, as far as that is known without a lookup.
	line int
	// depth counts the Lists around the object.
	depth int
}

// Repeated is a field that stands more than once, and the lines in the file of the first and the last time.
type Repeated struct {
	// Path of the field in its object.
	Path        string
	First, Last int
	// Same says that both have the same value.
	Same bool
}

// Fault is one thing that is wrong with a document, and its line in the file.
type Fault struct {
	Line int
	Err  error
}

// LineOf returns the line in the file of a field of an object of the document. The path is one
// such as spec.containers[0].image; the empty path is the object itself. A field that is not
// there has the line of the innermost value around it that is there. LineOf keeps what it has
// read, and is not for several goroutines at once.
func (d *Document) LineOf(o *Object, path string) int { return d.lines.line(o, path) }

// Fail adds a fault.
func (d *Document) Fail(line int, err error) {
	d.Faults = append(d.Faults, Fault{Line: line, Err: err})
}

func mebibytes(n int) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

// breaks counts the line breaks of a text.
func breaks(raw []byte) int { return bytes.Count(raw, []byte("\n")) }
