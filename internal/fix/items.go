package fix

import (
	"bytes"
	"reflect"
	"strings"
)

// items changes a sequence where it differs: what is the same at its beginning and
// its end stays as it is written.
func (w *writer) items(n *node, old, value []any) error {
	first, last := 0, 0
	for first < min(len(old), len(value)) && reflect.DeepEqual(old[first], value[first]) {
		first++
	}
	for last < min(len(old), len(value))-first && reflect.DeepEqual(old[len(old)-1-last], value[len(value)-1-last]) {
		last++
	}
	more, fresh := old[first:len(old)-last], value[first:len(value)-last]
	same := min(len(more), len(fresh))
	for i := range same {
		if err := w.replace(n.items[first+i], replacement{old: more[i], value: fresh[i]}); err != nil {
			return err
		}
	}
	switch {
	case len(more) > same && n.flow:
		w.removeFlow(n, first+same, first+len(more)-1)
	case len(fresh) > same:
		return w.addItems(n, first+same, fresh[same:])
	}
	for i := first + same; i < first+len(more) && !n.flow; i++ {
		if err := w.remove(n.items[i]); err != nil {
			return err
		}
	}
	return nil
}

// addItems puts items into a sequence that has some, before the one at a position.
func (w *writer) addItems(n *node, at int, items []any) error {
	if n.flow {
		f := w.flowNear(n)
		var parts []string
		for _, item := range items {
			parts = append(parts, f.value(item))
		}
		separator := f.comma
		if multiline(w.text, n) {
			separator = "," + w.style.newline + indentOf(w.text, n.items[0].start)
		}
		if at == 0 {
			w.put(n.items[0].start, strings.Join(parts, separator)+separator)
		} else {
			w.append(n.items[at-1].end, separator, parts)
		}
		return nil
	}
	b := blockText{style: w.style, quote: quotesOf(n)}
	lines := b.list(items, n.column)
	if at > 0 {
		w.after(n.items[at-1].end, lines, n.column)
		return nil
	}
	start := lineStart(w.text, n.start)
	if len(bytes.TrimSpace(w.text[start:n.start])) > 0 {
		return errUnlike // it begins behind the dash of another
	}
	w.put(start, strings.Join(lines, w.style.newline)+w.style.newline)
	return nil
}

// remove takes an entry out of a mapping, or an item out of a sequence.
func (w *writer) remove(n *node) error {
	all := n.parent
	i := indexOf(all, n)
	if len(all.items) == 1 || i < 0 {
		return errUnlike // an empty collection is written in another way
	}
	if all.flow {
		w.removeFlow(all, i, i)
		return nil
	}
	start := begin(all, i)
	if all.kind == sequence {
		start = w.valueFrom(n) - 1
	}
	if len(bytes.TrimSpace(w.text[lineStart(w.text, start):start])) > 0 { // behind the dash of the mapping
		if i+1 == len(all.items) {
			return errUnlike
		}
		w.edits = append(w.edits, edit{start: start, end: begin(all, i+1)})
		return nil
	}
	end := n.end
	if w.text[end-1] != '\n' {
		end, _ = nextLine(w.text, end)
	}
	w.edits = append(w.edits, edit{start: lineStart(w.text, start), end: end})
	return nil
}

// removeFlow takes out entries or items from the first to the last, but not all.
func (w *writer) removeFlow(all *node, first, last int) {
	if last+1 < len(all.items) {
		w.edits = append(w.edits, edit{start: begin(all, first), end: begin(all, last+1)})
		return
	}
	w.edits = append(w.edits, edit{start: all.items[first-1].end, end: all.items[last].end})
}

// begin returns where an entry or item begins.
func begin(all *node, i int) int {
	if all.kind == mapping {
		return all.keys[i].start
	}
	return all.items[i].start
}

func indexOf(all *node, n *node) int {
	for i, item := range all.items {
		if item == n {
			return i
		}
	}
	return -1
}
