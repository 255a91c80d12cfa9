package manifest

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// Splitter cuts a file into documents by its lines alone, so that a document that
// cannot be parsed hides none after it. YAML allows that: a line that begins with
// a marker ends a document even inside a quoted or block scalar.
type Splitter struct {
	in    *bufio.Reader
	limit int
	// line is the number of the line that was read last.
	line int
	// within is true between two pieces of one line.
	within bool
	// offset is how much was read.
	offset int
}

// pieceSize bounds what is read at once; longer lines come in several pieces.
const pieceSize = 64 << 10

// DefaultLimit is the size in bytes beyond which a document is a fault, unless another limit is given.
const DefaultLimit = 16 << 20

// NewSplitter returns a Splitter of the text that r has. Documents of more than limit bytes
// are faults; 0 stands for DefaultLimit.
func NewSplitter(r io.Reader, limit int) *Splitter {
	if limit <= 0 {
		limit = DefaultLimit
	}
	return &Splitter{in: bufio.NewReaderSize(r, pieceSize), limit: limit}
}

// Next returns the next document that has content, and io.EOF after the last.
func (s *Splitter) Next() (Text, error) {
	for {
		t, err := s.read()
		if err != nil || t.content > 0 {
			return t, err
		}
	}
}

// read returns the lines up to the next marker, with or without content.
func (s *Splitter) read() (Text, error) {
	d := draft{Text: Text{limit: s.limit}}
	for {
		if !s.within && d.endsBefore(s.peek()) {
			return d.Text, nil
		}
		piece, begins, err := s.piece()
		switch {
		case errors.Is(err, io.EOF) && d.line > 0:
			return d.Text, nil
		case err != nil:
			return Text{line: s.line}, err
		}
		if d.line == 0 && !begins {
			continue // the rest of the line that ended the document before
		}
		if d.line == 0 {
			d.offset = s.offset - len(withoutBOM(piece))
		}
		if d.add(piece, begins, s.line) {
			return d.Text, nil
		}
	}
}

// peek returns enough of the next line to see a marker.
func (s *Splitter) peek() []byte {
	head, _ := s.in.Peek(len(bom) + len(startMarker) + 1)
	return head
}

// Reset goes on with another file.
func (s *Splitter) Reset(r io.Reader) {
	s.in.Reset(r)
	*s = Splitter{in: s.in, limit: s.limit}
}

// Line is the number of the line that was read last.
func (s *Splitter) Line() int { return s.line }

func (s *Splitter) piece() (piece []byte, begins bool, err error) {
	piece, err = s.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) || (errors.Is(err, io.EOF) && len(piece) > 0) {
		err = nil
	}
	if err != nil {
		return nil, false, err
	}
	s.offset += len(piece)
	begins = !s.within
	if begins {
		s.line++
	}
	s.within = !bytes.HasSuffix(piece, []byte("\n"))
	return piece, begins, nil
}
