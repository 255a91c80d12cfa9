package manifest

import (
	"encoding/binary"
	"errors"
)

// Append appends the document to b, in a form that Decode reads. To keep the Document itself
// would take far more memory, and to keep its text alone far more time.
func (d *Document) Append(b []byte) []byte {
	first := 0
	if y, ok := d.lines.(*yamlLines); ok {
		first = y.first
	}
	for _, n := range []int{first, d.Line, d.Offset, len(d.Objects), len(d.Faults)} {
		b = appendNumber(b, n)
	}
	b = appendText(b, d.Raw)
	for i := range d.Objects {
		o := &d.Objects[i]
		for _, text := range []string{o.APIVersion, o.Kind, o.Namespace, o.Name, o.At} {
			b = appendText(b, text)
		}
		b = appendNumber(b, o.line)
		b = appendText(b, o.JSON)
		b = appendRepeated(b, o.Repeated)
	}
	for _, f := range d.Faults {
		b = appendNumber(b, f.Line)
		b = appendText(b, f.Err.Error())
	}
	return b
}

// Decode returns the document that Append has written to an empty slice. The document refers to
// b, which must not change.
func Decode(b []byte) (Document, error) {
	r := decoder{rest: b}
	first := r.number()
	d := Document{Line: r.number(), Offset: r.number()}
	objects, faults := r.number(), r.number()
	d.Raw = r.text()
	d.lines = &jsonLines{}
	if first > 0 {
		d.lines = &yamlLines{raw: d.Raw, first: first}
	}
	for range min(objects, len(b)) {
		var o Object
		for _, text := range []*string{&o.APIVersion, &o.Kind, &o.Namespace, &o.Name, &o.At} {
			*text = string(r.text())
		}
		o.line, o.JSON = r.number(), r.text()
		o.Repeated = r.repeated()
		d.Objects = append(d.Objects, o)
	}
	for range min(faults, len(b)) {
		d.Fail(r.number(), errors.New(string(r.text())))
	}
	if r.short {
		return Document{}, errors.New("a document that was kept is cut off")
	}
	return d, nil
}

func appendNumber(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) }

func appendText[T string | []byte](b []byte, text T) []byte {
	return append(appendNumber(b, len(text)), text...)
}

func appendRepeated(b []byte, all []Repeated) []byte {
	b = appendNumber(b, len(all))
	for _, r := range all {
		same := 0
		if r.Same {
			same = 1
		}
		b = appendText(b, r.Path)
		for _, n := range []int{r.First, r.Last, same} {
			b = appendNumber(b, n)
		}
	}
	return b
}

// decoder takes numbers and texts off the bytes that are left.
type decoder struct {
	rest []byte
	// short is set when there was less than was asked for.
	short bool
}

func (d *decoder) number() int {
	n, size := binary.Uvarint(d.rest)
	if size <= 0 {
		d.short, d.rest = true, nil
		return 0
	}
	d.rest = d.rest[size:]
	return int(n)
}

func (d *decoder) text() []byte {
	n := d.number()
	if n < 0 || n > len(d.rest) {
		d.short, d.rest = true, nil
		return nil
	}
	text := d.rest[:n:n]
	d.rest = d.rest[n:]
	return text
}

func (d *decoder) repeated() []Repeated {
	var all []Repeated
	for range min(d.number(), len(d.rest)) {
		r := Repeated{Path: string(d.text()), First: d.number(), Last: d.number()}
		r.Same = d.number() == 1
		all = append(all, r)
	}
	return all
}
