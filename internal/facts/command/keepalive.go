package command

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/forestall/forestall/internal/facts/fact"
)

// KeepAlive says whether the command ends in something that does nothing but
// keep the container running: sleep infinity, tail -f, a loop of sleep. It is
// absent where that is known not to be so, and unknown where it cannot be told.
type KeepAlive struct {
	// Path is the field that holds the command or the script.
	fact.Observation
	// Waits is the command that waits, shortened.
	Waits string `json:"waits,omitempty"`
	// Hides is a command before it that may serve and whose end nobody notices, shortened; empty when there is none.
	Hides string `json:"hides,omitempty"`
	// Background says that what it hides was put in the background with &.
	Background bool `json:"background,omitempty"`
	// Deaf says that it is the first process of the container and handles no
	// signal, so that SIGTERM does nothing to it (pid_namespaces(7)).
	Deaf bool `json:"deaf,omitempty"`
}

// FindKeepAlive looks for a command that only waits at the end of a command line.
func FindKeepAlive(in Input, known Programs) KeepAlive {
	in.Budget = in.Budget.OrDefault()
	if len(in.Command) == 0 {
		return KeepAlive{Observation: fact.UnknownAt(in.CommandPath, imageRuns)}
	}
	l := newSlipLine(&in, known)
	if l == nil {
		return KeepAlive{Observation: fact.UnknownAt(in.CommandPath, "it is too long to follow")}
	}
	at, ok := l.start()
	if !ok || !l.words[at].known {
		return KeepAlive{Observation: fact.UnknownAt(in.CommandPath, "which program runs is not known here")}
	}
	first := !slices.ContainsFunc(l.words[:at], l.forks)
	if idlesWords(l.words[at:], &Input{Image: in.Image, Budget: in.Budget}, known) {
		return KeepAlive{Observation: fact.PresentAt(in.CommandPath), Waits: shorten(l.asTyped(l.raw[at:])), Deaf: first}
	}
	p := known.find(l.words[at].text)
	if p == nil || p.Shell == nil {
		return KeepAlive{Observation: fact.AbsentAt(in.CommandPath)}
	}
	return l.keepAliveScript(p.Shell, at, first)
}

// forks reports whether a wrapper stays the first process, and passes signals on.
func (l *slipLine) forks(w word) bool {
	p := l.known.find(w.text)
	return p != nil && p.Wraps != nil && p.Wraps.Forks
}

func (l *slipLine) keepAliveScript(s *shell, at int, first bool) KeepAlive {
	inv, ok := s.parse(l.words[at+1:])
	if !ok || !inv.c || len(inv.rest) == 0 || !inv.rest[0].known {
		return KeepAlive{Observation: fact.UnknownAt(l.in.CommandPath, "the script is not at hand")}
	}
	src, path := inv.rest[0].text, inv.rest[0].path()
	if !strings.Contains(src, "sleep") && !strings.Contains(src, "tail") {
		return KeepAlive{Observation: fact.AbsentAt(path)} // not worth parsing again
	}
	file, problem := l.in.parse(s, src)
	if problem != "" {
		return KeepAlive{Observation: fact.UnknownAt(path, problem)}
	}
	l.in.Budget.Spend(len(src) / perStep)
	t := tail{known: l.known, in: Input{Image: l.in.Image, Budget: l.in.Budget}, src: src}
	for _, stmt := range file.Stmts {
		t.flatten(stmt, 0)
	}
	k := t.keepAlive()
	k.Path = path
	k.Deaf = k.Deaf && first
	return k.asWritten(l.rawOf(&inv.rest[0]), src)
}

// asWritten quotes the whole script as it is written where values of variables were put into it: they may
// be passwords, and denials and Events are read by many.
func (k KeepAlive) asWritten(raw, script string) KeepAlive {
	if raw == script {
		return k
	}
	for _, quoted := range []*string{&k.Waits, &k.Hides} {
		if *quoted != "" {
			*quoted = shorten(raw)
		}
	}
	return k
}

// tail is a script as a row of statements, of which the last one is of interest.
type tail struct {
	known Programs
	in    Input // what matters where it waits
	src   string
	stmts []*syntax.Stmt
}

// flatten takes a && b apart: b runs after a.
func (t *tail) flatten(stmt *syntax.Stmt, depth int) {
	both, ok := stmt.Cmd.(*syntax.BinaryCmd)
	if !ok || both.Op != syntax.AndStmt || stmt.Background || stmt.Negated || len(stmt.Redirs) > 0 || depth > maxDepth {
		t.stmts = append(t.stmts, stmt)
		return
	}
	t.flatten(both.X, depth+1)
	t.flatten(both.Y, depth+1)
}

func (t *tail) keepAlive() KeepAlive {
	n := len(t.stmts)
	if n > 1 && isWait(t.stmts[n-1]) && t.stmts[n-2].Background && t.idles(t.stmts[n-2]) {
		n-- // sleep infinity & wait
	}
	if n == 0 || t.stmts[n-1].Background && n == len(t.stmts) || !t.idles(t.stmts[n-1]) {
		return KeepAlive{Observation: fact.Observation{State: fact.Absent}}
	}
	k := KeepAlive{
		Observation: fact.Observation{State: fact.Present}, Waits: shorten(t.text(t.stmts[n-1])),
		Deaf: !strings.Contains(t.src, "trap"),
	}
	return t.hidden(t.stmts[:n-1], k)
}

// hidden adds what runs before the wait and may serve.
func (t *tail) hidden(before []*syntax.Stmt, k KeepAlive) KeepAlive {
	for _, stmt := range before {
		background := startsBackground(stmt) && !t.idles(stmt)
		switch {
		case background || t.mayServe(stmt) && !k.Background:
			k.Hides, k.Background = shorten(t.text(stmt)), background
		case setsUpKernel(commandName(stmt)) && k.Hides == "":
			return KeepAlive{Observation: fact.Observation{State: fact.Absent}}
		}
	}
	return k
}

// text is a statement as it is written, without the sign that ends it.
func (t *tail) text(stmt *syntax.Stmt) string {
	end := stmt.End()
	if stmt.Semicolon.IsValid() {
		end = stmt.Semicolon
	}
	from := min(int(stmt.Position.Offset()), len(t.src))
	return strings.TrimSpace(t.src[from:max(from, min(int(end.Offset()), len(t.src)))])
}

// mayServe reports whether a statement runs a program that may go on in the
// background by itself: one that is not known to do its work and end.
func (t *tail) mayServe(stmt *syntax.Stmt) bool {
	name := commandName(stmt)
	if _, isBuiltin := builtin(name); isBuiltin || isShellWord(name) || setsUpKernel(name) || isTool(name) {
		return false
	}
	if call, ok := stmt.Cmd.(*syntax.CallExpr); !ok || len(call.Args) == 0 {
		return false
	}
	p := t.known.find(name)
	if p != nil && p.Listens != nil && p.Detaches == nil {
		return false // it opens no port
	}
	return p == nil || p.Process == nil || p.Process.Ends == nil || !*p.Process.Ends
}

// commandName is the name of a simple command where it is written without quoting, else empty.
func commandName(stmt *syntax.Stmt) string {
	if call, ok := stmt.Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 {
		return bareName(call.Args[0])
	}
	return ""
}

// startsBackground reports whether a statement puts something in the background, itself or what is inside it.
func startsBackground(stmt *syntax.Stmt) bool {
	if _, isFunction := stmt.Cmd.(*syntax.FuncDecl); isFunction {
		return false
	}
	found := false
	syntax.Walk(stmt, func(node syntax.Node) bool {
		inner, ok := node.(*syntax.Stmt)
		found = found || ok && inner.Background
		return !found
	})
	return found
}
