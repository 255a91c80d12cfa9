package audit

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/forestall/forestall/internal/manifest"
)

// unread is a text of a file that was not read yet, or why there is none.
type unread struct {
	file int
	text manifest.Text
	// line and err say why there is no text.
	line int
	err  error
}

// documents reads the text.
func (u unread) documents() []read {
	if u.err != nil {
		return []read{{Document: broken(u.line, u.err), file: u.file, none: true}}
	}
	var all []read
	err := guarded(func() error {
		for _, d := range u.text.Documents() {
			all = append(all, read{Document: d, file: u.file})
		}
		return nil
	})
	if err != nil {
		return []read{{Document: broken(u.text.Line(), err), file: u.file}}
	}
	return all
}

func broken(line int, err error) manifest.Document {
	d := manifest.Document{Line: line}
	d.Fail(line, err)
	return d
}

// textsOf cuts a file into texts.
func (s *Set) textsOf(ctx context.Context, in input, split *manifest.Splitter) iter.Seq[unread] {
	return func(yield func(unread) bool) {
		file, err := in.file()
		if err != nil {
			yield(unread{line: in.line(), err: reason(err)})
			return
		}
		defer func() { _ = file.Close() }()
		s.countFile(in)
		text := keeper{room: &s.room}
		from := io.Reader(file)
		if s.keep {
			from = io.TeeReader(file, &text)
		}
		split.Reset(from)
		for ctx.Err() == nil {
			t, err := split.Next()
			switch {
			case errors.Is(err, io.EOF):
				if s.keep {
					s.texts = append(s.texts, fileText{name: in.name, within: in.within, text: text.Bytes()})
				}
				return
			case err != nil:
				s.room += text.Len()
				yield(unread{line: split.Line(), err: reason(err)})
				return
			case !yield(unread{text: t}):
				return
			}
		}
	}
}

// maxTexts bounds the texts that are kept: a file without end does not take all memory.
const maxTexts = 1 << 30

var errTexts = fmt.Errorf("the files take more than %d MiB, which is as much as is repaired at once: do it in parts", maxTexts>>20)

// keeper keeps a text while there is room.
type keeper struct {
	bytes.Buffer
	room *int
}

// Write keeps all, or nothing and says why.
func (k *keeper) Write(p []byte) (int, error) {
	if len(p) > *k.room {
		return 0, errTexts
	}
	*k.room -= len(p)
	return k.Buffer.Write(p)
}

// size is about how much memory the document takes.
func (d *read) size() int {
	n := len(d.Raw)
	for i := range d.Objects {
		n += len(d.Objects[i].JSON)
	}
	return n
}

func appendFile(b []byte, file int) []byte { return binary.AppendUvarint(b, uint64(file)) }

// decode reads a document that the spool has kept.
func decode(record []byte) (read, error) {
	file, n := binary.Uvarint(record)
	if n <= 0 {
		return read{}, io.ErrUnexpectedEOF
	}
	d, err := manifest.Decode(record[n:])
	return read{Document: d, file: int(file)}, err
}

// unread cuts the files into texts.
func (s *Set) unread(ctx context.Context, files []input, limit int) iter.Seq2[unread, error] {
	return func(yield func(unread, error) bool) {
		split := manifest.NewSplitter(nil, limit)
		for i, in := range files {
			for u := range s.textsOf(ctx, in, split) {
				u.file = i
				if !yield(u, nil) {
					return
				}
			}
			if err := ctx.Err(); err != nil {
				yield(unread{}, err)
				return
			}
		}
	}
}
