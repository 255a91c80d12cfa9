package command

import "strings"

// options is the set of options that a program is known to understand.
type options struct {
	listed bool            // false: whatever begins with - is an option without a value
	value  map[string]bool // by name; true: it takes a value
}

func newOptions(list []string) options {
	o := options{listed: list != nil, value: make(map[string]bool, len(list))}
	for _, option := range list {
		name, takesValue := strings.CutSuffix(option, "=")
		o.value[name] = takesValue
	}
	return o
}

// anyNumber in a list of options stands for -1, -20 and so on.
const anyNumber = "-NUMBER"

// parsed is a command line taken apart.
type parsed struct {
	given    []string // the names of the options, without values
	operands []word
	values   []optionValue
}

// optionValue is an option with the value that it was given.
type optionValue struct {
	option string
	value  word
}

// parse takes args apart by the rules of getopt. It reports false where an
// option is not understood. A wrapper stops at its first operand, because what
// follows belongs to the command that it runs.
func (o options) parse(args []word, wrapper bool) (parsed, bool) {
	var p parsed
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case !a.known && o.listed:
			return p, false
		case a.known && a.text == "--":
			p.operands = append(p.operands, args[i+1:]...)
			return p, true
		case !a.known, len(a.text) < 2, a.text[0] != '-':
			if wrapper {
				p.operands = args[i:]
				return p, true
			}
			p.operands = append(p.operands, a)
			continue
		}
		names, inline, takesNext, ok := o.names(a.text)
		if !ok || takesNext && i+1 == len(args) {
			return p, false
		}
		p.given = append(p.given, names...)
		last := names[len(names)-1]
		switch {
		case takesNext:
			i++
			p.values = append(p.values, optionValue{option: last, value: args[i]})
		case o.value[last]:
			a.text = inline
			p.values = append(p.values, optionValue{option: last, value: a})
		}
	}
	return p, true
}

// names returns the options in one word, the value that stands in the word
// with the last one, and whether that one takes the next word as its value.
func (o options) names(text string) (names []string, inline string, takesNext, ok bool) {
	if !o.listed {
		return []string{text}, "", false, true
	}
	name, inline, hasValue := strings.Cut(text, "=")
	if takesValue, ok := o.value[name]; ok && len(name) > 2 {
		return []string{name}, inline, takesValue && !hasValue, takesValue || !hasValue
	}
	if _, ok := o.value[anyNumber]; ok && isNumber(text[1:]) {
		return []string{anyNumber}, "", false, true
	}
	if strings.HasPrefix(text, "--") {
		return nil, "", false, false
	}
	return o.cluster(text)
}

// cluster takes -abc apart; the first letter that takes a value takes the rest.
func (o options) cluster(text string) (names []string, inline string, takesNext, ok bool) {
	for i := 1; i < len(text); i++ {
		name := "-" + text[i:i+1]
		takesValue, ok := o.value[name]
		if !ok {
			return nil, "", false, false
		}
		names = append(names, name)
		if takesValue {
			return names, text[i+1:], i+1 == len(text), true
		}
	}
	return names, "", false, true
}

func isNumber(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
