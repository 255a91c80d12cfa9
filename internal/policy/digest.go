package policy

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// digester appends to text what tells a value from every other of its type. It
// fails where a converter would, and covers what encoding/json would write.
type digester func(text []byte, v reflect.Value) ([]byte, error)

func digestString(text []byte, v reflect.Value) ([]byte, error) {
	return appendText(text, v.String()), nil
}

func digestBool(text []byte, v reflect.Value) ([]byte, error) { return appendBool(text, v.Bool()), nil }

func digestInt(text []byte, v reflect.Value) ([]byte, error) {
	return binary.AppendVarint(text, v.Int()), nil
}

func digestJSON(text []byte, v reflect.Value) ([]byte, error) {
	if v.CanAddr() {
		v = v.Addr()
	}
	raw, err := json.Marshal(v.Interface())
	if err != nil {
		return nil, err
	}
	return appendText(text, string(raw)), nil
}

func digestPointer(d digester) digester {
	return func(text []byte, v reflect.Value) ([]byte, error) {
		if text = appendBool(text, v.IsNil()); v.IsNil() {
			return text, nil
		}
		return d(text, v.Elem())
	}
}

func digestSlice(d digester) digester {
	return func(text []byte, v reflect.Value) ([]byte, error) {
		text = binary.AppendUvarint(appendBool(text, v.IsNil()), uint64(v.Len()))
		for i := range v.Len() {
			var err error
			if text, err = d(text, v.Index(i)); err != nil {
				return nil, err
			}
		}
		return text, nil
	}
}

func digestMap(d digester) digester {
	return func(text []byte, v reflect.Value) ([]byte, error) {
		text = binary.AppendUvarint(appendBool(text, v.IsNil()), uint64(v.Len()))
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, key := range keys {
			var err error
			if text, err = d(appendText(text, key.String()), v.MapIndex(key)); err != nil {
				return nil, err
			}
		}
		return text, nil
	}
}

func digestOf(fields []field) digester {
	return func(text []byte, v reflect.Value) ([]byte, error) {
		for i := range fields {
			var err error
			if text, err = fields[i].digest(text, v.FieldByIndex(fields[i].index)); err != nil {
				return nil, err
			}
		}
		return text, nil
	}
}

// appendText puts the length first, so that no two lists of texts look the same.
func appendText(text []byte, s string) []byte {
	return append(binary.AppendUvarint(text, uint64(len(s))), s...)
}

func appendBool(text []byte, b bool) []byte {
	if b {
		return append(text, 1)
	}
	return append(text, 0)
}

// digest is what tells an input from others, as far as some rules read it.
type digest [sha256.Size]byte

func (d document) digest(in *Input, rules []Rule) (digest, error) {
	text := make([]byte, 0, 4096)
	for _, r := range rules {
		text = appendText(text, r.ID)
	}
	text, err := digestOf(d.all())(text, reflect.ValueOf(in).Elem())
	if err != nil {
		return digest{}, err
	}
	return sha256.Sum256(text), nil
}
