package apijson

import "reflect"

// Type names a Go type as somebody who writes manifests would.
func Type(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	special := map[string]string{
		"Quantity": "a quantity", "IntOrString": "an integer or a string", "Time": "a time", "MicroTime": "a time",
	}
	names := map[reflect.Kind]string{
		reflect.Bool:   "true or false",
		reflect.String: "a string",
		reflect.Int32:  "an integer",
		reflect.Int64:  "an integer",
		reflect.Slice:  "a list",
		reflect.Map:    "an object",
		reflect.Struct: "an object",
	}
	if name, ok := special[t.Name()]; ok {
		return name
	}
	if name, ok := names[t.Kind()]; ok {
		return name
	}
	return t.String()
}

// Scalar reports whether a value is a text, a number, true or false, and no object or list.
func Scalar(raw []byte) bool { return len(raw) > 0 && raw[0] != '{' && raw[0] != '[' }

// Kind names the type of a value.
func Kind(raw []byte) string {
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't', 'f':
		return "true or false"
	}
	return "a number"
}
