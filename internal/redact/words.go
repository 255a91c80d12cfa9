package redact

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// wordPattern finds what is replaced as one: an IPv4 address, or letters and digits without a sign between them.
func wordPattern() *regexp.Regexp {
	return regexp.MustCompile(`\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b|[\pL\pN\pM]+`)
}

// words are the words and values of objects, with what stands in their place.
type words struct {
	pattern *regexp.Regexp
	classes map[string]class
	public  map[string]bool
	keep    map[string]bool
	// in are the placeholders. A word has one in all its spellings.
	in map[candidate]string
	// taken are the words of the objects, none of which can be a placeholder.
	taken map[string]bool
	// order is that in which candidates were found.
	order []candidate
	// numbers count the placeholders of each form.
	numbers map[string]int
}

// collect finds the candidates of objects.
func collect(objects []Object, public map[string]bool, keep []string) *words {
	w := &words{
		pattern: wordPattern(), classes: classes(), public: public,
		keep: map[string]bool{}, in: map[candidate]string{}, taken: map[string]bool{}, numbers: map[string]int{},
	}
	for _, k := range keep {
		for _, t := range w.pattern.FindAllString(k, -1) {
			w.keep[strings.ToLower(t)] = true
		}
	}
	for _, o := range objects {
		w.walk(o, name, func(s string, c class) string { return w.each(s, c, w.note) })
	}
	for _, c := range w.order {
		w.in[c] = w.placeholder(c)
	}
	return w
}

func (w *words) candidates() []candidate { return slices.Clone(w.order) }

// note takes in a candidate.
func (w *words) note(c candidate, written string) string {
	if _, known := w.in[c]; !known {
		w.in[c] = ""
		w.order = append(w.order, c)
	}
	w.taken[strings.ToLower(written)] = true
	return written
}

// replaced returns a copy of an object with placeholders for what is gone.
func (w *words) replaced(o Object, gone map[candidate]bool) Object {
	copied, _ := w.walk(o, name, func(s string, c class) string {
		return w.each(s, c, func(c candidate, written string) string { return w.show(c, written, gone) })
	}).(Object)
	return copied
}

// inside returns a value with placeholders for the words in it that are gone.
func (w *words) inside(s string, gone map[candidate]bool) string {
	return w.each(s, name, func(c candidate, written string) string { return w.show(c, written, gone) })
}

func (w *words) show(c candidate, written string, gone map[candidate]bool) string {
	if !gone[c] {
		return written
	}
	if c.kind == wholeValue {
		return w.in[c]
	}
	return spelled(w.in[c], written)
}

// spelled writes a placeholder as the word was written: in capitals, or with one.
func spelled(placeholder, written string) string {
	switch {
	case strings.ToUpper(written) == written && strings.ToLower(written) != written:
		return strings.ToUpper(placeholder)
	case unicode.IsUpper([]rune(written)[0]):
		return strings.ToUpper(placeholder[:1]) + placeholder[1:]
	}
	return placeholder
}

// walk returns a copy of a value with another text in place of each string.
func (w *words) walk(v any, c class, change func(string, class) string) any {
	switch v := v.(type) {
	case Object:
		copied := make(Object, len(v))
		for _, field := range slices.Sorted(maps.Keys(v)) {
			inner := v[field]
			below := w.below(c, field)
			if own, isMap := inner.(Object); isMap && ownKeys(field, own) {
				renamed := make(Object, len(own))
				for _, key := range slices.Sorted(maps.Keys(own)) {
					renamed[change(key, text)] = w.walk(own[key], below, change)
				}
				copied[field] = renamed
				continue
			}
			copied[field] = w.walk(inner, below, change)
		}
		return copied
	case []any:
		copied := make([]any, len(v))
		for i := range v {
			copied[i] = w.walk(v[i], c, change)
		}
		return copied
	case string:
		return change(v, c)
	}
	return v
}

// each returns a string with what change makes of each candidate in it.
func (w *words) each(s string, c class, change func(candidate, string) string) string {
	switch c {
	case hidden:
		return "redacted"
	case value:
		whole := candidate{kind: wholeValue, text: s}
		if s == "" || w.keep[strings.ToLower(s)] {
			return s
		}
		if shown := change(whole, s); shown != s {
			return shown
		}
		c = name
	case choice:
		if isChoice(s) {
			return s
		}
		c = text
	case amount:
		if isAmount(s) {
			return s
		}
		c = text
	case kept:
		return s
	case name, text, variable:
	}
	var b strings.Builder
	end := 0
	for _, at := range w.pattern.FindAllStringIndex(s, -1) {
		b.WriteString(s[end:at[0]])
		end = at[1]
		found := s[at[0]:end]
		if candidate, ok := w.candidate(found, c, s[:at[0]]); ok {
			found = change(candidate, found)
		}
		b.WriteString(found)
	}
	return b.String() + s[end:]
}

// candidate returns the candidate that a word is where it stands behind other text.
func (w *words) candidate(found string, c class, before string) (candidate, bool) {
	lower := strings.ToLower(found)
	switch {
	case w.keep[lower], lower == "true", lower == "false", lower == "127.0.0.1", lower == "0.0.0.0":
		return candidate{}, false
	case len(found) == 1:
		return candidate{}, false
	case isNumber(found):
		if c == text && len(found) < 6 || len(found) < 4 {
			return candidate{}, false
		}
	case w.public[lower]:
		if c == text {
			return candidate{}, false
		}
		return candidate{kind: publicWord, text: lower}, true
	case c == text && isMeasure(lower), c == text && isShortOption(found, before):
		return candidate{}, false
	}
	return candidate{kind: word, text: lower}, true
}

func isNumber(s string) bool {
	return strings.Trim(s, "0123456789") == ""
}

// isMeasure knows 128Mi, 30s, Xmx2g and v2.
func isMeasure(lower string) bool {
	return regexp.MustCompile(`^(\d{1,6}[a-z]{1,3}|xm[xsn]\d+[kmgt]?|xss\d+[km]?|v\d{1,3})$`).MatchString(lower)
}

// isShortOption knows the letters of "-ec".
func isShortOption(s, before string) bool {
	if len(s) > 3 || !strings.HasSuffix(before, "-") {
		return false
	}
	before = strings.TrimSuffix(before, "-")
	return before == "" || strings.HasSuffix(before, " ")
}

// placeholder makes one for a candidate: of the same form, and unlike all words that there are.
func (w *words) placeholder(c candidate) string {
	digits := len(c.text)
	form := func(n int) string { return "w" + strconv.Itoa(n) }
	switch {
	case c.kind == wholeValue:
		form = func(n int) string { return "value" + strconv.Itoa(n) }
	case isNumber(c.text):
		form = func(n int) string { return fmt.Sprintf("9%0*d", digits-1, n) }
	case strings.Count(c.text, ".") == 3:
		form = func(n int) string { return fmt.Sprintf("192.0.%d.%d", 2+n/250, n%250+1) }
	case digits >= 32 && strings.Trim(c.text, "0123456789abcdef") == "":
		form = func(n int) string { return fmt.Sprintf("%0*d", digits, n) }
	}
	for {
		key := form(0)
		w.numbers[key]++
		if p := form(w.numbers[key]); !w.taken[p] {
			return p
		}
	}
}
