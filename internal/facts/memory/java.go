package memory

import (
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/facts/command"
)

// option is one option of the JVM that sets the heap.
type option struct {
	bytes   int64
	percent float64
	text    string
	flag    string
	from    origin
}

// origin is where an option was read: a word of the command line or a variable.
type origin struct{ path, variable string }

// heap is what the options come to, in the order in which the JVM reads them: the last one wins.
type heap struct {
	most, first   *option // -Xmx, -Xms
	percent       *option // -XX:MaxRAMPercentage
	firstPercent  *option
	machine       *option // -XX:MaxRAM
	touched       bool    // -XX:+AlwaysPreTouch
	unclear       bool    // an option that is not followed, or memory that does not count as the container's
	contradiction bool    // two variables say different things, and a script decides
}

// javaAsks is the heap that the JVM of the container may grow to.
func javaAsks(started command.Invocation, e variables, limit Quantity) []Ask {
	program := started.Program()
	direct := program == "java"
	if !direct && (started.Familiar || isOther(program)) {
		return nil
	}
	var h heap
	h.read(e, ReadFirst)
	if direct {
		h.read(e, ReadByLauncher)
		h.words(javaOptions(started.Words[1:]), "")
	} else {
		h.read(e, ReadByLauncher)
		h.scripts(e)
	}
	h.read(e, ReadLast)
	return h.asks(limit)
}

// isOther reports whether a program is one that is known to start no JVM.
func isOther(program string) bool {
	return slices.Contains([]string{"node", "nodejs", "redis-server", "valkey-server", "stress", "stress-ng"}, program)
}

func (h *heap) read(e variables, when When) {
	for _, v := range e.java {
		if v.when == when {
			h.words(v.words(), v.name)
		}
	}
}

// scripts reads the variables that start scripts put on the command line. In
// which order, only the script knows.
func (h *heap) scripts(e variables) {
	var seen *option
	for _, v := range e.java {
		if v.when != ReadByScript {
			continue
		}
		h.words(v.words(), v.name)
		if h.most != nil && seen != nil && h.most.bytes != seen.bytes {
			h.contradiction = true
		}
		if h.most != nil && h.most.from.variable == v.name {
			seen = h.most
		}
	}
}

// javaOptions are the words before the main class or the JAR file.
func javaOptions(words []command.Word) []command.Word {
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case !w.Known:
			continue
		case w.Text == "-jar", w.Text == "-m", w.Text == "--module", !strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "@"):
			return words[:i]
		case slices.Contains(javaWithValue(), w.Text):
			i++
		}
	}
	return words
}

// javaWithValue lists the options of the launcher whose value is the next word
// (the java command, "Standard Options for Java").
func javaWithValue() []string {
	return []string{
		"-cp", "-classpath", "--class-path", "-p", "--module-path", "--upgrade-module-path", "--add-modules", "--add-reads",
		"--add-exports", "--add-opens", "--limit-modules", "--patch-module", "--enable-native-access", "-d", "--describe-module",
	}
}

func (h *heap) words(words []command.Word, variable string) {
	for _, w := range words {
		if !w.Known || strings.HasPrefix(w.Text, "@") {
			// It may hold the same options again.
			*h = heap{unclear: true}
			continue
		}
		h.option(w.Text, origin{path: w.Path, variable: variable})
	}
}

func (h *heap) option(text string, from origin) {
	name, value, _ := strings.Cut(text, "=")
	set := func(to **option, read func(string) (int64, bool), flag, value string) {
		bytes, ok := read(value)
		if !ok {
			return
		}
		*to = &option{bytes: bytes, text: text, flag: flag, from: from}
	}
	share := func(to **option, value string) {
		if percent, ok := percentage(value); ok {
			*to = &option{percent: percent, text: text, flag: name, from: from}
		}
	}
	switch {
	case strings.HasPrefix(text, "-Xmx"):
		h.unclear = false
		set(&h.most, javaBytes, "-Xmx", text[len("-Xmx"):])
	case name == "-XX:MaxHeapSize":
		h.unclear = false
		set(&h.most, javaBytes, name, value)
	case strings.HasPrefix(text, "-Xms"):
		set(&h.first, javaBytes, "-Xms", text[len("-Xms"):])
	case name == "-XX:InitialHeapSize":
		set(&h.first, javaBytes, name, value)
	case name == "-XX:MaxRAM":
		set(&h.machine, javaBytes, name, value)
	case name == "-XX:MaxRAMPercentage":
		share(&h.percent, value)
	case name == "-XX:MaxRAMFraction": // before Java 10: one part of so many
		if parts, ok := amount(value, map[string]int64{"": 1}); ok {
			h.percent = &option{percent: 100 / float64(parts), text: text, flag: name, from: from}
		}
	case name == "-XX:InitialRAMPercentage":
		share(&h.firstPercent, value)
	case text == "-XX:+AlwaysPreTouch":
		h.touched = true
	case text == "-XX:-AlwaysPreTouch":
		h.touched = false
	case text == "-XX:+UseLargePages", text == "-XX:+UseHugeTLBFS":
		// Huge pages have a limit of their own.
		h.contradiction = true
	}
}

// defaultPercent is the share of the memory that the heap takes where nothing is
// said (MaxRAMPercentage in the java command).
const defaultPercent = 25

func (h *heap) asks(limit Quantity) []Ask {
	switch {
	case h.unclear, h.contradiction:
		return nil
	case h.most != nil:
		return []Ask{h.most.ask(h.touched && h.first != nil && h.first.bytes >= h.most.bytes)}
	case h.first != nil:
		return []Ask{h.first.ask(h.touched)}
	case h.machine != nil:
		o := *h.machine
		percent := float64(defaultPercent)
		if h.percent != nil {
			percent = h.percent.percent
			o.text += " " + h.percent.text
		}
		o.bytes = share(o.bytes, percent)
		return []Ask{o.ask(false)}
	case h.percent != nil && limit.Bytes > 0:
		o := *h.percent
		o.bytes = share(limit.Bytes, o.percent)
		return []Ask{o.ask(h.touched && h.firstPercent != nil && h.firstPercent.percent >= o.percent)}
	}
	return nil
}

func share(bytes int64, percent float64) int64 { return int64(float64(bytes) * percent / 100) }

func (o option) ask(taken bool) Ask {
	return Ask{
		Kind: Heap, Bytes: o.bytes, Percent: o.percent, Text: o.shown(), Flag: o.flag,
		Variable: o.from.variable, Path: o.from.path, Taken: taken,
	}
}

// shown is the option, and the variable that it stands in.
func (o option) shown() string {
	if o.from.variable == "" {
		return o.text
	}
	return o.text + " in " + o.from.variable
}
