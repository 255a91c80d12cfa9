package manifest

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// lastOfEach blanks out of JSON the fields that stand again later in the same object: the last one counts, as it does for
// kubectl. No other byte moves. The lines of what is repeated count from the one given.
func lastOfEach(raw []byte, line int) ([]byte, []Repeated) {
	r := jsonRepeated{
		raw: raw, clean: bytes.Clone(raw), line: line,
		decoder: jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)),
	}
	if r.value(nil) != nil {
		return raw, nil
	}
	return r.clean, r.found
}

type jsonRepeated struct {
	raw, clean []byte
	decoder    *jsontext.Decoder
	line       int
	found      []Repeated
}

// pair is where a field and its value stand.
type pair struct{ start, value, end int }

func (r *jsonRepeated) value(at *way) error {
	switch r.decoder.PeekKind() {
	case jsontext.KindBeginObject:
		return r.object(at)
	case jsontext.KindBeginArray:
		return r.list(at)
	}
	return r.decoder.SkipValue()
}

func (r *jsonRepeated) list(at *way) error {
	if _, err := r.decoder.ReadToken(); err != nil {
		return err
	}
	for i := 0; r.decoder.PeekKind() != jsontext.KindEndArray; i++ {
		if err := r.value(&way{outer: at, item: true, index: i}); err != nil {
			return err
		}
	}
	_, err := r.decoder.ReadToken()
	return err
}

func (r *jsonRepeated) object(at *way) error {
	if _, err := r.decoder.ReadToken(); err != nil {
		return err
	}
	seen := map[string]pair{} // the first of each name
	latest := map[string]pair{}
	var again []string
	for r.decoder.PeekKind() == jsontext.KindString {
		key, err := r.decoder.ReadValue()
		if err != nil {
			return err
		}
		end := int(r.decoder.InputOffset())
		p := pair{start: end - len(key), value: end}
		name := textOf(key)
		if err := r.value(&way{outer: at, name: name}); err != nil {
			return err
		}
		p.end = int(r.decoder.InputOffset())
		if before, ok := latest[name]; ok {
			r.blank(before)
			if seen[name] == before {
				again = append(again, name)
			}
		} else {
			seen[name] = p
		}
		latest[name] = p
	}
	for _, name := range again {
		r.tell(&way{outer: at, name: name}, seen[name], latest[name])
	}
	_, err := r.decoder.ReadToken()
	return err
}

// blank takes out a pair and the comma behind it: another one follows.
func (r *jsonRepeated) blank(p pair) {
	end := p.end + bytes.IndexByte(r.raw[p.end:], ',') + 1
	for i := p.start; i < end; i++ {
		if c := r.clean[i]; c != '\n' && c != '\r' {
			r.clean[i] = ' '
		}
	}
}

func (r *jsonRepeated) tell(at *way, first, last pair) {
	if len(r.found) >= maxRepeated {
		return
	}
	r.found = append(r.found, Repeated{
		Path: at.String(), First: r.line + breaks(r.raw[:first.start]), Last: r.line + breaks(r.raw[:last.start]),
		Same: bytes.Equal(r.raw[first.value:first.end], r.raw[last.value:last.end]),
	})
}
