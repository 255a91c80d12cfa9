package audit

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// text is one document as it stands in a file, before anything is made of it.
type text struct {
	// line is the number of its first line in the file.
	line int
	// content is the number of the first line that is not blank, a comment, a
	// directive or a marker; 0 when there is none.
	content int
	// offset of raw in the file.
	offset int
	raw    []byte
	// tooLarge is set, and raw dropped, when the document exceeds the limit.
	tooLarge bool
}

// splitter cuts a file into documents by its lines alone, so that a document that
// cannot be parsed hides none after it. YAML allows that: a line that begins with
// a marker ends a document even inside a quoted or block scalar.
type splitter struct {
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

func newSplitter(r io.Reader, limit int) *splitter {
	return &splitter{in: bufio.NewReaderSize(r, pieceSize), limit: limit}
}

// next returns the next document that has content, and io.EOF after the last.
func (s *splitter) next() (text, error) {
	for {
		t, err := s.read()
		if err != nil || t.content > 0 {
			return t, err
		}
	}
}

// read returns the lines up to the next marker, with or without content.
func (s *splitter) read() (text, error) {
	d := draft{limit: s.limit}
	for {
		if !s.within && d.endsBefore(s.peek()) {
			return d.text, nil
		}
		piece, begins, err := s.piece()
		switch {
		case errors.Is(err, io.EOF) && d.line > 0:
			return d.text, nil
		case err != nil:
			return text{line: s.line}, err
		}
		if d.line == 0 && !begins {
			continue // the rest of the line that ended the document before
		}
		if d.line == 0 {
			d.offset = s.offset - len(withoutBOM(piece))
		}
		if d.add(piece, begins, s.line) {
			return d.text, nil
		}
	}
}

// peek returns enough of the next line to see a marker.
func (s *splitter) peek() []byte {
	head, _ := s.in.Peek(len(bom) + len(startMarker) + 1)
	return head
}

func (s *splitter) piece() (piece []byte, begins bool, err error) {
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
