package command

import (
	"slices"
	"strings"
)

// invocation is the command line of a shell, taken apart.
type invocation struct {
	modes  modes
	c      bool   // -c is given
	rest   []word // what is not an option
	unsure bool   // not every shell of this name takes these options
}

// modes are the modes of a shell that change how its script may end.
type modes struct {
	errexit, nounset, pipefail bool
}

// shell is the outcome of a shell as a process.
func (r *run) shell(s *shell, name string, args []word, at place) outcome {
	inv, ok := s.parse(args)
	switch {
	case !ok:
		return named(name, unclear(name, args))
	case inv.c && len(inv.rest) == 0:
		return outcome{ways: falls, program: name, because: clause{
			before: "", subject: name, after: " is given -c without a script and ends", whole: true,
		}}
	case inv.c && !inv.rest[0].known:
		return named(name, doubtful(external, "the script of ", name, " depends on a variable"))
	case inv.c:
		return r.script(s, name, inv, at)
	case len(inv.rest) > 0:
		return named(name, doubtful(external, "it is not known what the script file of ", name, " does"))
	case at.input != inputEmpty:
		return named(name, doubtful(external, "", name, " runs what it reads from standard input"))
	}
	return outcome{ways: falls, status: success, program: name, because: clause{
		before: "a shell without a script reads standard input, which is empty,",
	}}
}

// parse reads the options of a shell. It reports false for what it does not understand.
func (s *shell) parse(args []word) (invocation, bool) {
	var inv invocation
	for len(args) > 0 {
		a := args[0]
		switch {
		case !a.known && !inv.c:
			return inv, false
		case !a.known, a.text == "", a.text[0] != '-' && a.text[0] != '+':
			inv.rest = args
			return inv, true
		case a.text == "--":
			inv.rest = args[1:]
			return inv, true
		case s.isLong(a.text):
			args = args[1:]
			continue
		}
		values, ok := inv.cluster(s, a.text, args[1:])
		if !ok {
			return inv, false
		}
		args = args[1+values:]
	}
	return inv, true
}

func (s *shell) isLong(option string) bool {
	return s.Language == languageBash &&
		slices.Contains([]string{"--login", "--noprofile", "--norc", "--posix", "--verbose"}, option)
}

// cluster reads a word of options such as -euxo and returns how many of the next words it takes as values.
func (inv *invocation) cluster(s *shell, text string, next []word) (int, bool) {
	if text[0] == '+' || len(text) < 2 {
		return 0, false
	}
	values := 0
	for _, letter := range text[1:] {
		switch letter {
		case 'c':
			inv.c = true
		case 'o':
			if values >= len(next) || !inv.modes.setLong(s, next[values], &inv.unsure) {
				return 0, false
			}
			values++
		default:
			if !inv.modes.setShort(s, letter) {
				return 0, false
			}
		}
	}
	return values, true
}

// setShort switches a mode on by its letter and reports whether the letter is understood.
func (m *modes) setShort(s *shell, letter rune) bool {
	switch letter {
	case 'e':
		m.errexit = true
	case 'u':
		m.nounset = true
	default:
		return strings.ContainsRune("abCflmvx", letter) ||
			s.Language == languageBash && strings.ContainsRune("hBEHPT", letter)
	}
	return true
}

// setLong switches a mode on by its name; unsure is set where some shells of this kind refuse it.
func (m *modes) setLong(s *shell, name word, unsure *bool) bool {
	if !name.known {
		return false
	}
	switch name.text {
	case "errexit":
		m.errexit = true
	case "nounset":
		m.nounset = true
	case "pipefail":
		m.pipefail = true
		*unsure = *unsure || s.Language != languageBash
	default:
		return slices.Contains([]string{"allexport", "noclobber", "noglob", "notify", "verbose", "xtrace"}, name.text)
	}
	return true
}

// script is the outcome of sh -c SCRIPT.
func (r *run) script(s *shell, name string, inv invocation, at place) outcome {
	text := inv.rest[0]
	o := r.follow(s, name, inv, at)
	if o.path == "" {
		o.path = text.path()
	}
	if o.program == "" {
		o.program = name
	}
	return o
}

func (r *run) follow(s *shell, name string, inv invocation, at place) outcome {
	src := inv.rest[0].text
	file, problem := r.in.parse(s, src)
	if problem != "" {
		return doubtful(external, problem, "", "")
	}
	// A script in a function is surveyed again at each call, so its size counts.
	r.spend(len(src) / 8)
	w := walker{run: r, shell: s, src: src, field: inv.rest[0].path(), place: at}
	w.survey = surveyOf(file, inv.modes)
	for variable := range w.survey.numeric {
		r.assign(variable)
	}
	o := w.file(file)
	if inv.unsure {
		o = o.or(doubtful(exits, "not every ", name, " takes these options"))
	}
	return o.contained()
}
