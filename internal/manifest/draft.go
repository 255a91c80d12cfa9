package manifest

import "bytes"

const (
	bom         = "\ufeff"
	startMarker = "---"
	endMarker   = "..."
)

// draft is a document while its lines come in.
type draft struct {
	Text
	// started is true once the document has its start marker.
	started bool
	// open is true while the current line may still turn out to have content.
	open bool
}

// endsBefore reports whether a line that begins with head begins another document.
// What stands before the first marker without content, comments and directives, is
// left out: kubectl knows no directives either, and a fault in it would hide an object.
func (d *draft) endsBefore(head []byte) bool {
	return d.line > 0 && hasMarker(withoutBOM(head), startMarker)
}

// add takes in a piece of a line and reports whether it ends the document.
func (d *draft) add(piece []byte, begins bool, line int) (ended bool) {
	if d.line == 0 {
		d.line = line
	}
	body := piece
	if begins {
		if d.content == 0 { // files that were joined have the mark in the middle
			piece = withoutBOM(piece)
		}
		d.open, ended, body = true, hasMarker(piece, endMarker), piece
		if hasMarker(piece, startMarker) {
			d.started, body = true, piece[len(startMarker):]
		}
	}
	if d.open && d.content == 0 && !ended {
		d.look(body, line)
	}
	d.keep(piece)
	return ended
}

// look decides whether the line has content, as far as it is known.
func (d *draft) look(piece []byte, line int) {
	piece = bytes.TrimSpace(piece)
	if len(piece) == 0 {
		return
	}
	d.open = false
	directive := piece[0] == '%' && !d.started
	if piece[0] != '#' && !directive {
		d.content = line
	}
}

func (d *draft) keep(piece []byte) {
	if d.tooLarge || len(d.raw)+len(piece) > d.limit {
		d.tooLarge, d.raw = true, nil
		return
	}
	d.raw = append(d.raw, piece...)
}

// hasMarker reports whether a line begins with the marker: it must stand alone,
// or before white space.
func hasMarker(line []byte, marker string) bool {
	rest, ok := bytes.CutPrefix(line, []byte(marker))
	return ok && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0)
}

func withoutBOM(line []byte) []byte { return bytes.TrimPrefix(line, []byte(bom)) }
