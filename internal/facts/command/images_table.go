package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/imageref"
)

// Images is what is known of base images by their name. The zero value knows
// nothing. It is read-only and safe for concurrent use.
type Images struct {
	byName map[string]*image
	// short holds the last parts of the names.
	short map[string]bool
	// mirrors are prefixes under which the official images are published once more.
	mirrors []string
	// otherSystems are words of tags of images for other operating systems.
	otherSystems []string
}

// imageTable is the file that [ParseImages] reads.
type imageTable struct {
	Mirrors      []string          `json:"mirrors"`
	OtherSystems []string          `json:"otherSystems"`
	Images       []json.RawMessage `json:"images"`
}

// image is an entry of the table: images that behave alike.
type image struct {
	// Images are the names, in their familiar form.
	Images []string `json:"images"`
	// Source is the page that documents the command.
	Source string `json:"source"`
	// Cmd is the command line that runs without command and args.
	Cmd []string `json:"cmd"`
	// Args says what the image does with args.
	Args string `json:"args"`
	// Does says what its own program does before it ends.
	Does string `json:"does"`
	// Runs says what its own program does until it is stopped.
	Runs string `json:"runs"`
	// Stoppable says that clients of that program can end it.
	Stoppable bool `json:"stoppable"`
	// Tags are those with another command; the first that fits counts.
	Tags []variant `json:"tags"`
	// SleepInfinityFrom is the first version whose sleep knows "infinity".
	SleepInfinityFrom string `json:"sleepInfinityFrom"`
}

// variant is a kind of tag with a command of its own.
type variant struct {
	// Words are found in the tag, each of them.
	Words []string `json:"words"`
	// Version is how the tag begins, where it matters.
	Version string `json:"version"`
	// Cmd is the command line; empty where it is not known.
	Cmd []string `json:"cmd"`
}

// argsReplace is the value of image.Args for an image without an entrypoint.
const argsReplace = "replace"

// ParseImages reads the table of images. It is as strict as [ParsePrograms].
func ParseImages(data []byte) (Images, error) {
	var table imageTable
	if err := yaml.UnmarshalStrict(data, &table); err != nil {
		return Images{}, fmt.Errorf("reading the table of images: %w", err)
	}
	known := Images{
		byName: map[string]*image{}, short: map[string]bool{},
		mirrors: table.Mirrors, otherSystems: table.OtherSystems,
	}
	for i, raw := range table.Images {
		entry := &image{}
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.DisallowUnknownFields()
		err := decoder.Decode(entry)
		if err == nil {
			err = entry.validate()
		}
		if err == nil {
			err = known.add(entry)
		}
		if err != nil {
			return Images{}, fmt.Errorf("reading the table of images: entry %d (%s): %w", i+1, strings.Join(entry.Images, ", "), err)
		}
	}
	return known, nil
}

func (e *image) validate() error {
	switch {
	case len(e.Images) == 0:
		return errors.New("images is empty")
	case !strings.HasPrefix(e.Source, "https://"):
		return fmt.Errorf("source %q is not an https address", e.Source)
	case !e.saysOneThing():
		return errors.New("it needs one of cmd, does and runs")
	case e.Args != "" && e.Args != argsReplace:
		return fmt.Errorf("args %q is not %s", e.Args, argsReplace)
	case len(e.Cmd) == 0 && (e.Args != "" || len(e.Tags) > 0):
		return errors.New("args and tags can only stand with cmd")
	}
	for _, v := range e.Tags {
		if len(v.Words) == 0 && v.Version == "" || slices.Contains(v.Words, "") {
			return errors.New("a kind of tag fits every tag")
		}
	}
	if e.SleepInfinityFrom != "" {
		if _, ok := parseVersion(e.SleepInfinityFrom); !ok {
			return fmt.Errorf("sleepInfinityFrom %q is not a version", e.SleepInfinityFrom)
		}
	}
	return nil
}

func (e *image) saysOneThing() bool {
	given := 0
	for _, is := range []bool{len(e.Cmd) > 0, e.Does != "", e.Runs != ""} {
		if is {
			given++
		}
	}
	return given == 1
}

func (k Images) add(e *image) error {
	for _, name := range e.Images {
		ref, err := imageref.Parse(name)
		switch {
		case err != nil:
			return fmt.Errorf("%q is not the name of an image: %w", name, err)
		case ref.FamiliarName() != name || ref.Tag != "" || ref.Digest != "":
			return fmt.Errorf("%q is not a name in its familiar form without a tag", name)
		case k.byName[name] != nil:
			return fmt.Errorf("%q is listed twice", name)
		}
		k.byName[name] = e
		k.short[lastName(name)] = true
	}
	return nil
}
