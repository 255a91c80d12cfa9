package workload

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	corev1 "k8s.io/api/core/v1"
)

// ErrTooLarge says that an object would take too much memory: it is not decoded.
var ErrTooLarge = errors.New("the object is too large to be decoded")

// MaxWeight is how many bytes an object may take while it is decoded and judged. The containers of
// {"containers":[{},{}]} take 300 times their text as they are decoded, and thousands of times as they are judged:
// without a bound, 3 MiB of them, which is what an API server reads, took 900 MiB. No object that
// people write comes near: it would have 2,000 containers.
const MaxWeight = 64 << 20

const (
	// containerWeight is what a container takes: 1 kB as it is decoded, 3 of facts, and 10 to 30 of what is
	// converted of them for rules, and found.
	containerWeight = 30 << 10
	// perByte is how many times its bytes an object takes, whatever is in it.
	perByte = 8
	// perItem is how many times its size an item of a list takes: lists grow by copying, and what is
	// observed of an item is about as large.
	perItem = 4
	// perEntry is the same of an entry of a map.
	perEntry = 8
	// perAny is what a value takes of which nothing is known beforehand.
	perAny = 128
	// perValue is what a value takes in a tree, most of them strings and numbers.
	perValue = 48
	// maxDepth is deeper than the types lead into themselves.
	maxDepth = 64
	// light objects are not weighed: with so many bytes and objects within them they cannot be too heavy.
	lightBytes   = 64 << 10
	lightObjects = 1 << 10
)

// MostWeight is the most that objects in JSON can take, at most MaxWeight each: what is written as {} or as null may
// be a container. It takes a look at the bytes and no more.
func MostWeight(raw []byte) int64 {
	return min(MaxWeight, perByte*int64(len(raw))+containerWeight*int64(objects(raw)))
}

// TreeWeight is about what JSON takes as a tree of maps and lists.
func TreeWeight(raw []byte) int64 {
	values := 1
	for _, c := range []string{",", "{", "["} {
		values += bytes.Count(raw, []byte(c))
	}
	return perValue*int64(values) + int64(len(raw))
}

func objects(raw []byte) int { return bytes.Count(raw, []byte("{")) + bytes.Count(raw, []byte("null")) }

// tooHeavy reports whether an object of the kind would take more than MaxWeight. It reads the tokens
// alone, and takes them for what they would be decoded into.
func tooHeavy(raw []byte, k Kind) bool {
	if len(raw) <= lightBytes && objects(raw) <= lightObjects {
		return false
	}
	s := scale{
		decoder: jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)),
		left:    MaxWeight, structs: map[reflect.Type]structWeight{},
	}
	return errors.Is(s.value(reflect.TypeOf(into(manifestFor(k))), 0), ErrTooLarge)
}

// scale weighs one object.
type scale struct {
	decoder *jsontext.Decoder
	left    int64
	structs map[reflect.Type]structWeight
}

// structWeight is what is asked of a type often.
type structWeight struct {
	// fields by their names in lower case: a decoder that looks for errors takes Spec for spec.
	fields map[string]reflect.Type
	// opaque types decode themselves.
	opaque bool
}

// take takes bytes off what is left.
func (s *scale) take(n int64) error {
	if s.left -= n; s.left < 0 {
		return ErrTooLarge
	}
	return nil
}

// value weighs one value, which is decoded into the type. What is there of the type already was
// taken with what it is in; nil stands for what is not decoded.
func (s *scale) value(t reflect.Type, depth int) error {
	if t == nil || depth > maxDepth {
		return s.decoder.SkipValue()
	}
	switch kind := s.decoder.PeekKind(); {
	case t.Kind() == reflect.Pointer:
		return errors.Join(s.take(int64(t.Elem().Size())), s.value(t.Elem(), depth+1))
	case kind == jsontext.KindBeginArray && (t.Kind() == reflect.Slice || t.Kind() == reflect.Interface):
		return s.list(t, depth)
	case kind == jsontext.KindBeginObject && (t.Kind() == reflect.Map || t.Kind() == reflect.Interface):
		return s.entries(t, depth)
	case kind == jsontext.KindBeginObject && t.Kind() == reflect.Struct && !s.of(t).opaque:
		return s.fields(s.of(t), depth)
	}
	return s.decoder.SkipValue()
}

// list weighs the items of a list.
func (s *scale) list(t reflect.Type, depth int) error {
	item, weight := t, int64(perAny)
	if t.Kind() == reflect.Slice {
		item = t.Elem()
		weight = perItem * int64(item.Size())
	}
	if item == reflect.TypeFor[corev1.Container]() || item == reflect.TypeFor[corev1.EphemeralContainer]() {
		weight = containerWeight
	}
	return s.each(jsontext.KindEndArray, func() error {
		if err := s.take(weight); err != nil {
			return err
		}
		return s.value(item, depth+1)
	})
}

// entries weighs those of a map.
func (s *scale) entries(t reflect.Type, depth int) error {
	item, weight := t, int64(perAny)
	if t.Kind() == reflect.Map {
		item = t.Elem()
		weight = perEntry * int64(t.Key().Size()+item.Size())
	}
	return s.each(jsontext.KindEndObject, func() error {
		if err := errors.Join(s.take(weight), s.decoder.SkipValue()); err != nil { // the name
			return err
		}
		return s.value(item, depth+1)
	})
}

// fields weighs what the fields of a struct point to.
func (s *scale) fields(w structWeight, depth int) error {
	return s.each(jsontext.KindEndObject, func() error {
		name, err := s.decoder.ReadValue()
		if err != nil {
			return err
		}
		return s.value(w.fields[strings.ToLower(string(unquoted(name)))], depth+1)
	})
}

// each calls weigh for what is within brackets.
func (s *scale) each(end jsontext.Kind, weigh func() error) error {
	if _, err := s.decoder.ReadToken(); err != nil {
		return err
	}
	for next := s.decoder.PeekKind(); next != end; next = s.decoder.PeekKind() {
		if next == jsontext.KindInvalid {
			_, err := s.decoder.ReadToken()
			return errors.Join(errUnreadable, err)
		}
		if err := weigh(); err != nil {
			return err
		}
	}
	_, err := s.decoder.ReadToken()
	return err
}

func (s *scale) of(t reflect.Type) structWeight {
	w, ok := s.structs[t]
	if !ok {
		w = structWeight{fields: map[string]reflect.Type{}, opaque: reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())}
		w.add(t)
		s.structs[t] = w
	}
	return w
}

// add adds the fields of a struct, those of embedded ones among them.
func (w structWeight) add(t reflect.Type) {
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct {
			w.add(f.Type)
			continue
		}
		if name == "" {
			name = f.Name
		}
		w.fields[strings.ToLower(name)] = f.Type
	}
}
