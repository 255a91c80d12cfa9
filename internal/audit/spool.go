package audit

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

const (
	// inMemory is how many bytes a spool keeps in memory before it needs a file.
	inMemory = 8 << 20
	// maxSpool bounds the file: an input that never ends does not fill the disk.
	maxSpool = 8 << 30
)

var errSpoolFull = fmt.Errorf("what was read takes more than %d GiB: audit it in parts", maxSpool>>30)

// spool keeps records, in the order in which they came, between the two halves of a run: the
// first in memory, and the others in a temporary file. The file has no name while it is used, so
// that nothing is left behind however the process ends (on Windows it has one until Close). Where
// no file can be made, all records stay in memory. The zero value is empty.
type spool struct {
	memory bytes.Buffer
	file   *os.File
	out    *bufio.Writer
	size   int64
	// inMemory and most are the limits; 0 for the constants above.
	inMemory int
	most     int64
}

// add keeps a record.
func (s *spool) add(record []byte) error {
	head := binary.AppendUvarint(nil, uint64(len(record)))
	s.size += int64(len(head) + len(record))
	if s.size > orElse(s.most, maxSpool) {
		return errSpoolFull
	}
	if s.out == nil && s.size > int64(orElse(s.inMemory, inMemory)) {
		s.open()
	}
	for _, part := range [][]byte{head, record} {
		if _, err := s.to().Write(part); err != nil {
			return s.failed(err)
		}
	}
	return nil
}

// failed tells what became of the file, as on a full disk.
func (s *spool) failed(err error) error {
	return fmt.Errorf("keeping what was read in %s: %w: nothing was judged; read less at once, or name another folder in TMPDIR",
		filepath.Dir(s.file.Name()), reason(err))
}

func orElse[N int | int64](n, other N) N {
	if n > 0 {
		return n
	}
	return other
}

func (s *spool) to() io.Writer {
	if s.out != nil {
		return s.out
	}
	return &s.memory
}

// open makes the file. What is in memory stays there: it is read first.
func (s *spool) open() {
	file, err := os.CreateTemp("", "forestall-*")
	if err != nil {
		return
	}
	_ = os.Remove(file.Name()) // where an open file has a name, Close removes it
	s.file, s.out = file, bufio.NewWriterSize(file, 1<<20)
}

// flush ends the writing.
func (s *spool) flush() error {
	if s.out == nil {
		return nil
	}
	if err := s.out.Flush(); err != nil {
		return s.failed(err)
	}
	s.out = bufio.NewWriterSize(io.Discard, 16)
	return nil
}

// records returns a reader of all records. It may be called several times.
func (s *spool) records() *records {
	all := io.Reader(bytes.NewReader(s.memory.Bytes()))
	if s.file != nil {
		all = io.MultiReader(all, io.NewSectionReader(s.file, 0, s.size))
	}
	return &records{in: bufio.NewReaderSize(all, 256<<10)}
}

// Close removes the file.
func (s *spool) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if gone := os.Remove(s.file.Name()); gone != nil && !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	s.file = nil
	return err
}

// records reads what was kept.
type records struct{ in *bufio.Reader }

// next returns a record of its own memory, and io.EOF after the last.
func (r *records) next() ([]byte, error) {
	size, err := binary.ReadUvarint(r.in)
	if err != nil {
		return nil, err
	}
	record := make([]byte, size)
	if _, err := io.ReadFull(r.in, record); err != nil {
		return nil, fmt.Errorf("reading what was kept: %w", err)
	}
	return record, nil
}
