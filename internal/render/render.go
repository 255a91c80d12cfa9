// Package render is what renderers of charts and kustomizations hand to an audit: texts that are manifests, and
// where in the sources each line of them comes from.
package render

import (
	"fmt"

	"github.com/forestall/forestall/internal/finding"
)

// MaxText is how many bytes all that is rendered of one source may take. What is rendered is held in memory, and nobody writes that
// much: etcd takes 1.5 MiB of an object.
const MaxText = 256 << 20

// ErrLarge says that there is more than MaxText.
var ErrLarge = fmt.Errorf("what is rendered is larger than %d MiB", MaxText>>20)

// Text is one text that was rendered, or why there is none.
type Text struct {
	// Name of the file that it was made of, as a person finds it from the working directory.
	Name string
	Text []byte
	// Namespace is where its objects go that write none; empty where the source does not say.
	Namespace string
	// Place returns where in the sources something comes from: what stands on a line of the text, which counts from 1, and is
	// the field at a path of the object there. The path is empty for the object itself, and for a line that is in no object. Nil
	// stands for the file of Name. Calls about one object do not overlap.
	Place func(path string, line int) finding.Source
	// Err says why there is no text, and Line where in the file; 0 for the file as a whole.
	Line int
	Err  error
}

// Failed returns a Text that is none.
func Failed(name string, line int, err error) Text { return Text{Name: name, Line: line, Err: err} }

// At returns where a line of the text, or a field, comes from.
func (t *Text) At(path string, line int) finding.Source {
	if t.Place == nil {
		return finding.Source{File: t.Name}
	}
	return t.Place(path, line)
}
