package command

import (
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/imageref"
)

// Image is one reference and what is known of it.
type Image struct {
	name, tag string
	entry     *image
	// cmd is what it runs by itself; empty where that is not known.
	cmd []string
}

// Find returns what is known of the image that a container names. The last part
// of the name is looked up first: few containers run a base image.
func (k Images) Find(text string) Image {
	if !k.short[lastName(text)] {
		return Image{}
	}
	ref, err := imageref.Parse(text)
	if err != nil {
		return Image{}
	}
	name := ref.FamiliarName()
	for _, mirror := range k.mirrors {
		if official, ok := strings.CutPrefix(name, mirror); ok {
			name = official
		}
	}
	found := Image{name: name, tag: ref.Tag, entry: k.byName[name]}
	if found.entry == nil || slices.ContainsFunc(k.otherSystems, func(word string) bool { return strings.Contains(found.tag, word) }) {
		return Image{}
	}
	found.cmd = found.entry.command(found.tag, ref.Digest != "")
	return found
}

// command is what runs in the image of this tag; nil where it is not known. A
// digest alone hides what the tag would have told.
func (e *image) command(tag string, digested bool) []string {
	if len(e.Tags) > 0 && tag == "" && digested {
		return nil
	}
	for _, v := range e.Tags {
		if v.fits(tag) {
			return v.Cmd
		}
	}
	return e.Cmd
}

func (v variant) fits(tag string) bool {
	for _, word := range v.Words {
		if !strings.Contains(tag, word) {
			return false
		}
	}
	rest, ok := strings.CutPrefix(tag, v.Version)
	return ok && (v.Version == "" || rest == "" || rest[0] < '0' || rest[0] > '9')
}

// lastName is what stands between the last slash and the tag or digest.
func lastName(text string) string {
	text, _, _ = strings.Cut(text, "@")
	text = text[strings.LastIndexByte(text, '/')+1:]
	text, _, _ = strings.Cut(text, ":")
	return text
}

// sleepsForever reports whether its sleep may know "infinity".
func (i Image) sleepsForever() bool {
	if i.entry == nil || i.entry.SleepInfinityFrom == "" {
		return true
	}
	version, ok := parseVersion(i.tag)
	first, _ := parseVersion(i.entry.SleepInfinityFrom)
	return !ok || slices.Compare(version, first) >= 0
}

// parseVersion reads the major and minor number of a tag such as 1.30, 1.30.1
// or 1.30-glibc. A tag without a minor number moves with the versions.
func parseVersion(tag string) ([]int, bool) {
	tag, _, _ = strings.Cut(tag, "-")
	parts := strings.Split(tag, ".")
	if len(parts) < 2 {
		return nil, false
	}
	version := make([]int, 0, 2)
	for i, part := range parts {
		if !isInteger(part) || len(part) > 4 {
			return nil, false
		}
		if i < 2 {
			n := 0
			for _, digit := range part {
				n = 10*n + int(digit-'0')
			}
			version = append(version, n)
		}
	}
	return version, true
}
