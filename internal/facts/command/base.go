package command

import (
	"path"
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/facts/fact"
)

const (
	imageRuns      = "the image decides what runs"
	entrypointRuns = "the image's entrypoint runs, with these arguments"
)

// withoutCommand observes a container that leaves the command to its image.
func (in *Input) withoutCommand(known Programs) Facts {
	e := in.Image.entry
	if alone, ok := in.argsAlone(); ok {
		return Analyze(*alone, known)
	}
	if len(in.Args) > 0 {
		observation := fact.UnknownAt(in.ArgsPath, entrypointRuns)
		return Facts{
			Argv: Argv{Observation: observation}, Ends: Ends{Observation: observation},
			Detaches: Detaches{Observation: observation}, Listens: Listens{Observation: observation},
		}
	}
	facts := Facts{Argv: Argv{Observation: fact.AbsentAt(in.CommandPath)}}
	if e != nil && e.Runs != "" && !slices.ContainsFunc(in.Mounts, holdsEntrypoint) {
		return in.imageServes(e, facts)
	}
	if e == nil || len(in.Image.cmd) == 0 && e.Does == "" {
		observation := fact.UnknownAt(in.CommandPath, imageRuns)
		facts.Ends.Observation, facts.Detaches.Observation, facts.Listens.Observation = observation, observation, observation
		return facts
	}
	in.baseRuns(e, known, &facts)
	return facts
}

// holdsEntrypoint reports whether a volume that is mounted there may hold what the image starts.
func holdsEntrypoint(mount string) bool {
	switch clean := path.Clean(mount); clean {
	case "/", "/bin", "/usr", "/usr/bin", "/usr/sbin", "/usr/local", "/usr/local/bin":
		return true
	default:
		return strings.HasSuffix(clean, "entrypoint.sh") || strings.HasSuffix(clean, "-foreground")
	}
}

// imageServes observes an image of a server: all that is said is that it does not end well by itself.
func (in *Input) imageServes(e *image, facts Facts) Facts {
	observation := fact.UnknownAt(in.ImagePath, imageRuns)
	facts.Ends = Ends{
		Observation: observation, NeverSucceeds: true, Stoppable: e.Stoppable,
		Because: "image " + shorten(in.Image.name) + " " + e.Runs + ", without end",
	}
	facts.Detaches.Observation, facts.Listens.Observation = observation, fact.UnknownAt(in.CommandPath, imageRuns)
	return facts
}

// baseRuns observes what a base image runs by itself.
func (in *Input) baseRuns(e *image, known Programs, facts *Facts) {
	o := outcome{ways: falls, status: success, because: clause{subject: e.Does}}
	about, quiet := "image "+shorten(in.Image.name)+" ", e.Does
	if cmd := in.Image.cmd; len(cmd) > 0 {
		words := make([]word, 0, len(cmd))
		for _, text := range cmd {
			words = append(words, word{text: text, known: true, field: in.ImagePath, index: -1})
		}
		r := run{in: in, known: known}
		o = r.process(words, place{input: in.input(), first: true})
		about += "runs " + typed(cmd) + ": "
		quiet = o.because.only()
	}
	facts.Program = o.program
	facts.Ends = o.ends(in.ImagePath)
	facts.Detaches = in.detaches(nil, known, facts.Ends, nil)
	facts.Listens = o.listens(in.ImagePath, nil)
	if facts.Ends.Because != "" {
		facts.Ends.Because = about + facts.Ends.Because
	}
	if facts.Listens.State == fact.Absent {
		facts.Listens.Because = about + quiet
	}
}
