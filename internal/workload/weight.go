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

// MaxWeight is how many bytes of memory an object may take while it is decoded and judged. An
// empty container, which is two bytes of text, takes 1 kB decoded and up to 30 kB judged: without a
// bound, an object of 3 MiB, the most that an API server reads, took 900 MiB. No object that people
// write comes near: it would have 2,000 containers.
const MaxWeight = 64 << 20

const (
	// containerWeight is what a container takes: 1 kB decoded, 3 kB of facts, and 10 to 30 kB when its
	// facts are converted for rules and findings come of them.
	containerWeight = 30 << 10
	// perByte is how many times its bytes an object takes, whatever is in it.
	perByte = 8
	// perItem is how many times its size an item of a list takes: a list is copied as it grows, and
	// the facts about an item are about as large as the item.
	perItem = 4
	// perEntry is how many times its size an entry of a map takes.
	perEntry = 8
	// perAny is what a value takes that is decoded into an interface.
	perAny = 128
	// perValue is what a value takes in a tree of maps and lists; most values are strings and numbers.
	perValue = 48
	// maxDepth is more than the depth of any type of Kubernetes that is decoded here.
	maxDepth = 64
	// An object of at most so many bytes, with at most so many objects within it, cannot be too
	// heavy. It is not weighed.
	lightBytes   = 64 << 10
	lightObjects = 1 << 10
)

// MostWeight returns the most bytes of memory that an object in this JSON can take, at most
// MaxWeight. It only counts bytes, and takes each {} and each null for a container.
func MostWeight(raw []byte) int64 {
	return min(MaxWeight, perByte*int64(len(raw))+containerWeight*int64(objects(raw)))
}

// TreeWeight returns about how many bytes of memory JSON takes as a tree of maps and lists.
func TreeWeight(raw []byte) int64 {
	values := 1
	for _, c := range []string{",", "{", "["} {
		values += bytes.Count(raw, []byte(c))
	}
	return perValue*int64(values) + int64(len(raw))
}

func objects(raw []byte) int { return bytes.Count(raw, []byte("{")) + bytes.Count(raw, []byte("null")) }

// tooHeavy reports whether an object of the kind would take more than MaxWeight. It reads the
// tokens of its text, and adds up what the types weigh that they would be decoded into.
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

// structWeight keeps what reflection tells of a struct type, since a list has many of one type.
type structWeight struct {
	// fields are found by their names in lower case: the decoder takes Spec for spec, too.
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

// value weighs the next value, which would be decoded into the type; a nil type stands for a field
// that is not decoded. The struct itself is not counted here: whatever it is part of counts it.
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
