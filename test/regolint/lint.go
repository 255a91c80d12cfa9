package regolint

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Problem is a mistake, with its place.
type Problem struct {
	Check string
	File  string
	Line  int
	Text  string
}

// String is the problem in one line, as compilers write it.
func (p Problem) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", p.File, p.Line, p.Check, p.Text)
}

// module is one file, as its text and as OPA reads it.
type module struct {
	file string
	text string
	*ast.Module
}

// check looks at one module, and knows all of them.
type check struct {
	name string
	find func(all []module, m module, tell tell)
}

// tell takes a problem at a line.
type tell func(line int, format string, args ...any)

func checks() []check {
	return []check{
		{"shadowed-builtin", shadowedBuiltins},
		{"unassigned-return", unassignedReturns},
		{"not-equals-in-loop", notEqualsInLoops},
		{"constant-condition", constantConditions},
		{"deprecated-builtin", deprecatedBuiltins},
		{"package-name", packageNames},
		{"unused-import", unusedImports},
		{"unused-argument", unusedArguments},
		{"duplicate-rule", duplicateRules},
		{"sprintf-arguments", sprintfArguments},
		{"leaked-internal", leakedInternals},
		{"line-length", lineLengths},
		{"file-length", fileLengths},
		{"rule-length", ruleLengths},
	}
}

// Lint looks at all .rego files below a folder.
func Lint(folder fs.FS) ([]Problem, error) {
	all, err := parse(folder)
	if err != nil {
		return nil, err
	}
	var found []Problem
	for _, m := range all {
		for _, c := range checks() {
			c.find(all, m, func(line int, format string, args ...any) {
				found = append(found, Problem{c.name, m.file, line, fmt.Sprintf(format, args...)})
			})
		}
	}
	slices.SortFunc(found, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.String(), b.String()))
	})
	return slices.Compact(found), nil
}

func parse(folder fs.FS) ([]module, error) {
	var all []module
	err := fs.WalkDir(folder, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".rego") {
			return err
		}
		text, err := fs.ReadFile(folder, path)
		if err != nil {
			return err
		}
		m, err := ast.ParseModuleWithOpts(path, string(text), ast.ParserOptions{ProcessAnnotation: true})
		if err != nil {
			return err
		}
		all = append(all, module{path, string(text), m})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading Rego: %w", err)
	}
	return all, nil
}

// eachRule calls do for each rule of a module and each of its else branches.
func (m module) eachRule(do func(*ast.Rule)) {
	for _, r := range m.Rules {
		for ; r != nil; r = r.Else {
			do(r)
		}
	}
}

// lines are those of the file, without the end of the last one.
func (m module) lines() []string {
	return strings.Split(strings.TrimSuffix(m.text, "\n"), "\n")
}

func (m module) isTest() bool { return strings.HasSuffix(m.file, "_test.rego") }
