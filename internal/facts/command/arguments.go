package command

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// scripted is a shell with a script after -c, and with the arguments that were meant for the last command of the
// script: what stands after a script goes into $0, $1 and so on, and nobody reads those by themselves. It is nil
// where a script cannot be what was meant, or its last command takes no arguments. The shell sh becomes bash where
// the script needs that.
func (l *slipLine) scripted(shellWords []string, script string, args []string) []string {
	script = strings.ReplaceAll(script, "\r\n", "\n")
	file, problem := l.in.parse(&shell{Language: languagePOSIX}, script)
	if problem != "" || usesBash(file) {
		file, problem = l.in.parse(&shell{Language: languageBash}, script)
		if problem != "" {
			return nil
		}
		shellWords = slices.Clone(shellWords)
		if i := slices.Index(shellWords, "sh"); i >= 0 {
			shellWords[i] = "bash"
		}
	}
	words := append(slices.Clone(shellWords), "-c")
	if len(args) == 0 {
		return append(words, script)
	}
	if readsParameters(file) {
		if l.raw[0] == shellWords[0] {
			return nil // whether the first of them was to be $0 is known only to who wrote -c, and nobody did
		}
		return append(append(words, script, shellName), args...)
	}
	end, ok := endOfLastCommand(file)
	if !ok {
		return nil
	}
	return append(append(words, script[:end]+` "$@"`+script[end:], shellName), args...)
}

// shellName is what a script calls itself in messages: the argument after it.
const shellName = "sh"

// usesBash reports whether a script that sh can read calls what only bash and the like have.
func usesBash(file *syntax.File) bool {
	found := false
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 {
			found = found || slices.Contains([]string{
				"source", "[[", "declare", "typeset", "shopt", "pushd", "popd", "mapfile", "readarray",
			}, call.Args[0].Lit())
		}
		return !found
	})
	return found
}

// readsParameters reports whether a script reads $0, $1, $@ or the like.
func readsParameters(file *syntax.File) bool {
	found := false
	syntax.Walk(file, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.ParamExp); ok {
			name := p.Param.Value
			found = found || name == "@" || name == "*" || name == "#" || name != "" && isNumber(name)
		}
		return !found
	})
	return found
}

// lastCommand returns the last statement of a script, of commands joined by && the last; nil where it is run in the
// background or its status is turned around.
func lastCommand(file *syntax.File) *syntax.Stmt {
	if len(file.Stmts) == 0 {
		return nil
	}
	for stmt := file.Stmts[len(file.Stmts)-1]; !stmt.Background && !stmt.Negated; {
		binary, ok := stmt.Cmd.(*syntax.BinaryCmd)
		switch {
		case !ok:
			return stmt
		case binary.Op != syntax.AndStmt:
			return nil
		}
		stmt = binary.Y
	}
	return nil
}

// endOfLastCommand is where arguments for the last command of a script are written. It reports false where that is
// no call of a program in the foreground.
func endOfLastCommand(file *syntax.File) (int, bool) {
	stmt := lastCommand(file)
	if stmt == nil {
		return 0, false
	}
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return 0, false
	}
	if name := call.Args[0].Lit(); isShellWord(name) && name != "exec" {
		return 0, false
	}
	end := call.End()
	for _, r := range stmt.Redirs {
		if r.Hdoc != nil {
			return 0, false
		}
		if r.End().After(end) {
			end = r.End()
		}
	}
	return int(end.Offset()), true
}
