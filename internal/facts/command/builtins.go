package command

import (
	"strconv"

	"mvdan.cc/sh/v3/syntax"
)

// follower is how a built-in command of the shell is followed; argv begins with its name.
type follower func(w *walker, argv []word) outcome

// builtin returns how a built-in is followed. Those that are programs as well,
// such as echo and test, are in the table of programs.
func builtin(name string) (follower, bool) {
	switch name {
	case ":":
		return succeed, true
	case "cd", "umask", "ulimit", "type", "hash", "times", "jobs", "getopts", "pushd", "popd", "dirs", "let":
		return mayFail, true
	case "shift", "declare", "typeset":
		return mayEnd, true
	case "export", "local", "readonly":
		return declaring, true
	case "unset":
		return unset, true
	case "set":
		return set, true
	case ".", "source", "eval", "alias", "unalias", "bg", "bind", "builtin", "caller", "chdir", "compgen", "complete",
		"compopt", "coproc", "disown", "enable", "fc", "fg", "help", "history", "logout", "mapfile", "readarray",
		"select", "shopt", "suspend", "setvar", "time", "function", "[[", "]]", "{", "}", "!":
		return unfollowed, true
	}
	return controlFlow(name)
}

// controlFlow returns how a built-in is followed that decides what runs next.
func controlFlow(name string) (follower, bool) {
	switch name {
	case "exit":
		return exit, true
	case "return":
		return leaveFunction, true
	case "break", "continue":
		return leaveTurn, true
	case "exec":
		return takeOver, true
	case "wait":
		return wait, true
	case "command":
		return lookUp, true
	case "read":
		return read, true
	case "kill":
		return kill, true
	case "trap":
		return trap, true
	}
	return nil, false
}

// isSpecial reports whether a failing redirection of the built-in ends a POSIX shell.
func isSpecial(name *syntax.Word) bool {
	switch bareName(name) {
	case "", ":", ".", "break", "continue", "eval", "exec", "exit", "export", "readonly", "return", "set", "shift",
		"times", "trap", "unset", "source", "local", "command":
		return true
	}
	return false
}

func succeed(*walker, []word) outcome { return done }

func mayFail(*walker, []word) outcome { return outcome{ways: falls} }

// mayEnd is for built-ins whose failure ends some shells.
func mayEnd(_ *walker, argv []word) outcome {
	return quietly(falls|exits, "", argv[0].text, " may end the script")
}

func unfollowed(_ *walker, argv []word) outcome {
	return doubtful(anyhow, "it is not known what ", argv[0].text, " does")
}

// declaring is for shells in which declarations are ordinary commands.
func declaring(w *walker, argv []word) outcome {
	if w.survey.readonly {
		return mayEnd(w, argv)
	}
	for _, a := range argv[1:] {
		if !a.known || !isDeclaration(a.text) {
			return mayEnd(w, argv)
		}
	}
	return outcome{ways: falls}
}

// isDeclaration reports whether text is NAME or NAME=value.
func isDeclaration(text string) bool {
	for i := range len(text) {
		if text[i] == '=' {
			return i > 0 && syntax.ValidName(text[:i])
		}
	}
	return syntax.ValidName(text)
}

func unset(w *walker, argv []word) outcome {
	for _, a := range argv[1:] {
		if !a.known || !syntax.ValidName(a.text) || w.survey.functions[a.text] > 0 || w.survey.readonly {
			return unfollowed(w, argv)
		}
	}
	return done
}

// set changes modes, which the survey has seen.
func set(w *walker, argv []word) outcome {
	m := modeWords{shell: w.shell, argv: argv}
	for m.at = 1; m.at < len(argv); m.at++ {
		a := argv[m.at]
		if a.known && a.text == "--" {
			break
		}
		if !a.known || len(a.text) < 2 || a.text[0] != '-' && a.text[0] != '+' || !m.letters(a.text[1:]) {
			return unfollowed(w, argv)
		}
	}
	return settled(m.unsure)
}

// modeWords reads the words of set.
type modeWords struct {
	shell  *shell
	argv   []word
	at     int // the word that is read
	seen   modes
	unsure bool
}

// letters reads the modes of one word, and the names that follow it for each o.
func (m *modeWords) letters(text string) bool {
	for _, letter := range text {
		if letter != 'o' {
			if letter == 'l' || !m.seen.setShort(m.shell, letter) {
				return false
			}
			continue
		}
		m.at++
		if m.at >= len(m.argv) || !m.seen.setLong(m.shell, m.argv[m.at], &m.unsure) {
			return false
		}
	}
	return true
}

// settled is the outcome of set; some shells end at a mode that they do not know.
func settled(unsure bool) outcome {
	if unsure {
		return done.or(failing("not every shell of this name knows the modes that set names"))
	}
	return done
}

// exitStatus is the argument of exit or return.
func exitStatus(argv []word) status {
	if len(argv) != 2 || !argv[1].known || !isInteger(argv[1].text) {
		return status{}
	}
	code, err := strconv.Atoi(argv[1].text)
	if err != nil || code > 255 {
		return status{}
	}
	return exactly(code)
}

func exit(_ *walker, argv []word) outcome {
	return outcome{ways: exits, exit: exitStatus(argv)}
}

func leaveFunction(w *walker, argv []word) outcome {
	if w.nested == 0 {
		return unfollowed(w, argv)
	}
	return outcome{ways: returns}
}

func leaveTurn(w *walker, argv []word) outcome {
	switch {
	case w.loops == 0, len(argv) > 2, len(argv) == 2 && (!argv[1].known || argv[1].text != "1"):
		return unfollowed(w, argv)
	case argv[0].text == "break":
		return outcome{ways: breaks}
	}
	return outcome{ways: continues}
}
