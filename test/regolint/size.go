package regolint

import (
	"path"
	"strings"
	"unicode/utf8"
)

// How long things may be. A test is a table, which may be longer than a rule.
const (
	lineMax     = 120
	fileMax     = 100
	testFileMax = 140
	ruleMax     = 60
)

// lineLengths counts characters; a tab is one. A link has no place to break it.
func lineLengths(_ []module, m module, tell tell) {
	for i, line := range m.lines() {
		if n := utf8.RuneCountInString(line); n > lineMax && !strings.HasPrefix(line, "#   - ref: https://") {
			tell(i+1, "%d characters, at most %d", n, lineMax)
		}
	}
}

func fileLengths(_ []module, m module, tell tell) {
	most := fileMax
	if m.isTest() {
		most = testFileMax
	}
	if n := len(m.lines()); n > most {
		tell(n, "%d lines, at most %d", n, most)
	}
}

// ruleLengths counts the lines of a rule.rego that are neither blank nor part of a
// METADATA block; other comments count.
func ruleLengths(_ []module, m module, tell tell) {
	if path.Base(m.file) != "rule.rego" {
		return
	}
	n, metadata := 0, false
	for _, line := range m.lines() {
		metadata = line == "# METADATA" || metadata && strings.HasPrefix(line, "#")
		if !metadata && strings.TrimSpace(line) != "" {
			n++
		}
	}
	if n > ruleMax {
		tell(1, "%d lines of Rego, at most %d", n, ruleMax)
	}
}
