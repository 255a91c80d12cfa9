package command

import (
	"mvdan.cc/sh/v3/syntax"
)

// call is the outcome of a simple command: assignments, expansions, then the command itself.
func (w *walker) call(c *syntax.CallExpr) outcome {
	before := done
	for _, a := range c.Assigns {
		before = before.with(w.assignment(a))
	}
	argv := make([]word, 0, len(c.Args))
	for _, arg := range c.Args {
		value, effect := w.word(arg)
		argv = append(argv, value)
		before = before.with(effect)
	}
	if len(argv) == 0 || !before.can(falls) {
		return before
	}
	return before.then(w.invoke(argv))
}

// assignment is the effect of NAME=value.
func (w *walker) assignment(a *syntax.Assign) outcome {
	_, effect := w.word(a.Value)
	if a.Index != nil {
		effect = effect.with(w.arithmetic(a.Index)).or(failing("an array index may end the script"))
	}
	if a.Array != nil {
		effect = effect.with(w.inside(a.Array))
	}
	if w.survey.readonly {
		effect = effect.or(failing("an assignment may end the script"))
	}
	return effect
}

// declare is the outcome of export, local, readonly and declare.
func (w *walker) declare(c *syntax.DeclClause) outcome {
	before := done
	plain := true
	for _, a := range c.Args {
		before = before.with(w.assignment(a))
		plain = plain && a.Name != nil
	}
	o := outcome{ways: falls}
	switch {
	case plain && c.Variant.Value == "export":
		o.status = success
	case !plain:
		o = o.or(failing("a declaration may end the script"))
	}
	return before.then(o)
}

// invoke is the outcome of a command that is a function, a built-in or a program.
func (w *walker) invoke(argv []word) outcome {
	name := argv[0]
	if !name.known {
		return doubtful(anyhow, "the script runs a command that its text does not name", "", "")
	}
	if w.survey.functions[name.text] > 0 {
		return w.function(name.text)
	}
	if follow, ok := builtin(name.text); ok {
		return follow(w, argv)
	}
	return w.program(argv, w.last)
}

// program is the outcome of a program that the script starts, in its own place or in another process.
func (w *walker) program(argv []word, inPlace bool) outcome {
	if w.survey.moves {
		argv = w.moved(argv)
	}
	o := w.process(argv, place{input: w.input, calls: w.calls + 1, first: w.first && inPlace})
	if o.can(escapes) {
		o.ways |= anyhow
	}
	return o
}

// moved hides relative paths from what opens files, for they may lead anywhere.
func (w *walker) moved(argv []word) []word {
	hidden := make([]word, len(argv))
	for i, a := range argv {
		hidden[i] = a
		if p := w.known.find(argv[0].text); i > 0 && p != nil && p.opensFiles() && a.text != "" && a.text[0] != '/' && a.text[0] != '-' {
			hidden[i].known = false
		}
	}
	return hidden
}

func (p *program) opensFiles() bool {
	return p.Process != nil && (p.Process.Operands == operandsOpened || p.Process.Operands == operandsCopied)
}

// function is the outcome of calling a function of the script.
func (w *walker) function(name string) outcome {
	body := w.functions[name]
	switch {
	case body == nil || w.survey.functions[name] > 1:
		return doubtful(anyhow, "it is not known which function ", name, " is")
	case w.calls >= maxCalls:
		return tooLong()
	}
	loops := w.loops
	w.loops = 0
	w.calls++
	w.nested++
	o := w.stmt(body)
	w.nested--
	w.calls--
	w.loops = loops
	if o.can(returns) {
		o.ways = o.ways&^returns | falls
		o.status = status{}
	}
	return o
}
