package command

import (
	"path"
	"slices"
	"strings"
)

// opened is the outcome of a program that opens its operands: a device or a
// file of the kernel may never end.
func (b *process) opened(name string, operands []word, o outcome) outcome {
	for _, w := range operands {
		switch {
		case !w.known:
			return unclear(name, operands)
		case len(b.Files) > 0 && !slices.Contains(b.Files, w.text):
			absent := doubtful(external, "it is not known whether the files of ", name, " exist")
			absent.status, absent.because = failure, o.because // without them it fails
			return absent
		case len(b.Files) == 0 && !isPlain(w.text):
			return doubtful(external, "it is not known whether "+shorten(w.text)+" lets ", name, " end")
		}
	}
	if !*b.Ends && len(operands) == 0 {
		return unclear(name, operands)
	}
	return o
}

// isPlain reports whether a path can be taken for an ordinary file. The
// directories of the kernel hold what blocks or never ends; a relative path
// counts as if it stood below the root, too.
func isPlain(file string) bool {
	clean := path.Clean("/" + file)
	if clean == "/" || strings.Contains(file, "..") {
		return false
	}
	first, _, _ := strings.Cut(clean[1:], "/")
	return first != "dev" && first != "proc" && first != "sys"
}

// waiting is the outcome of sleep: its operands add up.
func waiting(name string, operands []word, o outcome) outcome {
	total := int64(0)
	for _, w := range operands {
		seconds, forever, ok := parseDuration(w.text)
		if !w.known || !ok {
			return unclear(name, operands)
		}
		if forever {
			o.ways = stays
		}
		total = addSeconds(total, seconds)
	}
	switch {
	case len(operands) == 0:
		return unclear(name, operands)
	case total >= foreverSeconds:
		o.ways = stays
	}
	if o.ways == stays {
		o.because = waitsOn(o.because, operands)
		return o
	}
	o.wait, o.because.seconds = total, total
	return o
}

// waitsOn says how long a wait is that has an end which nobody waits for.
func waitsOn(because clause, operands []word) clause {
	if slices.ContainsFunc(operands, func(w word) bool { return isInfinity(w.text) }) {
		return because
	}
	written := make([]string, 0, maxQuoted)
	for _, w := range operands[:min(len(operands), maxQuoted)] {
		written = append(written, w.text)
	}
	because.after += " for " + shorten(strings.Join(written, " ")) + ", as good as without end"
	because.whole = true
	return because
}

// maxQuoted is how many operands are quoted.
const maxQuoted = 3
