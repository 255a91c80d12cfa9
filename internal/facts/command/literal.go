package command

import (
	"path"
	"slices"
	"strings"
)

// literal finds text that only a shell would understand and that a program gets
// as it is.
func (l *slipLine) literal() (Slip, bool) {
	if l.hasDefaultEntrypoint() {
		return l.glued(0, lastName(l.in.ImageText), "")
	}
	at, ok := l.start()
	if !ok || !l.words[at].known {
		return Slip{}, false
	}
	name := path.Base(l.words[at].text)
	if slip, ok := l.pattern(at, name); ok {
		return slip, true
	}
	if mayEvaluate(l.words[at].text) {
		return Slip{}, false
	}
	if p := l.known.find(l.words[at].text); p != nil && p.Shell != nil {
		return Slip{}, false
	}
	if slip, ok := l.operator(at, name); ok {
		return slip, true
	}
	if slip, ok := l.glued(at+1, name, name); ok {
		return slip, true
	}
	if slip, ok := l.swallowed(at); ok {
		return slip, true
	}
	return l.unexpanded(at, name)
}

// pattern finds a pattern of names of files where a program takes the name as it is: ls /tmp/*.ready.
func (l *slipLine) pattern(at int, name string) (Slip, bool) {
	asks := name == "test" || name == "["
	if !asks && !slices.Contains([]string{"ls", "cat", "cp", "mv", "rm", "stat", "chmod", "chown", "head", "tail", "wc", "touch"}, name) {
		return Slip{}, false
	}
	for i := at + 1; i < len(l.words); i++ {
		w, before := l.words[i], l.words[i-1].text
		switch {
		case !w.known || !strings.Contains(w.text, "/") || strings.HasPrefix(w.text, "-") || !strings.ContainsAny(w.text, "*?"):
		case asks && (len(before) != 2 || !strings.Contains("-e-f-d-s-r-w-x-L-h", before)):
		default:
			return l.slip(formPattern, i, name, l.inShell()...), true
		}
	}
	return Slip{}, false
}

// operator finds an operator of the shell as a word of its own.
func (l *slipLine) operator(at int, name string) (Slip, bool) {
	if l.takesOperators(at, name) {
		return Slip{}, false
	}
	for i := at + 1; i < len(l.words); i++ {
		w, last := l.words[i], i+1 == len(l.words)
		switch {
		case !w.known:
			continue
		case mayEvaluate(w.text):
			return Slip{}, false // what follows may be for this program
		case (w.text == "&&" || w.text == "||") && !last,
			isRedirection(w.text),
			isOperator(w.text) && !last && !strings.HasPrefix(l.words[i-1].text, "-") && l.words[i-1].known && i > at+1:
			return l.slip(formOperator, i, name, l.scripted([]string{shellName}, l.asTyped(l.raw), nil)...), true
		}
	}
	return Slip{}, false
}

// isOperator reports whether a word is one of the operators between commands.
func isOperator(text string) bool {
	return slices.Contains([]string{"&&", "||", "|", ";", ">", ">>", "<", "&"}, text)
}

// isRedirection reports whether a word is a redirection such as 2>&1 or >/dev/null,
// which no program takes for anything else.
func isRedirection(text string) bool {
	rest := strings.TrimLeft(text, "12&")
	target := strings.TrimLeft(rest, ">")
	if len(text)-len(rest) > 1 || len(rest) == len(target) || len(rest)-len(target) > 2 {
		return false
	}
	return target == "&1" || target == "&2" || target == "/dev/null" || standardStream(target)
}

// glued finds a long option and its value in one word, where the program is known to refuse that. The program of an
// image goes by the name of the image.
func (l *slipLine) glued(from int, program, name string) (Slip, bool) {
	if !refusesGlued(program) {
		return Slip{}, false
	}
	for i := from; i < len(l.words); i++ {
		w := l.words[i]
		switch {
		case w.known && mayEvaluate(w.text), w.text == "--":
			return Slip{}, false
		case !w.known || !isGlued(w.text), i > 0 && wantsValue(l.words[i-1]):
			continue
		}
		return l.slip(formGlued, i, name, unglued(l.raw[i])...), true
	}
	return Slip{}, false
}

// isGlued reports whether a word is a long option, a space and a value.
func isGlued(text string) bool {
	option, value, ok := strings.Cut(text, " ")
	if !ok || len(option) < 4 || option[:2] != "--" || !isLetter(option[2]) || strings.ContainsAny(text, "\n") {
		return false
	}
	for i := range len(option) {
		if c := option[i]; c != '-' && c != '_' && c != '.' && !isLetter(c) && !isNumber(option[i:i+1]) {
			return false
		}
	}
	value = strings.TrimSpace(value)
	return value != "" && value[0] != '=' && value != `\`
}

// swallowed finds a short option that takes further options of its word for a part of its value, a file or an
// address: in -C config.rb -e production the file is " config.rb -e production".
func (l *slipLine) swallowed(at int) (Slip, bool) {
	if l.words[at].text == "bundle" && at+2 < len(l.words) && l.words[at+1].text == "exec" {
		at += 2
	}
	name := path.Base(l.words[at].text)
	options := swallowing()[name]
	for i := at + 1; i < len(l.words) && options != ""; i++ {
		w := l.words[i]
		if w.known && !wantsValue(l.words[i-1]) && swallows(w.text, options) {
			return l.slip(formGlued, i, name, strings.Fields(l.raw[i])...), true
		}
	}
	return Slip{}, false
}

// swallows reports whether a word is one of the options, a space, a value, and another option.
func swallows(text, options string) bool {
	if len(text) > maxMeant || strings.ContainsAny(text, "\"'\n") {
		return false
	}
	words := strings.Fields(text)
	if len(words) < 3 || len(words[0]) != 2 || words[0][0] != '-' || !strings.Contains(options, words[0][1:]) || text[2] != ' ' {
		return false
	}
	return words[1][0] != '-' && len(words[2]) > 1 && words[2][0] == '-' && isLetter(strings.TrimLeft(words[2], "-")[0])
}

// wantsValue reports whether a word may be an option whose value is the next word.
func wantsValue(w word) bool {
	return !w.known || strings.HasPrefix(w.text, "-") && !strings.Contains(w.text, "=")
}

// unglued is an option and its value as words of their own, without the quotes and the
// backslash at the end that are for a shell.
func unglued(text string) []string {
	option, value, _ := strings.Cut(text, " ")
	value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), `\`))
	if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		value = value[1 : n-1]
	}
	return []string{option, value}
}
