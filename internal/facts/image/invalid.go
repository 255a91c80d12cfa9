package image

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/imageref"
)

// maxShown bounds the pieces of a reference that are shown to people.
const maxShown = 160

// Invalid is a reference that the kubelet cannot read. It is tried again without
// end, and nothing is ever pulled.
type Invalid struct {
	fact.Observation
	// Error is what the kubelet reports, without what stands around it.
	Error string `json:"error,omitempty"`
	// Form is what is wrong with the reference.
	Form Form `json:"form,omitempty" jsonschema:"enum=edge,enum=placeholder,enum=scheme,enum=character,enum=slash,enum=name,enum=tag-missing,enum=digest,enum=identifier,enum=port,enum=host,enum=tag,enum=case,enum=length,enum=part,enum=other"`
	// Part is the piece that is wrong.
	Part string `json:"part,omitempty"`
	// Meant is a reference that can be read and differs in nothing else; left out where that is a guess.
	Meant string `json:"meant,omitempty"`
}

// Form is what is wrong with a reference.
type Form string

// The forms, in the order in which they are looked for.
const (
	// Edge is white space before or after it: the API server refuses the pod, and not the template.
	Edge Form = "edge"
	// Placeholder is a template or a variable that nothing has filled in.
	Placeholder Form = "placeholder"
	// Scheme is https:// or the like.
	Scheme Form = "scheme"
	// Character is one that no reference holds.
	Character Form = "character"
	// Slash is one at the beginning, after a registry that is missing.
	Slash Form = "slash"
	// Name is missing before a tag or a digest.
	Name Form = "name"
	// TagMissing is a colon with nothing after it.
	TagMissing Form = "tag-missing"
	// Digest is something else than a digest after @.
	Digest Form = "digest"
	// Identifier is the ID of an image in the place of its name.
	Identifier Form = "identifier"
	// Port of the registry that is no number.
	Port Form = "port"
	// Host of the registry that is none.
	Host Form = "host"
	// Tag with characters that tags cannot have, or one of more than 128.
	Tag Form = "tag"
	// Case is an upper-case letter in the name.
	Case Form = "case"
	// Length is a name of more than 255 characters.
	Length Form = "length"
	// Part is a piece of the name that begins or ends with a separator, or is empty.
	Part Form = "part"
	// Other is whatever else the kubelet cannot read.
	Other Form = "other"
)

func invalid(text, at string, err error) Invalid {
	i := Invalid{Observation: fact.PresentAt(at), Error: shown(err.Error()), Form: Other}
	for _, mistake := range mistakes() {
		if part, ok := mistake.find(text); ok {
			i.Form, i.Part = mistake.form, shown(part)
			break
		}
	}
	if i.Form != Placeholder {
		i.Meant = meant(text)
	}
	return i
}

// meant changes what can be changed in one way only, until the reference can be read.
func meant(text string) string {
	for _, mend := range []func(string) string{
		strings.TrimSpace,
		func(s string) string { return doubledKey.ReplaceAllString(s, "") },
		func(s string) string { return scheme.ReplaceAllString(s, "") },
		func(s string) string { return strings.Trim(s, `"'`) },
		func(s string) string { return looseSpace.ReplaceAllString(s, "$1") },
		lowerName,
	} {
		text = mend(text)
		if _, err := imageref.Parse(text); err == nil {
			return text
		}
	}
	return ""
}

// lowerName puts the name and the digest into lower case, and leaves the tag alone.
func lowerName(text string) string {
	p := split(text)
	text = p.host + strings.ToLower(p.name) + p.tag
	if p.digested {
		text += "@" + strings.ToLower(p.digest)
	}
	return text
}

// shown makes a piece of a reference fit to be shown.
func shown(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != utf8.RuneError {
			return r
		}
		return ' '
	}, s)
	if utf8.RuneCountInString(s) <= maxShown {
		return s
	}
	return string([]rune(s)[:maxShown-1]) + "…"
}
