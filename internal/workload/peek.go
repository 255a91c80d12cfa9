package workload

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

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
		return fmt.Errorf("%v: %w", key, err)
	}
	return nil
}
