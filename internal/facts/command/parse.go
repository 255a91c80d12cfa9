package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// perParsed is how many bytes of a script are parsed in about the time that it takes to follow a
// statement: some 60 ns a byte.
const perParsed = 4

// perOpening is how many steps more a construct within another takes: 2 us and up to 12 KiB of stack for some.
const perOpening = 4

// Scripts keeps scripts that were parsed. The zero value is empty. It is for one goroutine.
type Scripts struct{ parsed map[scriptKey]parsedScript }

type scriptKey struct{ language, src string }

type parsedScript struct {
	file    *syntax.File
	problem string
}

// parse parses a script once for all that ask about it.
func (in *Input) parse(s *shell, src string) (*syntax.File, string) {
	key := scriptKey{s.Language, src}
	if in.Parsed != nil {
		if p, ok := in.Parsed.parsed[key]; ok {
			return p.file, p.problem
		}
	}
	if !in.Budget.Spend(1 + min(len(src), maxScript)/perParsed + perOpening*openings(src)) {
		return nil, in.Budget.Err().Error()
	}
	var p parsedScript
	p.file, p.problem = parse(s, src)
	if in.Parsed != nil {
		if in.Parsed.parsed == nil {
			in.Parsed.parsed = map[scriptKey]parsedScript{}
		}
		in.Parsed.parsed[key] = p
	}
	return p.file, p.problem
}

// parse parses a script that is small enough to be parsed by a recursive parser.
func parse(s *shell, src string) (*syntax.File, string) {
	switch {
	case len(src) > maxScript:
		return nil, "the script is too long to follow"
	case openings(src) > maxBrackets:
		return nil, "the script is too deeply nested to follow"
	}
	variant := syntax.LangPOSIX
	if s.Language == languageBash {
		variant = syntax.LangBash
	}
	file, err := syntax.NewParser(syntax.Variant(variant)).Parse(strings.NewReader(src), "")
	if err != nil {
		return nil, "the script does not parse as the language of its shell"
	}
	return file, ""
}

// openings counts what may open a nested construct, up to a little more than may be. Quoting makes the real
// depth hard to tell before parsing, but it is never more than that. What is too long is not parsed, and has none.
func openings(src string) int {
	if len(src) > maxScript {
		return 0
	}
	n := 0
	for _, keyword := range []string{"if", "while", "until", "for", "case"} {
		n += strings.Count(src, keyword)
	}
	for i := range len(src) {
		switch src[i] {
		case '(', '[', '{', '`', '!', '?', '~':
			n++
		}
	}
	return min(n, maxBrackets+1)
}
