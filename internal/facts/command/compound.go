package command

import "mvdan.cc/sh/v3/syntax"

// command is the outcome of a command without its redirections.
func (w *walker) command(cmd syntax.Command) outcome {
	switch c := cmd.(type) {
	case nil, *syntax.FuncDecl:
		return done
	case *syntax.CallExpr:
		return w.call(c)
	case *syntax.DeclClause:
		return w.declare(c)
	case *syntax.Block:
		return w.list(c.Stmts)
	case *syntax.Subshell:
		return w.separate(func() outcome { return w.list(c.Stmts) })
	case *syntax.BinaryCmd:
		return w.binary(c)
	case *syntax.IfClause:
		return w.branch(c)
	case *syntax.CaseClause:
		return w.cases(c)
	case *syntax.WhileClause:
		return w.while(c)
	case *syntax.ForClause:
		return w.loop(c)
	case *syntax.TestClause:
		return w.extendedTest(c)
	case *syntax.ArithmCmd:
		return w.arithmeticCommand(c)
	case *syntax.TimeClause:
		if c.Stmt == nil {
			return done
		}
		return w.stmt(c.Stmt)
	}
	return doubtful(anyhow, "it uses a construct that is not followed", "", "")
}

func (w *walker) binary(c *syntax.BinaryCmd) outcome {
	switch c.Op {
	case syntax.AndStmt, syntax.OrStmt:
		return w.andOr(c)
	default:
		return w.pipeline(c)
	}
}

// andOr is the outcome of a && b or a || b.
func (w *walker) andOr(c *syntax.BinaryCmd) outcome {
	first := w.guarded(func() outcome { return w.stmt(c.X) })
	if !first.can(falls) {
		return first
	}
	isOr := c.Op == syntax.OrStmt
	switch {
	case first.status == success && isOr, first.status.fails() && !isOr:
		return first
	case first.status == success, first.status.fails():
		return first.then(w.stmt(c.Y))
	}
	skipped := first
	skipped.ways = falls
	if isOr {
		skipped.status = success
	}
	return first.then(w.stmt(c.Y)).or(skipped)
}

// pipeline is the outcome of a | b. The shell waits for both; b has read
// everything once a has ended.
func (w *walker) pipeline(c *syntax.BinaryCmd) outcome {
	x := w.separate(func() outcome { return w.stmt(c.X) })
	outer := w.input
	w.input = inputEnds
	if x.ways != falls || x.leaves {
		w.input = inputOpen
	}
	y := w.separate(func() outcome { return w.stmt(c.Y) })
	w.input = outer
	o := x.then(y)
	switch {
	case x.can(escapes) || y.can(escapes):
		o.ways = anyhow | escapes
	case y.ways == stays:
		o.ways = stays
	case x.ways == stays:
		o = quietly(external, "the end of a pipeline may end what runs before it", "", "")
	default:
		o.ways = x.ways | y.ways
	}
	o.leaves = x.leaves || y.leaves
	o.opens = x.opens || y.opens
	if w.survey.pipefail {
		o.status = status{}
	}
	return o
}

// branch is the outcome of if, elif and else.
func (w *walker) branch(c *syntax.IfClause) outcome {
	w.depth++
	defer func() { w.depth-- }()
	if w.depth > maxDepth {
		return tooLong()
	}
	if len(c.Cond) == 0 {
		return w.list(c.Then)
	}
	condition := w.guarded(func() outcome { return w.list(c.Cond) })
	if !condition.can(falls) {
		return condition
	}
	otherwise := func() outcome {
		if c.Else == nil {
			return done
		}
		return w.branch(c.Else)
	}
	switch {
	case condition.status == success:
		return condition.then(w.list(c.Then))
	case condition.status.fails():
		return condition.then(otherwise())
	}
	return condition.then(w.list(c.Then).or(otherwise()))
}

// cases is the outcome of case: any of its branches, or none.
func (w *walker) cases(c *syntax.CaseClause) outcome {
	_, before := w.word(c.Word)
	o := done
	for _, item := range c.Items {
		if item.Op != syntax.Break {
			return doubtful(anyhow, "it uses a case branch that falls through", "", "")
		}
		for _, pattern := range item.Patterns {
			_, effect := w.word(pattern)
			before = before.with(effect).or(before)
		}
		o = o.or(w.list(item.Stmts))
	}
	return before.then(o)
}

// extendedTest is the outcome of [[ ... ]].
func (w *walker) extendedTest(c *syntax.TestClause) outcome {
	if single, ok := c.X.(*syntax.Word); ok {
		value, effect := w.word(single)
		o := outcome{ways: falls}
		if value.known {
			o.status = truth(value.text != "")
		}
		return effect.then(o)
	}
	return w.inside(c.X).then(outcome{ways: falls})
}

// arithmeticCommand is the outcome of (( ... )).
func (w *walker) arithmeticCommand(c *syntax.ArithmCmd) outcome {
	if single, ok := c.X.(*syntax.Word); ok {
		if text := single.Lit(); isInteger(text) {
			return outcome{ways: falls, status: truth(text != "0")}
		}
	}
	effect := w.arithmetic(c.X)
	return effect.then(outcome{ways: falls})
}

// inside is the effect of the expansions anywhere below a node.
func (w *walker) inside(node syntax.Node) outcome {
	effect := done
	syntax.Walk(node, func(n syntax.Node) bool {
		word, ok := n.(*syntax.Word)
		if !ok {
			return true
		}
		_, next := w.word(word)
		effect = effect.with(next)
		return false
	})
	return effect
}
