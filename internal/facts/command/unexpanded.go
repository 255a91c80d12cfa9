package command

import (
	"slices"
	"strings"
)

// unexpanded finds $NAME and $(command) in an argument of a program that is known to take it as it is. What Java runs
// may replace ${NAME} by itself, as Spring does.
func (l *slipLine) unexpanded(at int, name string) (Slip, bool) {
	if !slices.Contains(expandsNothing(), name) {
		return Slip{}, false
	}
	for i := at + 1; i < len(l.words); i++ {
		text := l.words[i].text
		switch {
		case l.words[i].known && mayEvaluate(text):
			return Slip{}, false
		case !l.words[i].known, strings.Contains(l.raw[i], "$$"), isInterpreter(name) && isProgramText(text, l.words[i-1].text):
			continue
		}
		if hasSubstitution(text) {
			return l.slip(formSubstitution, i, name, l.inShell()...), true
		}
		if variables := l.meant(i, shellVariables(text, name != "java")); len(variables) > 0 {
			slip := l.slip(formVariable, i, name, l.replaced(variables)...)
			slip.Define = l.define(variables)
			return slip, true
		}
	}
	return Slip{}, false
}

// meant leaves out what is rather text than a variable: a dollar in a password, before a name that nobody defines.
func (l *slipLine) meant(i int, variables []string) []string {
	return slices.DeleteFunc(variables, func(name string) bool {
		_, literal := l.in.Env[name]
		return !literal && !l.in.EnvUnknown[name] && !isAlwaysDefined(name) && !l.isReference(i, name)
	})
}

// isAlwaysDefined reports whether a variable is one that the runtime or the kubelet sets, or that images do.
func isAlwaysDefined(name string) bool {
	return strings.HasSuffix(name, "_SERVICE_HOST") || strings.HasSuffix(name, "_SERVICE_PORT") || strings.HasSuffix(name, "_HOME") ||
		slices.Contains([]string{"HOSTNAME", "HOME", "PATH", "PWD", "USER"}, name)
}

// isReference reports whether a name that is not known to be defined stands where a variable does: in braces, or at
// the beginning of a part of the word that is no secret.
func (l *slipLine) isReference(i int, name string) bool {
	text := l.words[i].text
	if len(text) > maxMeant {
		return false // each name would be looked for in all of it
	}
	before, _, found := strings.Cut(text, "$"+name)
	switch {
	case strings.Contains(text, "${"+name+"}"):
		return true
	case !found || isSecret(before) || i > 0 && isSecret(head(l.words[i-1].text, maxText)):
		return false
	}
	return before == "" || strings.HasSuffix(before, "/") || strings.HasSuffix(before, "=") || strings.HasSuffix(before, ":")
}

// isSecret reports whether a word is an option whose value is a password or the like, which may hold any character.
func isSecret(option string) bool {
	option = strings.ToLower(option)
	return option == "-p" || option == "-a" || slices.ContainsFunc([]string{"pass", "secret", "token", "auth", "key", "cred"}, func(part string) bool {
		return strings.HasPrefix(option, "-") && strings.Contains(option, part)
	})
}

// isProgramText reports whether a word is text in the language of an interpreter.
func isProgramText(text, before string) bool {
	return strings.ContainsAny(text, "(;\n") ||
		slices.Contains([]string{"-c", "-e", "-p", "-r", "--eval", "--execute", "--command"}, before)
}

func (l *slipLine) inShell() []string {
	return l.scripted([]string{shellName}, "exec "+l.asTyped(l.raw), nil)
}

// replaced is the command line with references that Kubernetes replaces, where it can; else in a shell.
func (l *slipLine) replaced(variables []string) []string {
	size := 0
	for _, w := range l.raw {
		size += len(w)
	}
	if size > maxMeant {
		return l.inShell() // it only gets longer, and is not shown either way
	}
	for _, v := range variables {
		if !l.isReplaced(v) && (l.role != RoleCommand || downward(v) == "") {
			return l.inShell()
		}
	}
	words := slices.Clone(l.raw)
	for i := range words {
		for _, v := range variables {
			words[i] = strings.ReplaceAll(words[i], "${"+v+"}", "$("+v+")")
			if j := strings.Index(words[i], "$"+v); j >= 0 && nameAt(words[i][j+1:]) == v {
				words[i] = words[i][:j] + "$(" + v + ")" + words[i][j+1+len(v):]
			}
		}
	}
	return words
}

// shellVariables returns the names of the variables that a shell would replace in a
// text: names in capitals, as environment variables are written; $set and $1 are no such names.
func shellVariables(text string, braces bool) []string {
	var names []string
	seen := map[string]bool{}
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '$' || i > 0 && text[i-1] == '\\' {
			continue
		}
		rest, closed := text[i+1:], ""
		if rest[0] == '{' {
			if !braces {
				continue
			}
			rest, closed = rest[1:], "}"
		}
		name := nameAt(rest)
		if len(name) < 2 || !strings.HasPrefix(rest[len(name):], closed) || strings.HasPrefix(rest[len(name):], "$") {
			continue
		}
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// nameAt is the name in capitals that a text begins with.
func nameAt(text string) string {
	n := 0
	for n < len(text) && (text[n] >= 'A' && text[n] <= 'Z' || text[n] == '_' || n > 0 && text[n] >= '0' && text[n] <= '9') {
		n++
	}
	if n < len(text) && isLetter(text[n]) {
		return ""
	}
	return text[:n]
}

// hasSubstitution reports whether a text holds $(command) or `command` with a
// command that people use there.
func hasSubstitution(text string) bool {
	for _, opening := range []string{"$(", "`"} {
		_, rest, ok := strings.Cut(text, opening)
		if !ok || !strings.ContainsAny(rest, ")`") {
			continue
		}
		command, _, _ := strings.Cut(rest, ")")
		command, _, _ = strings.Cut(command, "`")
		fields := strings.Fields(command)
		if len(fields) > 0 && slices.Contains([]string{
			"hostname", "cat", "date", "nproc", "whoami", "pwd", "uname", "curl", "wget", "echo", "head", "getent", "ip",
		}, fields[0]) {
			return true
		}
	}
	return false
}
