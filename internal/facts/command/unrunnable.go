package command

import (
	"path"
	"strings"
)

// unrunnable finds a word that is meant to be a program, or a script, and cannot be.
func (l *slipLine) unrunnable() (Slip, bool) {
	first := l.words[0]
	if l.hasDefaultEntrypoint() || !first.known {
		return Slip{}, false
	}
	if slip, ok := l.hiddenSlip(first.text); ok {
		return slip, true
	}
	switch text := first.text; {
	case strings.TrimSpace(text) == "":
		return l.slip(formEmpty, 0, "", l.raw[1:]...), true
	case text[0] == '-':
		return l.slip(formOption, 0, "", l.raw...), true
	case l.isAssignment(text):
		return l.slip(formAssignment, 0, "", l.assigned()...), true
	case isReference(l.raw[0], text):
		return l.slip(formReference, 0, ""), true
	case isNoProgram(text):
		return l.slip(formBuiltin, 0, "", l.withoutBuiltin()...), true
	case l.isLine(text):
		return l.slip(formLine, 0, "", l.asCommand()...), true
	}
	at, ok := l.start()
	if !ok {
		return Slip{}, false
	}
	return l.shellSlip(at)
}

// asCommand is what a command line that begins with a word of several was probably meant to be. No shell knows a
// non-breaking space.
func (l *slipLine) asCommand() []string {
	return l.intended(strings.ReplaceAll(l.raw[0], "\u00a0", " "), l.raw[1:])
}

// shellSlip finds a shell that is given a script in the wrong way.
func (l *slipLine) shellSlip(at int) (Slip, bool) {
	p := l.known.find(l.words[at].text)
	if p == nil || p.Shell == nil {
		return Slip{}, false
	}
	if slip, ok := l.joinedSlip(at); ok {
		return slip, true
	}
	inv, ok := p.Shell.parse(l.words[at+1:])
	if !ok || len(inv.rest) == 0 || !inv.rest[0].known {
		return Slip{}, false
	}
	name, i, text := path.Base(l.words[at].text), len(l.words)-len(inv.rest), inv.rest[0].text
	switch {
	case !inv.c && l.isScript(text):
		return l.slip(formScript, i, name, l.asScript(i)...), true
	case inv.c && len(inv.rest) > 1 && needsOperands(text):
		return l.slip(formSplit, i, name, l.split(i)...), true
	}
	return Slip{}, false
}

// asScript is a command line of a shell with the script at i given as a script. A
// file and its arguments stay a file: the file may lack the permission to be run by itself.
func (l *slipLine) asScript(i int) []string {
	if words, ok := l.in.simple(l.raw[i]); ok && strings.Contains(words[0], "/") {
		return append(append(l.before(i), words...), l.raw[i+1:]...)
	}
	return l.scripted(l.before(i), l.raw[i], l.raw[i+1:])
}

// split is a command line of a shell with the words of its script, from i on, as one.
func (l *slipLine) split(i int) []string {
	script := l.asTyped(l.raw[i:])
	if _, problem := l.in.parse(&shell{Language: languagePOSIX}, script); problem != "" {
		return nil
	}
	return append(l.before(i), script)
}

// isScript reports whether the operand of a shell is certainly not the name of a file.
func (l *slipLine) isScript(text string) bool {
	trimmed := strings.TrimSpace(text)
	if strings.HasSuffix(trimmed, ".sh") && len(strings.Fields(trimmed)) == 2 {
		return false // "test runner.sh" can be a file
	}
	return trimmed != "" && (strings.Contains(trimmed, "\n") || l.isLine(trimmed))
}

// isLine reports whether what should be the name of a file is certainly a command
// line. A directory with a space in its name is possible, so a space is not enough.
func (l *slipLine) isLine(text string) bool {
	fields := strings.Fields(text)
	switch {
	case len(fields) == 0, isWindows(text):
		return false
	case strings.Contains(text, "\n") || text != strings.TrimSpace(text):
		return true
	case hasOperator(fields):
		return true
	case len(fields) == 1:
		return false
	}
	if isNameAndWords(fields) || hasWordAfterScript(fields) {
		return true
	}
	if l.known.find(fields[0]) != nil || isFamiliar(fields[0]) || isShellWord(fields[0]) {
		return true
	}
	for _, f := range fields[1:] {
		if isOption(f) {
			return true
		}
	}
	return false
}

// isWindows leaves out what may run on a Windows node, where other rules hold.
func isWindows(text string) bool {
	return strings.Contains(text, `:\`) || strings.Contains(strings.ToLower(text), ".exe")
}

// hasOperator reports whether an operator of the shell stands between words.
func hasOperator(fields []string) bool {
	for i, f := range fields {
		switch {
		case strings.Contains(f, "&&"), strings.Contains(f, "||"):
			return true
		case i == 0:
		case f == "|", f == ">", f == ">>", f == ";", isRedirection(f), strings.HasSuffix(fields[i-1], ";"):
			return true
		}
	}
	return false
}

// isOption reports whether a word is an option such as -c, -bind=1 or --bind.
func isOption(f string) bool {
	name := strings.TrimLeft(f, "-")
	dashes := len(f) - len(name)
	return (dashes == 1 || dashes == 2) && name != "" && isLetter(name[0])
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// isShellWord reports whether a word begins a command of the shell itself.
func isShellWord(name string) bool {
	switch name {
	case "if", "while", "until", "for", "case", "cd", "exec", "export", "set", "source", "eval", "trap", "wait", "unset", "umask", "ulimit":
		return true
	}
	return false
}

// needsOperands reports whether a script is a single program that fails without an operand, in
// every implementation.
func needsOperands(script string) bool {
	name := path.Base(script)
	if script != name && script != "/bin/"+name && script != "/usr/bin/"+name {
		return false
	}
	switch name {
	case "sleep", "grep", "egrep", "fgrep", "sed", "awk", "cp", "mv", "ln", "mkdir", "rmdir", "touch",
		"chmod", "chown", "chgrp", "curl", "wget", "pgrep", "pkill", "stat", "nc", "tar", "test", "java", "npm", "git":
		return true
	}
	return false
}
