package memory

import (
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/facts/command"
)

// nodeAsks is the old generation of the heap of Node.js. The command line wins over NODE_OPTIONS.
func nodeAsks(started command.Invocation, e variables, r reader) []Ask {
	var asks []Ask
	if r.mayRead(nodeOptions) {
		asks = oldSpace(e.node.words(), nodeOptions)
	}
	for i := range asks {
		asks[i].Assumed = r.assumes
	}
	if isNode(started.Program()) {
		if own := oldSpace(beforeScript(started.Words[1:]), ""); len(own) > 0 {
			asks = own
		}
	}
	return asks
}

// beforeScript are the options of Node.js itself, not those of the script.
func beforeScript(words []command.Word) []command.Word {
	for i, w := range words {
		if !w.Known || !strings.HasPrefix(w.Text, "-") {
			return words[:i]
		}
	}
	return words
}

func oldSpace(words []command.Word, variable string) []Ask {
	var asks []Ask
	for _, w := range words {
		name, value, _ := strings.Cut(w.Text, "=")
		bytes, ok := mebibytes(value)
		if !ok || strings.ReplaceAll(name, "_", "-") != "--max-old-space-size" {
			continue
		}
		o := option{text: w.Text, from: origin{path: w.Path, variable: variable}}
		asks = []Ask{{
			Kind: OldSpace, Bytes: bytes, Text: o.shown(), Flag: name, Variable: variable, Path: w.Path,
		}}
	}
	return asks
}

// ceiling is an option of a program that bounds the memory which it keeps data in.
type ceiling struct {
	Programs []string `json:"programs"`
	Options  []string `json:"options"`
	// Before is what stands before the amount within the value.
	Before string `json:"before"`
	// Units are the bytes of each unit, in lower case; the empty one is that of a bare number.
	Units  map[string]int64 `json:"units"`
	Source string           `json:"source"`
}

// ceilingAsks are the bounds of what a program of the table keeps in memory.
func (t Table) ceilingAsks(started command.Invocation) []Ask {
	var asks []Ask
	for _, c := range t.ceilings {
		if !slices.Contains(c.Programs, started.Program()) {
			continue
		}
		eachOption(started.Words[1:], func(flag string, value command.Word) {
			text, ok := strings.CutPrefix(value.Text, c.Before)
			bytes, isAmount := amount(strings.ToLower(text), c.Units)
			if ok && isAmount && slices.Contains(c.Options, flag) {
				asks = []Ask{{Kind: Data, Bytes: bytes, Text: flag + " " + value.Text, Flag: flag, Path: value.Path}}
			}
		})
	}
	return asks
}

// eachOption calls visit with each option and its value, which stands behind = or is the word after it.
func eachOption(words []command.Word, visit func(flag string, value command.Word)) {
	for i, w := range words {
		if !w.Known || !strings.HasPrefix(w.Text, "-") {
			continue
		}
		flag, value, inside := strings.Cut(w.Text, "=")
		switch {
		case inside:
			visit(flag, command.Word{Text: value, Known: true, Path: w.Path})
		case i+1 < len(words) && words[i+1].Known:
			visit(flag, words[i+1])
		}
	}
}

// stressDefault is what one worker takes where --vm-bytes is left out (stress --help, stress-ng(1)).
const stressDefault = 256 << 20

// takesLess reports whether a word of the command line is not known, or means that
// not every page is touched.
func takesLess(w command.Word) bool {
	name, _, _ := strings.Cut(w.Text, "=")
	return !w.Known || slices.Contains([]string{"--vm-stride", "--dry-run", "-n"}, name)
}

// stressTotal is what the stress of the image vish/stress takes: pieces are written until they make up the total, a
// quantity of Kubernetes (https://github.com/vishh/stress/blob/master/main.go).
func stressTotal(started command.Invocation) []Ask {
	var asks []Ask
	eachOption(started.Words[1:], func(flag string, value command.Word) {
		bytes, ok := amount(value.Text, map[string]int64{
			"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40,
		})
		if ok && (flag == "-mem-total" || flag == "--mem-total") {
			asks = []Ask{{
				Kind: Workers, Bytes: bytes, Text: "stress " + flag + " " + value.Text, Flag: flag, Path: value.Path, Taken: true,
			}}
		}
	})
	return asks
}

// stressAsks is what the workers of stress take. In stress each takes all of
// --vm-bytes; in stress-ng they share it (stress-vm.c divides it by the instances).
func stressAsks(started command.Invocation) []Ask {
	program := started.Program()
	if program != "stress" && program != "stress-ng" {
		return nil
	}
	if slices.ContainsFunc(started.Words, takesLess) {
		return nil
	}
	if asks := stressTotal(started); len(asks) > 0 {
		return asks
	}
	workers, each := int64(0), int64(stressDefault)
	text, path, readable := []string{program}, started.Words[0].Path, true
	eachOption(started.Words[1:], func(flag string, value command.Word) {
		var ok bool
		switch flag {
		case "--vm", "-m":
			workers, ok = amount(value.Text, map[string]int64{"": 1})
		case "--vm-bytes":
			each, ok = stressBytes(value.Text)
			path = value.Path
		default:
			return
		}
		readable = readable && ok
		text = append(text, flag, value.Text)
	})
	const most = 1 << 16 // workers; no machine runs more
	if !readable || workers == 0 || workers > most || each > 1<<46 {
		return nil
	}
	bytes := each
	if program == "stress" {
		bytes *= workers
	}
	return []Ask{{Kind: Workers, Bytes: bytes, Text: strings.Join(text, " "), Flag: "--vm-bytes", Path: path, Taken: true}}
}
