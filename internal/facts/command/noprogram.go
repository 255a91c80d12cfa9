package command

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// isAssignment reports whether the name of the program is NAME=value, alone or before a command line.
func (l *slipLine) isAssignment(text string) bool {
	name, _, ok := strings.Cut(text, "=")
	return ok && syntax.ValidName(name) && name == strings.ToUpper(name)
}

// assigned is what a command line was meant to be that begins with an assignment.
func (l *slipLine) assigned() []string {
	if strings.ContainsAny(l.raw[0], "\"'$;|&\n") {
		return l.scripted([]string{shellName}, l.raw[0], l.raw[1:])
	}
	words := append(strings.Fields(l.raw[0]), l.raw[1:]...)
	if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(w, "=") }) {
		return nil // it names no program at all
	}
	return append([]string{"env"}, words...)
}

// isReference reports whether the name of the program begins with what a shell alone would replace: $HOME/bin/x, ~/x.
func isReference(raw, text string) bool {
	rest, isVariable := strings.CutPrefix(text, "$")
	rest = strings.TrimPrefix(rest, "{")
	if strings.HasPrefix(text, "<") && strings.HasSuffix(text, ">") {
		return true // a placeholder that nobody filled in
	}
	return strings.HasPrefix(text, "~/") || isVariable && raw == text && len(nameAt(rest)) > 1
}

// isNoProgram reports whether a word is one of the shell of which there is no program in any image; of cd, wait and
// others POSIX wants one, and some distributions have it.
func isNoProgram(text string) bool {
	switch text {
	case "exec", "source", "export", "set", "eval", "trap", "unset", "exit", "return", "break", "continue", "shift", "readonly", "if", "while", "until", "for", "case":
		return true
	}
	return false
}

// withoutBuiltin is what a command line that begins with a word of the shell was meant to be.
func (l *slipLine) withoutBuiltin() []string {
	if l.raw[0] == "exec" && len(l.raw) > 1 && l.raw[1] != "" && l.raw[1][0] != '-' {
		return l.raw[1:]
	}
	return l.scripted([]string{shellName}, l.asTyped(l.raw), nil)
}

// joinedSlip finds a shell that is given -c and its script in one element: the letters after -c count as options, and
// a space is none (dash and busybox: Illegal option, bash: invalid option; exit code 2).
func (l *slipLine) joinedSlip(at int) (Slip, bool) {
	if at+1 >= len(l.words) || !l.words[at+1].known {
		return Slip{}, false
	}
	name := path.Base(l.words[at].text)
	script, ok := strings.CutPrefix(l.words[at+1].text, "-c ")
	if !ok || strings.TrimSpace(script) == "" {
		return Slip{}, false
	}
	_, script, _ = strings.Cut(l.raw[at+1], " ")
	return l.slip(formJoined, at+1, name, l.scripted(l.before(at+1), strings.TrimSpace(script), l.raw[at+2:])...), true
}

// isNameAndWords reports whether a text begins with a bare name: that is looked up in $PATH, where no program has a
// space in its name. My App/run is a path.
func isNameAndWords(fields []string) bool {
	return !slices.ContainsFunc(fields, func(f string) bool {
		return strings.Contains(f, "/") && f[0] != '/' && !strings.HasPrefix(f, "./")
	}) && !strings.Contains(fields[0], "/")
}

// hasWordAfterScript reports whether a text is the path of a script, or of a program, and a word for it.
func hasWordAfterScript(fields []string) bool {
	if len(fields) != 2 || strings.Contains(fields[1], "/") || !strings.HasPrefix(fields[0], "/") && !strings.HasPrefix(fields[0], "./") {
		return false
	}
	name := path.Base(fields[0])
	return slices.Contains([]string{".sh", ".py", ".js", ".rb", ".pl", ".php"}, path.Ext(name)) ||
		name == strings.ToLower(name) && slices.Contains([]string{
			"serve", "server", "run", "start", "migrate", "worker", "web", "daemon", "agent",
		}, fields[1])
}
