package command

import "mvdan.cc/sh/v3/syntax"

// stmt is the outcome of one statement with its redirections.
func (w *walker) stmt(stmt *syntax.Stmt) outcome {
	w.depth++
	defer func() { w.depth-- }()
	switch {
	case !w.step() || w.depth > maxDepth:
		return tooLong()
	case stmt.Coprocess || stmt.Disown:
		return doubtful(anyhow, "it uses a coprocess", "", "")
	case stmt.Background:
		return w.background(stmt)
	}
	before, input, fallible := w.redirects(stmt)
	if !before.can(falls) {
		return before
	}
	outer := w.input
	w.input = input
	o := w.negatable(stmt)
	w.input = outer
	if fallible {
		o = o.or(refused(stmt.Cmd, o))
	}
	return before.then(w.errexit(stmt, o))
}

// refused is the outcome of a redirection that fails: the command does not run,
// and in some shells a special built-in then ends the shell.
func refused(cmd syntax.Command, instead outcome) outcome {
	o := outcome{ways: falls}
	call, ok := cmd.(*syntax.CallExpr)
	if cmd == nil || ok && (len(call.Args) == 0 || isSpecial(call.Args[0])) {
		o.ways |= exits
	}
	if o.can(exits) || instead.can(stays) {
		o.doubt = clause{before: "a redirection may fail"}
	}
	return o
}

func (w *walker) negatable(stmt *syntax.Stmt) outcome {
	if !stmt.Negated {
		return w.command(stmt.Cmd)
	}
	o := w.guarded(func() outcome { return w.command(stmt.Cmd) })
	switch {
	case w.apart > 0 && w.survey.errexit:
		o.status = status{}
	case o.status.known:
		o.status = truth(o.status.code != 0)
	case o.status.nonzero:
		o.status = success
	}
	return o
}

// guarded follows a condition, in which errexit does not act. In a subshell of
// bash it may act all the same: set -e; (! { false; sleep 9; }) ends at once.
func (w *walker) guarded(follow func() outcome) outcome {
	if w.apart > 0 {
		return follow()
	}
	w.guards++
	o := follow()
	w.guards--
	return o
}

// errexit adds that the shell may end if the statement fails.
func (w *walker) errexit(stmt *syntax.Stmt, o outcome) outcome {
	if !w.survey.errexit || w.guards > 0 || stmt.Negated || o.status == success || !o.can(falls) || !canFail(stmt.Cmd) {
		return o
	}
	failed := outcome{ways: exits, exit: o.status, doubt: clause{before: "set -e may end the script early"}}
	return o.or(failed)
}

// canFail reports whether errexit looks at the command itself and not only at those inside it.
func canFail(cmd syntax.Command) bool {
	switch c := cmd.(type) {
	case *syntax.BinaryCmd:
		return c.Op == syntax.Pipe || c.Op == syntax.PipeAll
	case *syntax.IfClause, *syntax.WhileClause, *syntax.ForClause, *syntax.CaseClause, *syntax.FuncDecl:
		return false
	}
	return true
}

// background is the outcome of a statement that nothing waits for.
func (w *walker) background(stmt *syntax.Stmt) outcome {
	job := *stmt
	job.Background = false
	o := w.separate(func() outcome { return w.stmt(&job) })
	w.jobStays = o.ways == stays
	if o.can(escapes) {
		ended := quietly(anyhow|escapes, "something in the background may end the script", "", "")
		ended.opens = o.opens
		return ended
	}
	return outcome{ways: falls, status: success, leaves: true, background: true, opens: o.opens}
}

// separate follows what runs in a process of its own.
func (w *walker) separate(follow func() outcome) outcome {
	loops, guards, nested := w.loops, w.guards, w.nested
	w.loops, w.guards, w.nested = 0, 0, 0
	w.apart++
	o := follow().contained()
	w.apart--
	w.loops, w.guards, w.nested = loops, guards, nested
	if o.can(escapes) {
		o.ways |= anyhow
	}
	return o
}
