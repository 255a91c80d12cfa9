package main

import (
	"encoding/json"
)

// grown is the object with its largest lists and texts repeated until it has about so many bytes.
func (g *grammar) grown(o object, size int) object {
	o = clone(o).(object)
	for range 8 {
		now := len(text(o))
		spec := specOf(o)
		if now >= size*3/4 || spec.value == nil {
			break
		}
		most, weight := g.largest(spec)
		if weight == 0 {
			break
		}
		factor := max(2, (size-now)/weight)
		switch v := most.value.(type) {
		case []any:
			most.set(g.multiplied(v, factor))
		case string:
			most.set(repeated(v, min(factor, pick(g, factor, 1<<g.IntN(12))), pick(g, "", ";", "\n", " ")))
		}
	}
	return o
}

// largest is one of the largest lists and texts below a node, with its bytes; of 0 bytes where there is none.
func (g *grammar) largest(below node) (best node, weight int) {
	most := 0
	for _, n := range nodes(below.field, below.value, below.set, nil) {
		_, isList := n.value.([]any)
		_, isText := n.value.(string)
		size := len(text(n.value))
		if score := size * (50 + g.IntN(100)); (isList || isText) && score > most {
			best, weight, most = n, size, score
		}
	}
	return best, weight
}

// multiplied is a list several times: up to as many items as there may be containers, or more.
func (g *grammar) multiplied(all []any, factor int) []any {
	factor = min(factor, 1+pick(g, factor, 1000, 2000)/max(1, len(all)))
	var more []any
	for i, item := range all {
		more = append(more, copies(item, factor, i*factor)...)
	}
	return more
}

func clone(v any) any {
	switch v := v.(type) {
	case object:
		c := make(object, len(v))
		for key, item := range v {
			c[key] = clone(item)
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i := range v {
			c[i] = clone(v[i])
		}
		return c
	}
	return v
}

// text is a value as JSON.
func text(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil { // there are strings, numbers, maps and lists alone
		panic(err)
	}
	return raw
}
