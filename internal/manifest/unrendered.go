package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/forestall/forestall/internal/workload"
)

// ErrUnrendered says that an object is a template that was not rendered. It is not judged: what it will say is not known.
var ErrUnrendered = errors.New("this is a template that was not rendered")

// unrenderedError names the value that tells it.
type unrenderedError struct{ path, value string }

// Error says what to do.
func (e *unrenderedError) Error() string {
	how := "forestall audit --helm CHART"
	if !strings.Contains(e.value, "{{") && !strings.Contains(e.value, "{%") {
		how = "envsubst < FILE | forestall audit -f -"
	}
	const long = 60
	value := e.value
	if len(value) > long {
		value = strings.ToValidUTF8(value[:long], "") + "…"
	}
	return fmt.Sprintf("%v, %s is %q: render it first (%s)", ErrUnrendered, e.path, value, how)
}

// Is makes it known as ErrUnrendered.
func (*unrenderedError) Is(target error) bool { return target == ErrUnrendered }

// unrendered returns an error that names the first value which shows that the object is a template: braces where the API
// takes none, or what only Helm can fill in. Programs have templates of their own in commands, variables and annotations.
// A kind without a pod template may hold templates for others to render, and is not looked at.
func unrendered(o *Object, h header) *unrenderedError {
	marked := slices.ContainsFunc([]string{"{{", "{%", "${"}, func(mark string) bool { return bytes.Contains(o.JSON, []byte(mark)) })
	if !marked || !renderedKind(h) {
		return nil
	}
	t := templateWalk{decoder: jsontext.NewDecoder(bytes.NewBuffer(o.JSON), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
	_ = t.value(nil, false)
	return t.found
}

func renderedKind(h header) bool {
	if h.APIVersion == "v1" && h.Kind == "Service" {
		return true
	}
	kinds := append(workload.Table{}.Kinds(), workload.Known()...)
	return slices.ContainsFunc(kinds, func(k workload.Kind) bool { return k.Kind == h.Kind && k.APIVersion() == h.APIVersion })
}

type templateWalk struct {
	decoder *jsontext.Decoder
	found   *unrenderedError
}

// errFound ends a walk.
var errFound = errors.New("found")

// value walks through the next value. Free is true where a program may have templates of its own.
func (t *templateWalk) value(at *way, free bool) error {
	switch t.decoder.PeekKind() {
	case jsontext.KindBeginObject:
		return t.fields(at, free)
	case jsontext.KindBeginArray:
		return t.items(at, free)
	case jsontext.KindString:
		token, err := t.decoder.ReadToken()
		if err == nil && isTemplate(token.String(), at, free) {
			t.found = &unrenderedError{at.String(), token.String()}
			return errFound
		}
		return err
	}
	return t.decoder.SkipValue()
}

func (t *templateWalk) fields(at *way, free bool) error {
	if _, err := t.decoder.ReadToken(); err != nil {
		return err
	}
	for t.decoder.PeekKind() == jsontext.KindString {
		key, err := t.decoder.ReadToken()
		if err != nil {
			return err
		}
		next := &way{outer: at, name: key.String()}
		if !free && hasBraces(next.name) {
			t.found = &unrenderedError{at.String(), next.name}
			return errFound
		}
		if err := t.value(next, free || isFree(next.name)); err != nil {
			return err
		}
	}
	_, err := t.decoder.ReadToken()
	return err
}

func (t *templateWalk) items(at *way, free bool) error {
	if _, err := t.decoder.ReadToken(); err != nil {
		return err
	}
	for i := 0; t.decoder.PeekKind() != jsontext.KindEndArray; i++ {
		if err := t.value(&way{outer: at, item: true, index: i}, free); err != nil {
			return err
		}
	}
	_, err := t.decoder.ReadToken()
	return err
}

// isFree reports whether a field holds text that the API does not look into.
func isFree(name string) bool {
	return slices.Contains([]string{"annotations", "command", "args", "value", "path", "status", "managedFields", "message"}, name)
}

func hasBraces(text string) bool { return strings.Contains(text, "{{") || strings.Contains(text, "{%") }

func isTemplate(text string, at *way, free bool) bool {
	switch {
	case hasBraces(text):
		return !free || ofHelm(text)
	case strings.Contains(text, "${"):
		return !free && takesNoVariable(at)
	}
	return false
}

// ofHelm reports whether a text asks for what Helm alone has.
func ofHelm(text string) bool {
	_, text, _ = strings.Cut(text, "{{")
	return slices.ContainsFunc([]string{".Values.", ".Release.", ".Chart.", ".Capabilities.", "include \"", "tpl ("}, func(object string) bool {
		return strings.Contains(text, object)
	})
}

// takesNoVariable reports whether a field never holds what a shell would fill in. In the name of an image it is a finding, for
// the image cannot be pulled.
func takesNoVariable(at *way) bool {
	for at != nil && at.item {
		at = at.outer
	}
	fields := []string{
		"name", "namespace", "replicas", "containerPort", "hostPort", "port", "targetPort", "nodePort", "memory", "cpu", "storage", "sizeLimit",
		"serviceAccountName", "claimName", "secretName", "schedule", "parallelism", "completions", "backoffLimit",
	}
	maps := []string{"labels", "matchLabels", "selector", "nodeSelector"}
	return at != nil && (slices.Contains(fields, at.name) || at.outer != nil && slices.Contains(maps, at.outer.name))
}
