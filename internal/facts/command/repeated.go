package command

import (
	"path"
	"slices"
	"strings"
)

// takesOperators reports whether a command line is one program again and again, with && or ; between, that does for
// each of its operands what it would have done command by command: mkdir -p a && mkdir -p b makes a and b, and two
// directories more. It ends well, and nothing is missing.
func (l *slipLine) takesOperators(at int, name string) bool {
	option, ok := repeatable(name)
	if !ok {
		return false
	}
	given, isName := option == "", false
	for _, w := range l.words[at+1:] {
		switch {
		case !w.known, isName && path.Base(w.text) != name:
			return false
		case w.text == "&&" || w.text == ";":
			isName = true
			continue
		case isOperator(w.text), isRedirection(w.text):
			return false
		case strings.HasPrefix(w.text, "-"):
			if w.text != option && w.text != "-v" {
				return false
			}
			given = given || w.text == option
		}
		isName = false
	}
	return given && !isName
}

// repeatable returns the option with which a program takes any operand, whether such a file is there or not; empty
// where it does so by itself.
func repeatable(name string) (option string, ok bool) {
	switch {
	case name == "mkdir":
		return "-p", true
	case name == "rm":
		return "-f", true
	case slices.Contains([]string{"touch", "echo"}, name):
		return "", true
	}
	return "", false
}
