package main

import (
	"fmt"
	"slices"
	"strings"
)

// node is a value within an object, with the field that it is of.
type node struct {
	field string
	value any
	set   func(any)
}

// nodes are all values below one, those of lists under the field of their list.
func nodes(field string, value any, set func(any), all []node) []node {
	all = append(all, node{field, value, set})
	switch v := value.(type) {
	case object:
		for _, key := range sortedKeys(v) {
			all = nodes(key, v[key], func(n any) { v[key] = n }, all)
		}
	case []any:
		for i := range v {
			all = nodes(field, v[i], func(n any) { v[i] = n }, all)
		}
	}
	return all
}

func sortedKeys(o object) []string {
	keys := make([]string, 0, len(o))
	for key := range o {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// specOf is the pod spec of an object.
func specOf(o object) node {
	for _, path := range [][]string{{"spec", "jobTemplate", "spec", "template", "spec"}, {"spec", "template", "spec"}, {"spec"}} {
		within := o
		for _, key := range path[:len(path)-1] {
			within, _ = within[key].(object)
		}
		last := path[len(path)-1]
		if spec, ok := within[last].(object); ok {
			return node{"spec", spec, func(n any) { within[last] = n }}
		}
	}
	return node{}
}

// mutated is a copy of the object with some values changed; mate is one to take pieces of.
func (g *grammar) mutated(o, mate object, limit int) object {
	o = clone(o).(object)
	for range 1 + g.IntN(3) {
		spec := specOf(o)
		if spec.value == nil {
			return o
		}
		all := nodes("spec", spec.value, spec.set, nil)
		g.change(pick(g, all...), mate, limit)
	}
	return o
}

// change changes one value.
func (g *grammar) change(n node, mate object, limit int) {
	if fresh := g.fresh(n.field); fresh != nil && g.chance(15) {
		if _, isText := n.value.(string); !isText || n.field == "image" {
			n.set(fresh)
			return
		}
	}
	if g.chance(10) {
		g.borrow(n, mate)
		return
	}
	switch v := n.value.(type) {
	case string:
		n.set(g.changedText(v, limit))
	case []any:
		n.set(g.changedList(n.field, v, limit))
	case object:
		field := pick(g, g.fieldNames()...)
		switch {
		case strings.HasSuffix(n.field, "ontainers"):
			field = pick(g, g.containerFields()...)
			v[field] = g.fresh(field)
		case g.chance(30) && len(v) > 1:
			delete(v, pick(g, sortedKeys(v)...))
		case n.field == "spec":
			v[field] = g.fresh(field)
		}
	default:
		n.set(pick[any](g, 0, 1, -1, 80, 1<<31-1, 1<<40, "a", nil))
	}
}

// borrow takes a value of the same field from another object.
func (g *grammar) borrow(n node, mate object) {
	var same []node
	for _, other := range nodes("", mate, nil, nil) {
		if other.field == n.field && fmt.Sprintf("%T", other.value) == fmt.Sprintf("%T", n.value) {
			same = append(same, other)
		}
	}
	if len(same) > 0 {
		n.set(clone(pick(g, same...).value))
	}
}

func (g *grammar) changedText(text string, limit int) string {
	at := func() int { return g.IntN(len(text) + 1) }
	from := at()
	to := from + g.IntN(len(text)-from+1)
	switch g.IntN(9) {
	case 0:
		return text[:from] + text[to:]
	case 1, 2:
		return text[:from] + strings.Repeat(text[from:to], times(g, limit, to-from)) + text[to:]
	case 3:
		return repeated(text, times(g, limit, len(text)), pick(g, "", ";", "\n", " "))
	case 4:
		return text[:from] + g.noise() + text[to:]
	case 5:
		return text[:from] + g.word() + text[from:]
	case 6:
		return text[:from] + g.script(3) + text[to:]
	case 7:
		opening, closing := pick(g, pair{"(", ")"}, pair{"$(", ")"}, pair{"{ ", "; }"}, pair{`"`, `"`}, pair{"$((", "))"}, pair{"${a:-", "}"}, pair{"`", "`"}, pair{"! ", ""}, pair{"if a; then ", "; fi"}).both()
		n := times(g, min(limit, 2000), 1)
		return text[:from] + strings.Repeat(opening, n) + text[from:to] + strings.Repeat(closing, n) + text[to:]
	}
	return text[:from] + g.shellWord(3) + text[to:]
}

type pair [2]string

func (p pair) both() (string, string) { return p[0], p[1] }

// repeated is a text n times, with something between.
func repeated(text string, n int, between string) string {
	return strings.TrimSuffix(strings.Repeat(text+between, n), between)
}

// times is how often something may be repeated within a limit of bytes.
func times(g *grammar, limit, size int) int {
	most := max(2, limit/max(1, size))
	return min(most, 2<<g.IntN(12))
}

func (g *grammar) changedList(field string, all []any, limit int) []any {
	if len(all) == 0 || g.chance(20) {
		if fresh, ok := g.fresh(field).([]any); ok {
			return append(all, fresh...)
		}
		return append(all, g.word())
	}
	at := g.IntN(len(all))
	if g.chance(25) {
		return slices.Delete(all, at, at+1)
	}
	size := len(text(all[at])) + 1
	return slices.Insert(all, at, copies(all[at], times(g, limit, size), len(all))...)
}

// copies are n copies of an item. Those with a name get one of their own.
func copies(item any, n, from int) []any {
	all := make([]any, n)
	for i := range all {
		all[i] = clone(item)
		if o, ok := all[i].(object); ok && o["name"] != nil {
			o["name"] = fmt.Sprint(o["name"], from+i)
		}
	}
	return all
}
