package helm

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"

	"helm.sh/helm/v4/pkg/chart/common"
)

// markFunction is the function that marked templates call. It writes the line on which it stands between two bytes that YAML
// cannot have (https://yaml.org/spec/1.2.2/#51-character-set).
const (
	markFunction = "forestall_line"
	markBegin    = "\x00forestall:"
	markEnd      = "\x00"
)

// marker puts marks into templates. The zero value has marked none.
type marker struct {
	files []*common.File
	// of are the files of the names that templates run under: a chart with two aliases has two names for each.
	of map[string]*common.File
}

func (m *marker) add(name string, f *common.File) {
	if m.of == nil {
		m.of = map[string]*common.File{}
	}
	m.of[name] = f
}

// marked returns the text of a template with a mark before everything that it writes: the lines of its text, and what its actions
// put there. What it defines for others is left alone, since they may do something else with it than write it. A template that
// cannot be read is returned as it is.
func (m *marker) marked(f *common.File, text string) string {
	t := parse.New("")
	t.Mode = parse.SkipFuncCheck
	if _, err := t.Parse(text, "", "", map[string]*parse.Tree{}); err != nil || t.Root == nil {
		return text
	}
	w := marks{text: text}
	w.list(t.Root)
	if w.lost {
		return text
	}
	slices.SortStableFunc(w.at, func(a, b int) int { return a - b })
	m.files = append(m.files, f)
	var b strings.Builder
	line, before := 1, 0
	for _, at := range slices.Compact(w.at) {
		line += strings.Count(text[before:at], "\n")
		b.WriteString(text[before:at])
		fmt.Fprintf(&b, "{{%s $ %d %d}}", markFunction, len(m.files)-1, w.line(at, line))
		before = at
	}
	b.WriteString(text[before:])
	return b.String()
}

// marks are the places in a template where it begins to write something else.
type marks struct {
	text string
	at   []int
	// actions are the lines below the mark on which actions begin, whose mark stands before the space that they cut away.
	actions map[int]int
	// lost is set where a place cannot be told.
	lost bool
}

// line returns the line that a mark stands for, which is on another one itself.
func (w *marks) line(at, line int) int { return line + w.actions[at] }

func (w *marks) list(l *parse.ListNode) {
	if l == nil {
		return
	}
	for _, n := range l.Nodes {
		switch n := n.(type) {
		case *parse.TextNode:
			w.lines(int(n.Pos), string(n.Text))
		case *parse.ActionNode:
			w.action(int(n.Pos))
		case *parse.TemplateNode:
			w.action(int(n.Pos))
		case *parse.IfNode:
			w.list(n.List)
			w.list(n.ElseList)
		case *parse.WithNode:
			w.list(n.List)
			w.list(n.ElseList)
		case *parse.RangeNode:
			w.list(n.List)
			w.list(n.ElseList)
		}
	}
}

// lines marks each line of a text.
func (w *marks) lines(at int, text string) {
	if at > len(w.text) || !strings.HasPrefix(w.text[at:], text) {
		w.lost = true
		return
	}
	for i := range len(text) {
		if i == 0 || text[i-1] == '\n' {
			w.at = append(w.at, at+i)
		}
	}
}

// action marks an action. Where it cuts away the space before it, the mark stands before that space.
func (w *marks) action(within int) {
	if within > len(w.text) {
		w.lost = true
		return
	}
	at := strings.LastIndex(w.text[:within], "{{")
	if at < 0 {
		w.lost = true
		return
	}
	before := at
	if trim := w.text[at+2:]; len(trim) > 1 && trim[0] == '-' && strings.ContainsRune(" \t\r\n", rune(trim[1])) {
		before = len(strings.TrimRight(w.text[:at], " \t\r\n"))
	}
	if below := strings.Count(w.text[before:at], "\n"); below > 0 {
		if w.actions == nil {
			w.actions = map[int]int{}
		}
		w.actions[before] = below
	}
	w.at = append(w.at, before)
}

// mark is what the function writes: nothing where the template is included by another one.
func (m *marker) mark(scope any, file, line int) string {
	if name := running(scope); name == "" || m.of[name] != m.files[file] {
		return ""
	}
	return markBegin + strconv.Itoa(line) + markEnd
}

// running returns the name of the template that runs.
func running(scope any) string {
	top, _ := table(scope)
	template, _ := table(top["Template"])
	name, _ := template["Name"].(string)
	return name
}

func table(v any) (map[string]any, bool) {
	switch v := v.(type) {
	case map[string]any:
		return v, true
	case common.Values:
		return v, true
	}
	return nil, false
}

// unmarked returns a text without its marks, and for each of its lines the line of the template that wrote the first
// of it that is no space; 0 where that is not known.
func (m *marker) unmarked(text string) (without string, lines []int) {
	var b strings.Builder
	at, settled := 0, false
	lines = append(lines, 0)
	for len(text) > 0 {
		if rest, ok := strings.CutPrefix(text, markBegin); ok {
			number, rest, ok := strings.Cut(rest, markEnd)
			if line, err := strconv.Atoi(number); ok && err == nil {
				at, text = line, rest
				continue
			}
		}
		c := text[0]
		text = text[1:]
		b.WriteByte(c)
		if !settled {
			lines[len(lines)-1] = at
			settled = c != ' ' && c != '\t' && c != '\r'
		}
		if c == '\n' {
			lines, settled = append(lines, at), false
		}
	}
	return b.String(), lines
}
