package command

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Word is one word that a program is started with.
type Word struct {
	// Text is the word, empty where it is not known.
	Text string
	// Known is false where the word depends on something that is not at hand.
	Known bool
	// Path is the place that it was read from: spec.containers[0].args[1].
	Path string
}

// Invocation is how the main program of a container is started.
type Invocation struct {
	// Words are the program and its arguments, behind wrappers and behind the last
	// command of a shell script; empty where they cannot be told.
	Words []Word
	// Familiar says that the table of programs lists the program, or that it is a
	// shell whose script was not followed to a program.
	Familiar bool
	// Open says that a script or a wrapper may change any variable on the way.
	Open bool
}

// Program is the base name of the program, empty where it is not known.
func (i Invocation) Program() string {
	if len(i.Words) == 0 || !i.Words[0].Known {
		return ""
	}
	return path.Base(i.Words[0].Text)
}

// Invoked finds the main program of a command line. Without a command the
// entrypoint of the image runs: many of those run the program that args name, so
// args are returned, and who reads them has to know the program by its name.
func Invoked(in Input, known Programs) Invocation {
	in.Budget = in.Budget.OrDefault()
	words, _ := in.expand()
	u := unwrapping{run: run{in: &in, known: known}}
	words = u.program(words)
	i := Invocation{Familiar: u.familiar, Open: u.open}
	for _, w := range words {
		if !w.known {
			w.text = ""
		}
		i.Words = append(i.Words, Word{Text: w.text, Known: w.known, Path: w.path()})
	}
	return i
}

// unwrapping follows a command line to the program that finally runs.
type unwrapping struct {
	run
	familiar, open bool
	// written is how many bytes of values were put into words, to bound them.
	written int
}

func (u *unwrapping) program(words []word) []word {
	for range maxCalls {
		if len(words) == 0 || !words[0].known {
			return nil
		}
		p := u.known.find(words[0].text)
		switch {
		case p != nil && p.Shell != nil:
			words = u.script(p.Shell, words[1:])
			u.familiar = len(words) == 0
		case p != nil && p.Wraps != nil:
			words = u.wrapped(p, words[1:])
		default:
			u.familiar = p != nil
			return words
		}
	}
	return nil
}

func (u *unwrapping) wrapped(p *program, args []word) []word {
	line, ok := p.options.parse(args, true)
	if !ok {
		return nil
	}
	operands := line.operands
	if p.Wraps.Assignments {
		before := len(operands)
		operands = u.skipAssignments(operands)
		u.open = u.open || len(operands) < before
	}
	skip := p.Wraps.Skip
	if p.Wraps.Limit {
		skip++
	}
	return operands[min(skip, len(operands)):]
}

// script returns the words of the last command of sh -c SCRIPT.
func (u *unwrapping) script(s *shell, args []word) []word {
	inv, ok := s.parse(args)
	if !ok || !inv.c || len(inv.rest) == 0 || !inv.rest[0].known {
		return nil
	}
	text := inv.rest[0]
	file, problem := u.in.parse(s, text.text)
	if problem != "" || len(file.Stmts) == 0 {
		return nil
	}
	u.spend(len(text.text) / 8)
	found := surveyOf(file, inv.modes)
	u.open = u.open || found.opaque || len(found.numeric) > 0
	for variable := range found.numeric {
		u.assign(variable)
	}
	call := lastCall(file.Stmts[len(file.Stmts)-1])
	if call == nil {
		return nil
	}
	u.open = u.open || len(call.Assigns) > 0
	words := u.fields(call.Args, text.path())
	if len(words) > 0 && words[0].known && words[0].text == "exec" {
		words = words[1:]
	}
	return words
}

// lastCall is the simple command that a statement ends with, or nil.
func lastCall(s *syntax.Stmt) *syntax.CallExpr {
	for range maxDepth {
		if s.Background || s.Negated {
			return nil
		}
		switch c := s.Cmd.(type) {
		case *syntax.CallExpr:
			return c
		case *syntax.BinaryCmd:
			if c.Op != syntax.AndStmt {
				return nil
			}
			s = c.Y
		default:
			return nil
		}
	}
	return nil
}

// fields expands the words of a command. A variable outside quotes becomes as
// many words as its value has.
func (u *unwrapping) fields(list []*syntax.Word, field string) []word {
	var words []word
	for _, w := range list {
		if !u.step() || len(words) > maxWords {
			return nil
		}
		if value, ok := u.variable(w.Parts); ok {
			for _, text := range strings.Fields(value) {
				words = append(words, word{text: text, known: true, field: field, index: -1})
			}
			continue
		}
		next := word{field: field, index: -1}
		next.text, next.known = u.text(w.Parts)
		words = append(words, next)
	}
	return words
}

// variable is the value of a word that is one variable and no more.
func (u *unwrapping) variable(parts []syntax.WordPart) (string, bool) {
	if len(parts) != 1 {
		return "", false
	}
	p, ok := parts[0].(*syntax.ParamExp)
	if !ok || !isPlainParameter(p) || u.assigned[p.Param.Value] {
		return "", false
	}
	value, literal := u.in.Env[p.Param.Value]
	u.written += len(value)
	if !literal || u.written > maxBytes {
		return "", false
	}
	return value, true
}

// isPlainParameter reports whether an expansion is $NAME or ${NAME} and nothing else.
func isPlainParameter(p *syntax.ParamExp) bool {
	return p.Param != nil && !p.Excl && !p.Length && !p.Width && p.Index == nil && p.Slice == nil && p.Repl == nil && p.Exp == nil
}

// text is the value of a word without expansions other than variables in quotes.
func (u *unwrapping) text(parts []syntax.WordPart) (string, bool) {
	var b strings.Builder
	for _, part := range parts {
		var text string
		known := false
		switch p := part.(type) {
		case *syntax.Lit:
			text, known = p.Value, !strings.ContainsAny(p.Value, `\*?[{~`)
		case *syntax.SglQuoted:
			text, known = p.Value, !p.Dollar
		case *syntax.DblQuoted:
			text, known = u.quoted(p.Parts)
		case *syntax.ParamExp:
			text, known = u.variable([]syntax.WordPart{p})
			known = known && !strings.ContainsAny(text, " \t\n")
		}
		if !known {
			return "", false
		}
		b.WriteString(text)
	}
	return b.String(), true
}

// quoted is the value of what stands in double quotes.
func (u *unwrapping) quoted(parts []syntax.WordPart) (string, bool) {
	var b strings.Builder
	for _, part := range parts {
		if value, ok := u.variable([]syntax.WordPart{part}); ok {
			b.WriteString(value)
			continue
		}
		lit, ok := part.(*syntax.Lit)
		if !ok || strings.Contains(lit.Value, `\`) {
			return "", false
		}
		b.WriteString(lit.Value)
	}
	return b.String(), true
}
