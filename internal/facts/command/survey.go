package command

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// survey is what matters anywhere in a script, because loops and functions
// make it hard to say what runs before what. It over-estimates: a mode that is
// set anywhere may be on everywhere.
type survey struct {
	modes
	// functions counts the definitions of each function.
	functions map[string]int
	// numeric holds the variables that are assigned, and whether only to numbers.
	numeric map[string]bool
	// changes counts the places where each variable is set, in arithmetic, too; begins holds the last place that sets
	// it to a number.
	changes map[string]int
	begins  map[string]beginning
	// opaque says that variables are also set in ways that are not followed.
	opaque bool
	// background says that something is started in the background.
	background bool
	// readonly says that an assignment may fail, which ends a shell.
	readonly bool
	// moves says that relative paths may lead anywhere.
	moves bool
}

func surveyOf(file *syntax.File, m modes) *survey {
	s := &survey{modes: m}
	syntax.Walk(file, func(node syntax.Node) bool {
		s.visit(node)
		return true
	})
	return s
}

func (s *survey) visit(node syntax.Node) {
	switch n := node.(type) {
	case *syntax.Stmt:
		s.background = s.background || n.Background || n.Coprocess
	case *syntax.FuncDecl:
		s.define(n)
	case *syntax.Assign:
		if n.Name != nil {
			s.assigned(n.Name.Value, isNumeric(n))
			s.begin(n)
		}
	case syntax.ArithmExpr:
		s.arithmetic(n)
	case *syntax.WordIter:
		s.assigned(n.Name.Value, false)
	case *syntax.ParamExp:
		s.expansion(n)
	case *syntax.DeclClause:
		s.declaration(n.Variant.Value)
	case *syntax.LetClause:
		s.opaque = s.opaque || slices.ContainsFunc(n.Exprs, isText)
	case *syntax.CallExpr:
		if len(n.Args) > 0 {
			s.command(n.Args[0], n.Args[1:])
		}
	}
}

func (s *survey) define(f *syntax.FuncDecl) {
	if f.Name == nil {
		return
	}
	if s.functions == nil {
		s.functions = map[string]int{}
	}
	s.functions[f.Name.Value]++
}

// expansion finds ${NAME:=value}, which assigns.
func (s *survey) expansion(p *syntax.ParamExp) {
	if p.Exp != nil && p.Param != nil && (p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull) {
		s.assigned(p.Param.Value, false)
	}
}

func (s *survey) assigned(name string, number bool) {
	if s.numeric == nil {
		s.numeric = map[string]bool{}
	}
	s.changed(name)
	earlier, seen := s.numeric[name]
	s.numeric[name] = number && (earlier || !seen)
}

// arithmetic finds i++ and i=0.
func (s *survey) arithmetic(x syntax.ArithmExpr) {
	switch a := x.(type) {
	case *syntax.UnaryArithm:
		if name, ok := operandOf(a.X); ok && (a.Op == syntax.Inc || a.Op == syntax.Dec) {
			s.changed(name)
		}
	case *syntax.BinaryArithm:
		if name, ok := operandOf(a.X); ok && isArithmeticAssignment(a.Op) {
			s.changed(name)
		}
	}
}

// isText reports whether an expression is a word, whose text the shell evaluates: let "i=0".
func isText(x syntax.ArithmExpr) bool {
	_, ok := x.(*syntax.Word)
	return ok
}

func (s *survey) changed(name string) {
	if s.changes == nil {
		s.changes = map[string]int{}
	}
	s.changes[name]++
}

// beginning is a number that a variable is set to, and where.
type beginning struct {
	value int64
	at    uint
}

// begin remembers i=0.
func (s *survey) begin(a *syntax.Assign) {
	if a.Append || a.Naked || a.Index != nil || a.Value == nil {
		return
	}
	if n, ok := literalNumber(a.Value.Lit()); ok {
		if s.begins == nil {
			s.begins = map[string]beginning{}
		}
		s.begins[a.Name.Value] = beginning{value: n, at: a.Pos().Offset()}
	}
}

// isArithmeticAssignment reports whether an operator of arithmetic changes its left side.
func isArithmeticAssignment(op syntax.BinAritOperator) bool {
	switch op {
	case syntax.Assgn, syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn, syntax.QuoAssgn, syntax.RemAssgn,
		syntax.AndAssgn, syntax.OrAssgn, syntax.XorAssgn, syntax.ShlAssgn, syntax.ShrAssgn:
		return true
	}
	return false
}

// isNumeric reports whether an assignment can only give a decimal number.
func isNumeric(a *syntax.Assign) bool {
	if a.Append || a.Naked || a.Index != nil || a.Value == nil || len(a.Value.Parts) != 1 {
		return false
	}
	switch part := a.Value.Parts[0].(type) {
	case *syntax.Lit:
		return isInteger(part.Value)
	case *syntax.ArithmExp:
		return true
	}
	return false
}

// isInteger leaves out numbers with a leading zero, which are octal, and may be invalid.
func isInteger(s string) bool {
	return isNumber(s) && len(s) < 18 && (s == "0" || s[0] != '0')
}

func (s *survey) declaration(variant string) {
	if variant != "export" && variant != "local" {
		s.readonly, s.opaque = true, true
	}
}

// command looks at a command by its name. A name that is not literal needs no
// survey: whatever it stands for may happen where it runs.
func (s *survey) command(name *syntax.Word, args []*syntax.Word) {
	switch bare := bareName(name); {
	case bare != "":
		s.call(bare, args)
	case isLiteral(name.Parts):
		s.anything()
	}
}

// isLiteral reports whether nothing in a word is expanded.
func isLiteral(parts []syntax.WordPart) bool {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit, *syntax.SglQuoted:
		case *syntax.DblQuoted:
			if !isLiteral(p.Parts) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// anything is for a command whose name is quoted.
func (s *survey) anything() {
	s.modes = modes{errexit: true, nounset: true, pipefail: true}
	s.opaque, s.readonly, s.moves = true, true, true
}

// bareName is the name of a command where it is written without quoting, else empty.
func bareName(w *syntax.Word) string {
	name := w.Lit()
	if strings.Contains(name, `\`) {
		return ""
	}
	return name
}

func isPlainDirectory(text string) bool {
	return text != "" && text[0] != '-' && !strings.ContainsAny(text, "\\~*?[{") && isPlain(text)
}

func (s *survey) call(name string, args []*syntax.Word) {
	switch name {
	case "set":
		s.set(args)
	case "readonly", "declare", "typeset":
		s.readonly, s.opaque = true, true
	case "read", "getopts", "mapfile", "readarray", "printf", "let", "eval", ".", "source", "export", "local":
		s.opaque = true
	case "cd":
		s.moves = s.moves || len(args) != 1 || !isPlainDirectory(args[0].Lit())
	case "pushd", "popd":
		s.moves = true
	}
}

// set looks for modes that the script switches on.
func (s *survey) set(args []*syntax.Word) {
	for _, a := range args {
		text := a.Lit()
		switch {
		case text == "--":
			return
		case text == "", strings.Contains(text, `\`):
			s.anything()
		case text == "errexit":
			s.errexit = true
		case text == "nounset":
			s.nounset = true
		case text == "pipefail":
			s.pipefail = true
		case text[0] == '-' || text[0] == '+':
			s.errexit = s.errexit || strings.ContainsRune(text, 'e')
			s.nounset = s.nounset || strings.ContainsRune(text, 'u')
		}
	}
}
