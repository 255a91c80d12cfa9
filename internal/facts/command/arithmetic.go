package command

import "mvdan.cc/sh/v3/syntax"

// arithmetic is the effect of an arithmetic expression. An error in it ends
// the shell, so only what cannot fail passes without a doubt.
func (w *walker) arithmetic(x syntax.ArithmExpr) outcome {
	w.depth++
	defer func() { w.depth-- }()
	if w.depth > maxDepth {
		return tooLong()
	}
	mayFail := failing("an arithmetic expression may end the script")
	switch a := x.(type) {
	case nil:
		return done
	case *syntax.ParenArithm:
		return w.arithmetic(a.X)
	case *syntax.UnaryArithm:
		if a.Op == syntax.Inc || a.Op == syntax.Dec {
			return w.arithmetic(a.X).or(mayFail)
		}
		return w.arithmetic(a.X)
	case *syntax.BinaryArithm:
		o := w.arithmetic(a.X).with(w.arithmetic(a.Y))
		if w.cannotFail(a.Op) {
			return o
		}
		return o.or(mayFail)
	case *syntax.Word:
		_, effect := w.word(a)
		if w.isNumberWord(a) {
			return effect
		}
		return effect.or(mayFail)
	}
	return mayFail.or(done)
}

// cannotFail leaves out division, and assignment where a variable may be read-only.
func (w *walker) cannotFail(op syntax.BinAritOperator) bool {
	switch op {
	case syntax.Add, syntax.Sub, syntax.Mul, syntax.And, syntax.Or, syntax.Xor,
		syntax.Eql, syntax.Neq, syntax.Lss, syntax.Gtr, syntax.Leq, syntax.Geq:
		return true
	case syntax.Assgn, syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn:
		return !w.survey.readonly
	}
	return false
}

// isNumberWord reports whether an operand is a number or a variable that only ever holds one.
func (w *walker) isNumberWord(word *syntax.Word) bool {
	if len(word.Parts) != 1 {
		return false
	}
	name := word.Lit()
	if p, ok := word.Parts[0].(*syntax.ParamExp); ok && p.Param != nil && p.Exp == nil && !p.Excl && p.Index == nil && p.Slice == nil {
		name = p.Param.Value
	}
	return isInteger(name) || !w.survey.opaque && !w.survey.nounset && w.survey.numeric[name]
}
