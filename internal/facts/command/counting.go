package command

import (
	"strconv"

	"mvdan.cc/sh/v3/syntax"
)

// counter is a variable that a loop counts with: what it begins with, what each turn adds to it, and the number at
// which the loop ends.
type counter struct {
	name              string
	from, step, limit int64
	operator          syntax.BinAritOperator // the loop goes on while it holds
}

// turns is how often the loop runs at most, and false where that is not known.
func (c counter) turns() (int64, bool) {
	distance := c.limit - c.from
	step := c.step
	switch c.operator {
	case syntax.Gtr, syntax.Geq:
		distance, step = -distance, -step
	case syntax.Neq:
		if step < 0 {
			distance, step = -distance, -step
		}
		if step == 0 || distance < 0 || distance%step != 0 {
			return 0, false
		}
	case syntax.Lss, syntax.Leq:
	default:
		return 0, false
	}
	if c.operator == syntax.Leq || c.operator == syntax.Geq {
		distance++
	}
	switch {
	case step <= 0:
		return 0, distance <= 0
	case distance <= 0:
		return 0, true
	}
	return (distance + step - 1) / step, true
}

// counted is how often for ((i=0; i<10; i++)) runs, where nothing but its head changes the variable.
func (w *walker) counted(l *syntax.CStyleLoop) (int64, bool) {
	name, from, ok := startOf(l.Init)
	c := counter{name: name, from: from}
	if !ok || !c.condition(l.Cond) || !c.change(l.Post) || w.survey.opaque || w.survey.changes[name] != 2 {
		return 0, false
	}
	return c.turns()
}

// countedWhile is how often while [ $i -lt 10 ] runs, where the variable begins with a number and one statement of the
// body adds to it in each turn.
func (w *walker) countedWhile(c *syntax.WhileClause) (int64, bool) {
	if len(c.Cond) != 1 || c.Until || w.survey.opaque {
		return 0, false
	}
	found, ok := w.conditionOf(c.Cond[0], 0)
	if !ok {
		return 0, false
	}
	from, begins := w.survey.begins[found.name]
	inLoop := from.at >= c.Pos().Offset() && from.at <= c.End().Offset()
	if !begins || inLoop || w.survey.changes[found.name] != 2 || len(w.survey.functions) > 0 {
		return 0, false
	}
	found.from = from.value
	for _, stmt := range c.Do {
		if found.isChangedBy(stmt) {
			return found.turns()
		}
	}
	return 0, false
}

// conditionOf finds the comparison with a number that has to hold for a loop to go on.
func (w *walker) conditionOf(stmt *syntax.Stmt, depth int) (counter, bool) {
	if stmt.Negated || stmt.Background || depth > maxDepth {
		return counter{}, false
	}
	switch cmd := stmt.Cmd.(type) {
	case *syntax.BinaryCmd:
		if cmd.Op != syntax.AndStmt {
			return counter{}, false
		}
		return w.conditionOf(cmd.X, depth+1)
	case *syntax.ArithmCmd:
		c := counter{}
		return c, c.condition(cmd.X)
	case *syntax.CallExpr:
		return testOf(cmd)
	}
	return counter{}, false
}

// testOf reads [ $i -lt 10 ] and test $i -lt 10.
func testOf(call *syntax.CallExpr) (counter, bool) {
	if len(call.Assigns) > 0 || len(call.Args) < 4 {
		return counter{}, false
	}
	name := call.Args[0].Lit()
	if name == "[" && (len(call.Args) != 5 || call.Args[4].Lit() != "]") || name == "test" && len(call.Args) != 4 || name != "[" && name != "test" {
		return counter{}, false
	}
	operators := map[string]syntax.BinAritOperator{
		"-lt": syntax.Lss, "-le": syntax.Leq, "-gt": syntax.Gtr, "-ge": syntax.Geq, "-ne": syntax.Neq,
	}
	operator, known := operators[call.Args[2].Lit()]
	variable, isVariable := variableOf(call.Args[1])
	limit, isNumber := literalNumber(call.Args[3].Lit())
	return counter{name: variable, operator: operator, limit: limit}, known && isVariable && isNumber
}

// variableOf is the name in $i, ${i} and "$i".
func variableOf(word *syntax.Word) (string, bool) {
	if word == nil || len(word.Parts) != 1 {
		return "", false
	}
	part := word.Parts[0]
	if quoted, ok := part.(*syntax.DblQuoted); ok && len(quoted.Parts) == 1 {
		part = quoted.Parts[0]
	}
	p, ok := part.(*syntax.ParamExp)
	if !ok || !isPlainParameter(p) {
		return "", false
	}
	return p.Param.Value, true
}

// operandOf is the name of a variable in an arithmetic expression: i or $i.
func operandOf(x syntax.ArithmExpr) (string, bool) {
	word, ok := x.(*syntax.Word)
	if !ok {
		return "", false
	}
	if name := word.Lit(); syntax.ValidName(name) {
		return name, true
	}
	return variableOf(word)
}

// literalNumber reads a decimal number, also a negative one.
func literalNumber(text string) (int64, bool) {
	if len(text) > 1 && text[0] == '-' && isInteger(text[1:]) || isInteger(text) {
		n, err := strconv.ParseInt(text, 10, 32)
		return n, err == nil
	}
	return 0, false
}

func numberOf(x syntax.ArithmExpr) (int64, bool) {
	switch n := x.(type) {
	case *syntax.Word:
		return literalNumber(n.Lit())
	case *syntax.ParenArithm:
		return numberOf(n.X)
	}
	return 0, false
}

// startOf reads i=0.
func startOf(x syntax.ArithmExpr) (string, int64, bool) {
	b, ok := x.(*syntax.BinaryArithm)
	if !ok || b.Op != syntax.Assgn {
		return "", 0, false
	}
	name, isName := operandOf(b.X)
	from, isNumber := numberOf(b.Y)
	return name, from, isName && isNumber
}

// condition reads i<10.
func (c *counter) condition(x syntax.ArithmExpr) bool {
	b, ok := x.(*syntax.BinaryArithm)
	if !ok {
		return false
	}
	name, isName := operandOf(b.X)
	limit, isNumber := numberOf(b.Y)
	if !isName || !isNumber || c.name != "" && c.name != name {
		return false
	}
	c.name, c.limit, c.operator = name, limit, b.Op
	return true
}

// change reads i++, i-- and i+=2.
func (c *counter) change(x syntax.ArithmExpr) bool {
	switch a := x.(type) {
	case *syntax.UnaryArithm:
		if name, ok := operandOf(a.X); !ok || name != c.name {
			return false
		}
		c.step = map[syntax.UnAritOperator]int64{syntax.Inc: 1, syntax.Dec: -1}[a.Op]
		return c.step != 0
	case *syntax.BinaryArithm:
		name, isName := operandOf(a.X)
		n, isNumber := numberOf(a.Y)
		sign := map[syntax.BinAritOperator]int64{syntax.AddAssgn: 1, syntax.SubAssgn: -1}[a.Op]
		c.step = sign * n
		return isName && isNumber && name == c.name && c.step != 0
	}
	return false
}

// isChangedBy reads i=$((i+1)), ((i++)) and let i++ as a statement of its own.
func (c *counter) isChangedBy(stmt *syntax.Stmt) bool {
	if stmt.Background || stmt.Negated || len(stmt.Redirs) > 0 {
		return false
	}
	switch cmd := stmt.Cmd.(type) {
	case *syntax.ArithmCmd:
		return c.change(cmd.X)
	case *syntax.LetClause:
		return len(cmd.Exprs) == 1 && c.change(cmd.Exprs[0])
	case *syntax.CallExpr:
		return len(cmd.Args) == 0 && len(cmd.Assigns) == 1 && c.isAssigned(cmd.Assigns[0])
	}
	return false
}

// isAssigned reads i=$((i+1)).
func (c *counter) isAssigned(a *syntax.Assign) bool {
	if a.Append || a.Naked || a.Index != nil || a.Name == nil || a.Name.Value != c.name || a.Value == nil || len(a.Value.Parts) != 1 {
		return false
	}
	sum, ok := a.Value.Parts[0].(*syntax.ArithmExp)
	if !ok {
		return false
	}
	b, ok := sum.X.(*syntax.BinaryArithm)
	if !ok {
		return false
	}
	name, isName := operandOf(b.X)
	n, isNumber := numberOf(b.Y)
	c.step = map[syntax.BinAritOperator]int64{syntax.Add: 1, syntax.Sub: -1}[b.Op] * n
	return isName && isNumber && name == c.name && c.step != 0
}
