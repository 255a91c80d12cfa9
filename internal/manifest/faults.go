package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxFaults bounds what is told of one document.
const maxFaults = 10

// faults takes an error of the YAML parser apart: it may be several in one, and
// the lines in it count from the beginning of the document.
func faults(err error, t *Text) []Fault {
	messages := strings.Split(strings.TrimPrefix(err.Error(), "yaml: "), "\n")
	if len(messages) > 1 { // the first line says that there are several
		messages = messages[1:]
	}
	more := len(messages) - maxFaults
	var all []Fault
	for _, m := range messages[:min(len(messages), maxFaults)] {
		all = append(all, newFault(strings.TrimSpace(m), t))
	}
	if more > 0 {
		last := &all[len(all)-1]
		last.Err = fmt.Errorf("%w (and %d more like it)", last.Err, more)
	}
	return all
}

func newFault(message string, t *Text) Fault {
	line, problem, ok := cutLine(message)
	if ok {
		line = t.line + lineOf(problem, line, t.raw) - 1
	} else {
		line = t.content + lineWithout(problem, t)
	}
	last := t.line + bytes.Count(bytes.TrimRight(t.raw, "\r\n"), []byte("\n"))
	return Fault{
		Line: min(line, last),
		Err:  withHint(fmt.Errorf("reading YAML: %w", shortened(problem)), t.raw),
	}
}

// cutLine takes "line 7: " off a message.
func cutLine(message string) (line int, problem string, ok bool) {
	rest, found := strings.CutPrefix(message, "line ")
	number, problem, cut := strings.Cut(rest, ": ")
	line, err := strconv.Atoi(number)
	if !found || !cut || err != nil {
		return 0, message, false
	}
	return line, problem, true
}

// Problems that the parser, as opposed to the scanner before it, reports with
// lines that count from 0 (go.yaml.in/yaml/v2 decode.go, parser.fail).
func countedFromZero() []string {
	return []string{
		"did not find expected <document start>", "did not find expected node content",
		"did not find expected '-' indicator", "did not find expected key",
		"did not find expected ',' or ']'", "did not find expected ',' or '}'",
	}
}

// lineOf corrects the line of a problem within a document.
func lineOf(problem string, line int, raw []byte) int {
	switch {
	case slices.Contains(countedFromZero(), problem):
		return line + 1
	case problem == "found unexpected end of stream" || problem == "could not find expected ':'":
		return beginning(problem, line, raw)
	default:
		return line
	}
}

// beginning asks the newer parser, which tells where something began that has no
// end: the older tells where the document ended.
func beginning(problem string, line int, raw []byte) int {
	err := yaml.Unmarshal(raw, new(yaml.Node))
	if err == nil {
		return line
	}
	began, same, ok := cutLine(strings.TrimPrefix(err.Error(), "yaml: "))
	if !ok || same != problem {
		return line
	}
	return began
}

// lineWithout finds the line of a problem that comes without one, counted from
// the first line with content. Most are on that line; for some the text tells.
func lineWithout(problem string, t *Text) int {
	at := -1
	switch {
	case problem == "control characters are not allowed":
		at = bytes.IndexFunc(t.raw, func(r rune) bool {
			return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f || r == 0xfffe || r == 0xffff
		})
	case strings.HasPrefix(problem, "unknown anchor '"):
		name := strings.Split(problem, "'")[1]
		at = bytes.Index(t.raw, []byte("*"+name))
	case bytes.Contains(t.raw, []byte("{{")):
		at = bytes.Index(t.raw, []byte("{{"))
	}
	if at < 0 {
		return 0
	}
	return t.line + bytes.Count(t.raw[:at], []byte("\n")) - t.content
}

// withHint says what to do about a template.
func withHint(err error, raw []byte) error {
	if !bytes.Contains(raw, []byte("{{")) && !bytes.Contains(raw, []byte("{%")) {
		return err
	}
	return fmt.Errorf("%w (a template is to be rendered first: forestall audit --helm CHART)", err)
}

var goSyntax = regexp.MustCompile(`^(invalid|unsupported) map key.*`)

// shortened replaces a dump of Go values by words, and cuts what is still long.
func shortened(problem string) error {
	problem = goSyntax.ReplaceAllString(problem, "a key is not a plain value")
	const long = 200
	if r := []rune(problem); len(r) > long {
		problem = string(r[:long]) + "…"
	}
	return errors.New(problem)
}
