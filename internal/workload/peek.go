package workload

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var (
	errNoObject = errors.New("not a JSON object")
	errNoKind   = errors.New("apiVersion or kind is missing")
)

// peek reads apiVersion and kind and stops as soon as it has both. They are the
// first fields of what clients and the API server write, so that the object is
// decoded once, into the type that the two name.
func peek(raw []byte) (metav1.TypeMeta, error) {
	if found, ok := quickPeek(raw); ok {
		return found, nil
	}
	return slowPeek(raw)
}

// quickPeek is slowPeek in a tenth of the time, for what nothing is wrong with.
func quickPeek(raw []byte) (found metav1.TypeMeta, ok bool) {
	d := jsontext.NewDecoder(bytes.NewBuffer(raw))
	if first, err := d.ReadToken(); err != nil || first.Kind() != jsontext.KindBeginObject {
		return found, false
	}
	for found.APIVersion == "" || found.Kind == "" {
		name, err := d.ReadToken()
		if err != nil || name.Kind() != jsontext.KindString {
			return found, false
		}
		var into *string
		switch name.String() {
		case "apiVersion":
			into = &found.APIVersion
		case "kind":
			into = &found.Kind
		default:
			if d.SkipValue() != nil {
				return found, false
			}
			continue
		}
		value, err := d.ReadToken()
		if err != nil || value.Kind() != jsontext.KindString {
			return found, false
		}
		*into = value.String()
	}
	return found, true
}

// slowPeek says what is wrong.
func slowPeek(raw []byte) (metav1.TypeMeta, error) {
	var found metav1.TypeMeta
	d := json.NewDecoder(bytes.NewReader(raw))
	first, err := d.Token()
	if err != nil {
		return found, fmt.Errorf("%w: %w", errNoObject, err)
	}
	if first != json.Delim('{') {
		return found, errNoObject
	}
	for d.More() {
		if err := peekField(d, &found); err != nil {
			return found, err
		}
		if found.APIVersion != "" && found.Kind != "" {
			return found, nil
		}
	}
	if _, err := d.Token(); err != nil {
		return found, err
	}
	return found, errNoKind
}

// peekField reads one field of the object and keeps it if it is one of the two.
func peekField(d *json.Decoder, found *metav1.TypeMeta) error {
	key, err := d.Token()
	if err != nil {
		return err
	}
	var into any = new(json.RawMessage)
	switch key {
	case "apiVersion":
		into = &found.APIVersion
	case "kind":
		into = &found.Kind
	}
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%.*s: %w", maxField, fmt.Sprint(key), err)
	}
	return nil
}
