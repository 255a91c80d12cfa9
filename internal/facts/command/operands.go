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
			return doubtful(external, "it is not known whether the files of ", name, " exist")
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
	forever := false
	for _, w := range operands {
		seconds, inf, ok := parseDuration(w.text)
		if !w.known || !ok {
			return unclear(name, operands)
		}
		forever = forever || inf
		o.wait = addSeconds(o.wait, seconds)
	}
	switch {
	case len(operands) == 0:
		return unclear(name, operands)
	case forever:
		o.ways, o.wait = stays, 0
	default:
		o.because.seconds = o.wait
	}
	return o
}
