package command

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// intended is what a command line in one word was probably meant to be, with the words that stand after it: its
// words, or a script where it needs a shell.
func (l *slipLine) intended(text string, args []string) []string {
	text = strings.TrimSpace(text)
	if words, ok := l.in.simple(l.marked(text)); ok {
		if i := slices.Index(words, "-c"); i > 0 && i+1 < len(words) && l.isShell(words[0]) {
			return l.scripted(restored(words[:i]), l.asTypedOrOne(restored(words[i+1:])), args)
		}
		return append(restored(words), args...)
	}
	if shell, script, ok := blockScript(text); ok {
		return l.scripted([]string{shell}, script, args)
	}
	return l.scripted([]string{shellName}, text, args)
}

// isShell reports whether a program is a shell.
func (l *slipLine) isShell(name string) bool {
	p := l.known.find(name)
	return p != nil && p.Shell != nil
}

// asTypedOrOne is the script that words make: one word is a script already.
func (l *slipLine) asTypedOrOne(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return l.asTyped(words)
}

// blockScript takes "sh -c | SCRIPT" apart, where the sign of a YAML block ended
// up in the text.
func blockScript(text string) (shell, script string, ok bool) {
	fields := strings.Fields(text)
	if len(fields) < 4 || !strings.HasSuffix(fields[0], "sh") || fields[1] != "-c" ||
		!slices.Contains([]string{"|", "|-", ">", ">-"}, fields[2]) {
		return "", "", false
	}
	_, script, _ = strings.Cut(text, " "+fields[2])
	return fields[0], strings.TrimSpace(script), true
}

// simple returns the words of a command line that needs no shell to be understood.
func (in *Input) simple(text string) ([]string, bool) {
	file, problem := in.parse(&shell{Language: languagePOSIX}, text)
	if problem != "" || len(file.Stmts) != 1 {
		return nil, false
	}
	stmt := file.Stmts[0]
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || stmt.Background || stmt.Negated || len(stmt.Redirs) > 0 || len(call.Assigns) > 0 || len(call.Args) == 0 {
		return nil, false
	}
	words := make([]string, 0, len(call.Args))
	for _, arg := range call.Args {
		value, ok := literalText(arg.Parts)
		if !ok {
			return nil, false
		}
		words = append(words, value)
	}
	return words, !isShellWord(words[0])
}

// literalText is the value of a word in which nothing is expanded; of another one, its beginning.
func literalText(parts []syntax.WordPart) (string, bool) {
	var b strings.Builder
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if strings.ContainsAny(p.Value, `\*?[{~`) {
				return b.String(), false
			}
			b.WriteString(p.Value)
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, inner := range p.Parts {
				lit, ok := inner.(*syntax.Lit)
				if !ok || strings.Contains(lit.Value, `\`) {
					return b.String(), false
				}
				b.WriteString(lit.Value)
			}
		default:
			return b.String(), false
		}
	}
	return b.String(), true
}

// asTyped joins words to a script in which operators, variables and patterns mean what they say.
func (l *slipLine) asTyped(words []string) string {
	typed := make([]string, 0, len(words))
	for _, w := range words {
		plain := strings.TrimSuffix(w, ";") // the end of a command, as in true;
		switch {
		case l.isAmbiguous(w) && !isOperator(w) && !isRedirection(w):
			w = quoted(w)
		case plain != w && plain != "" && !strings.ContainsAny(plain, " \t\r\n\"'\\;|&<>()#!~$`"):
		case w != "" && !strings.ContainsAny(w, " \t\r\n\"'\\;|&<>()#!~") || isOperator(w) || isRedirection(w):
		case strings.ContainsAny(w, "$`") && !strings.ContainsAny(w, `"\`):
			w = `"` + w + `"`
		default:
			w = quoted(w)
		}
		typed = append(typed, w)
	}
	return strings.Join(typed, " ")
}
