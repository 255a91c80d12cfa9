package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word is the value of a word, known where it is one literal field, and the
// effect of its expansions. The status of the effect is that of the last
// command substitution.
func (w *walker) word(word *syntax.Word) (word, outcome) {
	value := w.scriptWord("", false)
	if word == nil {
		w.spend(1)
		return value, done
	}
	// A word in a function is looked at again at each call, so its size counts.
	w.spend(1 + int(word.End().Offset()-word.Pos().Offset())/perStep)
	if text, ok := plainText(word); ok {
		return w.scriptWord(text, true), done
	}
	e := expansion{walker: w, effect: done, known: true}
	e.parts(word.Parts, false)
	return w.scriptWord(e.text.String(), e.known), e.effect
}

func (w *walker) scriptWord(text string, known bool) word {
	return word{text: text, known: known, field: w.field, index: -1}
}

// plainText is the value of a word that is one literal without special characters.
func plainText(word *syntax.Word) (string, bool) {
	if len(word.Parts) != 1 {
		return "", false
	}
	lit, ok := word.Parts[0].(*syntax.Lit)
	if !ok || strings.ContainsAny(lit.Value, "\\*?[{~") && lit.Value != "[" {
		return "", false
	}
	return lit.Value, true
}

// expansion puts the value of a word together.
type expansion struct {
	*walker
	text   strings.Builder
	known  bool
	effect outcome
}

func (e *expansion) parts(parts []syntax.WordPart, quoted bool) {
	e.depth++
	defer func() { e.depth-- }()
	if !e.step() || e.depth > maxDepth {
		e.known, e.effect = false, tooLong()
		return
	}
	for _, part := range parts {
		e.part(part, quoted)
	}
}

func (e *expansion) part(part syntax.WordPart, quoted bool) {
	switch p := part.(type) {
	case *syntax.Lit:
		e.literal(p.Value, quoted)
		return
	case *syntax.SglQuoted:
		e.text.WriteString(p.Value)
		e.known = e.known && !p.Dollar
		return
	case *syntax.DblQuoted:
		e.parts(p.Parts, true)
		return
	}
	e.known = false
	switch p := part.(type) {
	case *syntax.ParamExp:
		e.parameter(p)
	case *syntax.CmdSubst:
		e.then(e.substitution(p))
	case *syntax.ArithmExp:
		e.then(e.arithmetic(p.X))
	case *syntax.ExtGlob:
	default:
		e.then(doubtful(anyhow, "it uses an expansion that is not followed", "", ""))
	}
}

func (e *expansion) then(next outcome) { e.effect = e.effect.with(next) }

// literal takes the quoting out of a literal. What the shell would still
// expand, a pattern or a tilde, makes the value unknown.
func (e *expansion) literal(text string, quoted bool) {
	lastClose := strings.LastIndexByte(text, ']')
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c != '\\':
			e.known = e.known && (quoted || !isPattern(text, i, lastClose))
		case i+1 == len(text), text[i+1] == '\n':
			e.known = false
		case !quoted || strings.IndexByte("$`\"\\", text[i+1]) >= 0:
			i++
			c = text[i]
		}
		e.text.WriteByte(c)
	}
}

func isPattern(text string, i, lastClose int) bool {
	switch text[i] {
	case '*', '?', '~':
		return true
	case '[':
		return lastClose > i
	case '{':
		return !strings.HasPrefix(text[i:], "{}")
	}
	return false
}

// substitution is the effect of $(...): the shell waits until all that it
// starts has closed its output.
func (w *walker) substitution(p *syntax.CmdSubst) outcome {
	o := w.separate(func() outcome { return w.list(p.Stmts) })
	if o.leaves {
		o = o.or(quietly(stays, "a command substitution waits for what it leaves behind", "", ""))
	}
	o.leaves = false
	return o
}

// parameter is the effect of ${NAME...}.
func (e *expansion) parameter(p *syntax.ParamExp) {
	mayFail := p.Excl || p.Index != nil || p.Slice != nil
	if p.Exp != nil {
		mayFail = mayFail || e.mayFail(p.Exp.Op)
		e.optional(p.Exp.Word)
	} else {
		mayFail = mayFail || e.survey.nounset && !alwaysSet(p.Param)
	}
	if p.Repl != nil {
		e.optional(p.Repl.Orig)
		e.optional(p.Repl.With)
	}
	if p.Index != nil {
		e.then(e.arithmetic(p.Index))
	}
	if p.Slice != nil {
		e.then(e.arithmetic(p.Slice.Offset))
		e.then(e.arithmetic(p.Slice.Length))
	}
	if mayFail {
		e.effect = e.effect.or(failing("an expansion may end the script"))
	}
}

// mayFail reports whether the operator of an expansion may end the script.
func (e *expansion) mayFail(op syntax.ParExpOperator) bool {
	switch op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		return false
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		return e.survey.readonly
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return true
	}
	return e.survey.nounset
}

// alwaysSet reports whether a parameter is one that the shell itself keeps, such as $?.
func alwaysSet(name *syntax.Lit) bool {
	return name != nil && len(name.Value) == 1 && strings.Contains("?#$-@*0", name.Value)
}

// failing is the outcome of an error in an expansion or assignment.
func failing(doubt string) outcome { return quietly(exits|aborts, doubt, "", "") }

// optional adds the effect of a word that may be expanded or not.
func (e *expansion) optional(word *syntax.Word) {
	if word == nil {
		return
	}
	inner := expansion{walker: e.walker, effect: done}
	inner.parts(word.Parts, true)
	e.effect = e.effect.with(inner.effect).or(e.effect)
}
