package workload

import (
	"bytes"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// WriteContent writes what an object says, for a digest: objects with the same content are the
// same workload. It leaves out the status, and the metadata that only names the object or keeps
// account of it. In a Pod it also leaves out the name of the token volume that the API server
// adds, wherever that name stands for the volume. It fails on JSON that cannot be read.
//
// In place of the volume's name it writes a byte that no JSON holds, so that nothing else looks
// the same. Objects with the same content therefore differ in that name alone, and have it in the
// same places.
func WriteContent(w io.Writer, raw []byte) error {
	c := newContent(raw)
	err := c.root()
	if err == nil {
		err = c.write(w)
	}
	if err != nil {
		return fmt.Errorf("reading what the object says: %w", err)
	}
	return nil
}

// content is an object that is cut into pieces.
type content struct {
	raw     []byte
	decoder *jsontext.Decoder
	pieces  []piece
	// begin is where the piece begins that is not among them yet.
	begin int
	// token is the name of the first token volume.
	token string
}

// piece is a part of the object. If it may be the name of the token volume, it also holds that
// name without escapes.
type piece struct {
	text []byte
	name string
}

func newContent(raw []byte) *content {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	return &content{
		raw:     raw,
		decoder: jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)),
	}
}

func (c *content) write(w io.Writer) error {
	for _, p := range c.pieces {
		if p.name != "" && p.name == c.token {
			p.text = []byte{0}
		}
		if _, err := w.Write(p.text); err != nil {
			return err
		}
	}
	return nil
}

func (c *content) root() error {
	if c.decoder.PeekKind() != jsontext.KindBeginObject {
		return errNoObject
	}
	if err := c.value(inObject); err != nil {
		return err
	}
	c.cut(c.offset())
	return nil
}

// value reads one value. Values in no special place are read at once.
func (c *content) value(at place) error {
	kind := c.decoder.PeekKind()
	switch {
	case at.named() && kind == jsontext.KindString:
		return c.name(at)
	case at == elsewhere, at == leftOut, at.named(), kind != jsontext.KindBeginObject && kind != jsontext.KindBeginArray:
		_, err := c.decoder.ReadValue()
		return err
	}
	if _, err := c.decoder.ReadToken(); err != nil {
		return err
	}
	each := c.field
	if kind == jsontext.KindBeginArray {
		each = c.value
	}
	for next := c.decoder.PeekKind(); next != jsontext.KindEndObject && next != jsontext.KindEndArray; next = c.decoder.PeekKind() {
		if err := each(at); err != nil {
			return err
		}
	}
	_, err := c.decoder.ReadToken()
	return err
}

// field reads a field of an object. In objects from which fields are left out, each field that is
// written has a comma before it, also the first.
func (c *content) field(at place) error {
	before := c.offset()
	quoted, err := c.decoder.ReadValue()
	if err != nil {
		return err
	}
	to := at.field(unquoted(quoted))
	if !at.leavesOut() {
		return c.value(to)
	}
	c.cut(before)
	c.begin = c.offset() - len(quoted)
	if to != leftOut {
		c.pieces = append(c.pieces, piece{text: []byte{','}})
	}
	if err := c.value(to); err != nil {
		return err
	}
	if to != leftOut {
		c.cut(c.offset())
	}
	c.begin = c.offset()
	return nil
}

// name reads the name of a volume, and cuts it out where the volume may be the token volume.
func (c *content) name(at place) error {
	quoted, err := c.decoder.ReadValue()
	if err != nil {
		return err
	}
	name := unquoted(quoted)
	if !isTokenVolume(name) {
		return nil
	}
	if at == volumeName && c.token == "" {
		c.token = string(name)
	}
	end := c.offset()
	c.cut(end - len(quoted))
	c.pieces = append(c.pieces, piece{text: c.raw[c.begin:end], name: string(name)})
	c.begin = end
	return nil
}

// cut ends a piece.
func (c *content) cut(end int) {
	if end > c.begin {
		c.pieces = append(c.pieces, piece{text: c.raw[c.begin:end]})
	}
	c.begin = end
}

func (c *content) offset() int { return int(c.decoder.InputOffset()) }

// unquoted is the text of a JSON string, which is valid.
func unquoted(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	text, _ := jsontext.AppendUnquote(nil, quoted)
	return text
}
