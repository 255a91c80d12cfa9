package command

import (
	"fmt"
	"regexp"
	"strings"
)

// maxOneLiner is how long a script on the command line of an interpreter may be.
const maxOneLiner = 1 << 10

// compile makes the patterns of a group ready.
func (p *program) compile() error {
	if p.Process == nil {
		return nil
	}
	for i := range p.Process.When {
		b := &p.Process.When[i].process
		if b.Statement == "" {
			continue
		}
		pattern, err := regexp.Compile(`^\s*(?:` + b.Statement + `)?\s*$`)
		if err != nil {
			return fmt.Errorf("statement: %w", err)
		}
		b.statement = pattern
	}
	return nil
}

// runs reports whether the one value that options have is a script that is made
// of statements which end. Where a semicolon stands in a string the pieces do not
// match, so such a script is not known.
func (b *process) runs(values []optionValue) bool {
	if len(values) != 1 || !values[0].value.known || len(values[0].value.text) > maxOneLiner {
		return false
	}
	for _, statement := range strings.FieldsFunc(values[0].value.text, func(r rune) bool { return r == ';' || r == '\n' }) {
		if !b.statement.MatchString(statement) {
			return false
		}
	}
	return true
}
