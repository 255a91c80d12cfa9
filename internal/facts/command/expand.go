package command

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/forestall/forestall/internal/facts/fact"
)

// word is one word of a command line.
type word struct {
	text  string
	known bool   // false: text is meaningless, it depends on something not at hand
	field string // the field it was read from
	index int    // its place in that field, -1 where the field is the word itself
}

// path is where the word stands in the submitted object.
func (w word) path() string {
	if w.index < 0 || w.field == "" {
		return w.field
	}
	return w.field + "[" + strconv.Itoa(w.index) + "]"
}

// expand replaces $(NAME) in command and args. The words are nil when there are too many of them.
func (in *Input) expand() ([]word, Argv) {
	count := len(in.Command) + len(in.Args)
	switch {
	case count > maxWords:
		return nil, unknownArgv(in.CommandPath, fmt.Sprintf("it has more than %d words", maxWords))
	case !in.Budget.Spend(count):
		return nil, unknownArgv(in.CommandPath, in.Budget.Err().Error())
	}
	e := expander{in: in, room: maxBytes}
	words := make([]word, 0, count)
	for i, text := range in.Command {
		words = append(words, e.word(text, in.CommandPath, i))
	}
	for i, text := range in.Args {
		words = append(words, e.word(text, in.ArgsPath, i))
	}
	switch {
	case e.room < 0:
		return nil, unknownArgv(in.CommandPath, fmt.Sprintf("it is longer than %d KiB", maxBytes>>10))
	case e.missing != "":
		return words, unknownArgv(e.missingPath, "the value of "+shorten(e.missing)+" is not known here")
	}
	argv := Argv{Observation: fact.PresentAt(in.CommandPath), Words: make([]string, count)}
	for i := range words {
		argv.Words[i] = words[i].text
	}
	return words, argv
}

func unknownArgv(path, reason string) Argv {
	return Argv{Observation: fact.UnknownAt(path, reason)}
}

// expander replaces references the way the kubelet does: $(NAME) by a value, $$
// by $, and a reference to a name that is not defined stays as it is.
type expander struct {
	in          *Input
	room        int    // bytes that may still be written
	missing     string // the first variable without a known value
	missingPath string
}

func (e *expander) word(text, field string, index int) word {
	w := word{text: text, known: true, field: field, index: index}
	e.in.Budget.Spend(min(len(text), maxBytes) / perStep)
	if strings.IndexByte(text, '$') < 0 {
		e.room -= len(text)
		return w
	}
	if e.room < 0 {
		return w
	}
	var missing string
	w.text, missing = e.replace(text)
	w.known = missing == ""
	if missing != "" && e.missing == "" {
		e.missing, e.missingPath = missing, w.path()
	}
	e.room -= len(w.text)
	return w
}

// replace returns the text with its references replaced and the first name whose value is not known.
func (e *expander) replace(text string) (string, string) {
	var b strings.Builder
	missing := ""
	lastClose := strings.LastIndexByte(text, ')')
	rest := 0
	for i := 0; i+1 < len(text) && b.Len() <= e.room; i++ {
		if text[i] != '$' {
			continue
		}
		b.WriteString(text[rest:i])
		next, size := utf8.DecodeRuneInString(text[i+1:])
		switch {
		case next == '$':
			b.WriteByte('$')
		case next != '(':
			b.WriteByte('$')
			b.WriteRune(next)
		case i > lastClose:
			b.WriteString("$(")
		default:
			size = strings.IndexByte(text[i+1:], ')') + 1
			name := text[i+2 : i+size]
			if !e.reference(&b, name) && missing == "" {
				missing = name
			}
		}
		i += size
		rest = i + 1
	}
	b.WriteString(text[rest:])
	return b.String(), missing
}

// reference writes the value of a variable and reports whether it is known.
func (e *expander) reference(b *strings.Builder, name string) bool {
	value, literal := e.in.Env[name]
	switch {
	case e.in.EnvUnknown[name], !literal && e.in.mayDefine(name):
		return false
	case literal:
		b.WriteString(value)
	default:
		b.WriteString("$(" + name + ")")
	}
	return true
}

// mayDefine reports whether a name that the container does not list may still
// be defined: by envFrom, or by the kubelet for the Services of the namespace.
func (in *Input) mayDefine(name string) bool {
	if !isVariable(name) {
		return false
	}
	return in.EnvOpen || strings.Contains(name, "_SERVICE_") || strings.Contains(name, "_PORT")
}

// isVariable leaves out what is meant for the shell, such as $(cat /etc/hosts).
func isVariable(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case c == '_', c == '-', c == '.', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		case c >= '0' && c <= '9' && i > 0:
		default:
			return false
		}
	}
	return name != ""
}
