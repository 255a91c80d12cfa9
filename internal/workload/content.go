package workload

import (
	"bytes"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// WriteContent writes what an object says, for a digest: objects that differ in nothing
// but what is written without are the same workload. That is the status, and of the metadata
// what only names the object or keeps account of it; and the suffix of the volume that the API server
// adds to every pod by itself. It fails on JSON that cannot be read.
func WriteContent(w io.Writer, raw []byte) error {
	err := eachField(raw, func(name string, value jsontext.Value) error {
		switch name {
		case "status":
			return nil
		case "metadata":
			return writeMetadata(w, value)
		}
		return write(w, name, withoutSuffix(value))
	})
	if err != nil {
		return fmt.Errorf("reading what the object says: %w", err)
	}
	return nil
}

func writeMetadata(w io.Writer, raw jsontext.Value) error {
	if raw.Kind() != jsontext.KindBeginObject {
		return write(w, "metadata", raw)
	}
	return eachField(raw, func(name string, value jsontext.Value) error {
		switch name {
		case "name", "generateName", "uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink":
			return nil
		}
		return write(w, "metadata."+name, value)
	})
}

// eachField calls visit with each field of a JSON object, in their order. The value is
// valid until the next one.
func eachField(raw []byte, visit func(name string, value jsontext.Value) error) error {
	d := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	first, err := d.ReadToken()
	if err != nil {
		return err
	}
	if first.Kind() != jsontext.KindBeginObject {
		return errNoObject
	}
	for d.PeekKind() == jsontext.KindString {
		token, err := d.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		if err := visit(name, value); err != nil {
			return err
		}
	}
	_, err = d.ReadToken() // the closing brace, or what is wrong
	return err
}

// write puts lengths first, so that no two lists of fields look the same.
func write(w io.Writer, name string, value []byte) error {
	if _, err := fmt.Fprintf(w, "%d %s %d ", len(name), name, len(value)); err != nil {
		return err
	}
	_, err := w.Write(value)
	return err
}

// tokenVolume begins the name of the volume with the token of the service account; five random
// characters follow (k8s.io/kubernetes plugin/pkg/admission/serviceaccount/admission.go,
// apiserver/pkg/storage/names/generate.go).
const (
	tokenVolume  = "kube-api-access-"
	suffixLength = 5
)

// withoutSuffix takes the random characters out of the name of the first such volume,
// wherever it stands. Another one keeps its name: a pod that says the same as this one then
// is this one with that volume renamed.
func withoutSuffix(value []byte) []byte {
	before, rest, ok := bytes.Cut(value, []byte(tokenVolume))
	if !ok || before[len(before)-1] != '"' || len(rest) <= suffixLength || rest[suffixLength] != '"' || bytes.ContainsAny(rest[:suffixLength], `"\`) {
		return value
	}
	name := tokenVolume + string(rest[:suffixLength])
	return bytes.ReplaceAll(value, []byte(`"`+name+`"`), []byte(`"`+tokenVolume+`"`))
}
