package command

import "mvdan.cc/sh/v3/syntax"

// walker follows a script.
type walker struct {
	*run
	shell  *shell
	survey *survey
	src    string
	field  string // where the script stands in the submitted object
	place
	last   bool // this is the last statement of the script, which may take the place of the shell
	depth  int  // nodes around this place
	loops  int  // loops around this place in the same process and function
	nested int  // functions around this place
	guards int  // conditions around this place, where errexit does not act
	apart  int  // subshells, pipelines and substitutions around this place

	// jobStays says that the last command that was put in the background runs until it is stopped.
	jobStays bool
	// holds says that such a one was started by a statement of the script itself: wait does not return.
	holds bool

	// functions holds those defined at the top level, on the way here.
	functions map[string]*syntax.Stmt
}

// file follows a script from its first statement to the one that it does not get past.
func (w *walker) file(file *syntax.File) outcome {
	total := done
	total.because = clause{before: "an empty script ends at once", whole: true}
	skips := false
	for i, stmt := range file.Stmts {
		w.last = i == len(file.Stmts)-1
		o := w.stmt(stmt)
		w.holds = w.holds || stmt.Background && w.jobStays
		if skips = skips || o.can(aborts); skips {
			o = skippable(o)
		} else {
			w.define(stmt)
		}
		because, program := w.reason(stmt, o, len(file.Stmts))
		// A server that may not be reached is one that may not listen.
		serves := o.serves && program != "" && total.ways == falls
		total = total.then(o)
		total.because, total.program, total.serves = because, program, serves
		if !o.can(falls) {
			break
		}
	}
	return total
}

// skippable is the outcome of a statement after, or with, an error that some
// shells go on after: with the next statement or the next line.
func skippable(o outcome) outcome {
	if o.can(aborts) {
		o.ways = o.ways&^aborts | exits
		o.exit = status{}
	}
	return o.or(outcome{ways: falls})
}

// define remembers a function that is defined for certain.
func (w *walker) define(stmt *syntax.Stmt) {
	f, ok := stmt.Cmd.(*syntax.FuncDecl)
	if !ok || f.Name == nil || stmt.Background || len(stmt.Redirs) > 0 {
		return
	}
	if w.functions == nil {
		w.functions = map[string]*syntax.Stmt{}
	}
	w.functions[f.Name.Value] = f.Body
}

// reason says why a script ends, or does not, at a statement, and which program runs there.
func (w *walker) reason(stmt *syntax.Stmt, o outcome, statements int) (clause, string) {
	call, simple := stmt.Cmd.(*syntax.CallExpr)
	simple = simple && !stmt.Background && !stmt.Negated && len(call.Args) > 0
	takesOver := simple && bareName(call.Args[0]) == "exec"
	program := ""
	if takesOver || simple && statements == 1 {
		program = o.program
	}
	speaksForItself := program != "" || simple && o.remains()
	if speaksForItself && !o.because.isZero() {
		return o.because, program
	}
	return clause{before: verdict(stmt, o) + ` "`, subject: w.snippet(stmt), after: `"`, whole: true}, program
}

// verdict is how a script comes out of the statement that decides it.
func verdict(stmt *syntax.Stmt, o outcome) string {
	switch {
	case o.remains():
		return "the script does not get past"
	case !o.can(falls):
		return "the script ends with"
	case stmt.Background:
		return "the script ends without waiting for its last command,"
	}
	return "the script ends after its last command,"
}

// snippet is the beginning of a statement as it is written.
func (w *walker) snippet(stmt *syntax.Stmt) string {
	from := min(int(stmt.Position.Offset()), len(w.src))
	end := stmt.End()
	if stmt.Semicolon.IsValid() && !stmt.Background {
		end = stmt.Semicolon
	}
	to := max(from, min(int(end.Offset()), len(w.src)))
	return w.src[from:to]
}

// list is the outcome of statements one after the other.
func (w *walker) list(stmts []*syntax.Stmt) outcome {
	total := done
	for _, stmt := range stmts {
		total = total.then(w.stmt(stmt))
		if !total.can(falls) {
			break
		}
	}
	return total
}
