// Package regolint looks for mistakes in Rego that the compiler of OPA lets pass.
// Its checks are those of regal (github.com/StyraInc/regal) that find faults, and
// the sizes that this project keeps to. regal itself is a program of its own and
// no Go module that can be required here, and these are few lines over OPA's own
// syntax tree.
//
//	check                  regal's rule                       why
//	shadowed-builtin       rule-shadows-builtin,              count := 1 hides the function count from
//	                       var-shadows-builtin,               all that follows, and the next reader
//	                       import-shadows-builtin             calls something else than is meant
//	unassigned-return      unassigned-return-value            trim(x) alone in a body is always true
//	not-equals-in-loop     not-equals-in-loop                 xs[_] != x is true where any other is there
//	constant-condition     constant-condition                 a body that decides nothing
//	deprecated-builtin     deprecated-builtin                 it goes with the next OPA
//	package-name           rule-name-repeats-package          a rule named as its package, words.words
//	unused-import          unused-import (by the compiler)    also in tests, which are not compiled strictly
//	unused-argument        (strict mode of the compiler)      the same; an argument nobody reads is called _
//	duplicate-rule         duplicate-rule                     one of the two was meant to differ
//	sprintf-arguments      sprintf-arguments-mismatch         the text shows %!s(MISSING)
//	leaked-internal        leaked-internal-reference          _name is nobody else's
//	line-length            line-length                        120 characters, METADATA and tests too
//	file-length            file-length                        100 lines, of tests 140
//	rule-length            rule-length                        a rule.rego says one thing, in 60 lines
//
// Lines of a rule.rego are counted without its METADATA block and without blank
// ones; the lines of a file are all of them.
package regolint
