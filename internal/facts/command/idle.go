package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// idles reports whether a statement does nothing but wait, without end.
func (t *tail) idles(stmt *syntax.Stmt) bool {
	if stmt.Negated {
		return false
	}
	switch c := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		words := plainWords(c)
		if len(words) > 0 && words[0].text == "exec" {
			words = words[1:]
		}
		return idlesWords(words, &t.in, t.known)
	case *syntax.WhileClause:
		return !c.Until && len(c.Cond) == 1 && isTrue(c.Cond[0]) && onlySleeps(c.Do)
	}
	return false
}

// idlesWords reports whether a command line is sleep without end, or tail that
// follows a file. A tail that ends with a process (--pid) watches that process.
func idlesWords(words []word, in *Input, known Programs) bool {
	if len(words) < 2 || !words[0].known {
		return false
	}
	switch name, _ := standardName(words[0].text); name {
	case "sleep":
		return (&run{in: in, known: known}).process(words, place{}).ways == stays
	case "tail":
		return follows(words[1:])
	}
	return false
}

// follows reports whether the options of tail make it follow a file without end.
func follows(args []word) bool {
	follow := false
	for _, a := range args {
		switch {
		case strings.HasPrefix(a.text, "--pid"):
			return false
		case !a.known:
		case a.text == "--follow", strings.HasPrefix(a.text, "--follow="):
			follow = true
		case len(a.text) > 1 && a.text[0] == '-' && a.text[1] != '-':
			follow = follow || strings.ContainsAny(a.text, "fF")
		}
	}
	return follow
}

// plainWords are the words of a simple command, known where they are literal.
func plainWords(c *syntax.CallExpr) []word {
	if len(c.Assigns) > 0 {
		return nil
	}
	words := make([]word, 0, len(c.Args))
	for _, arg := range c.Args {
		text, ok := literalText(arg.Parts)
		words = append(words, word{text: text, known: ok, index: -1})
	}
	return words
}

func isTrue(stmt *syntax.Stmt) bool {
	c, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || stmt.Negated {
		return false
	}
	words := plainWords(c)
	return len(words) == 1 && (words[0].text == "true" || words[0].text == ":")
}

// onlySleeps reports whether the body of a loop does nothing but sleep.
func onlySleeps(body []*syntax.Stmt) bool {
	for _, stmt := range body {
		c, ok := stmt.Cmd.(*syntax.CallExpr)
		if !ok || stmt.Background || stmt.Negated {
			return false
		}
		words := plainWords(c)
		if len(words) == 0 || words[0].text != "sleep" && words[0].text != ":" && words[0].text != "true" {
			return false
		}
	}
	return true
}

// isWait reports whether a statement is wait, for all processes or for the last one.
func isWait(stmt *syntax.Stmt) bool {
	c, ok := stmt.Cmd.(*syntax.CallExpr)
	return ok && !stmt.Background && len(c.Args) > 0 && len(c.Args) < 3 && bareName(c.Args[0]) == "wait"
}
