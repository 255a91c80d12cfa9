package memory

import (
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
	unclear       bool    // an option that is not followed
	contradiction bool    // memory that does not count as the container's
}

func (h *heap) words(words []command.Word, variable string) {
	for _, w := range words {
		if !w.Known || isFile(w.Text) {
			// It may hold the same options again.
			*h = heap{unclear: true}
			continue
		}
		h.option(w.Text, origin{path: w.Path, variable: variable})
	}
}

// isFile reports whether a word names a file with options.
func isFile(word string) bool {
	return strings.HasPrefix(word, "@") || strings.HasPrefix(word, "-XX:VMOptionsFile=") || strings.HasPrefix(word, "-XX:Flags=")
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

// asks are what the options come to. They are assumed where a variable holds them that may not be read.
func (h *heap) asks(limit Quantity, assumed bool) []Ask {
	asks := h.demands(limit)
	for i := range asks {
		// A JVM before Java 9 does not read this one.
		asks[i].Assumed = asks[i].Variable != "" && (assumed || asks[i].Variable == launcherOptions)
	}
	return asks
}

func (h *heap) demands(limit Quantity) []Ask {
	switch {
	case h.unclear, h.contradiction:
		return nil
	case h.most != nil:
		return h.bounded()
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

// bounded is the largest heap, and before it what is touched at the start where that is less. A JVM whose
// heap begins larger than it may be does not start at all (OpenJDK, Arguments::check_vm_args_consistency and
// GCArguments::initialize_heap_flags_and_sizes): it takes nothing.
func (h *heap) bounded() []Ask {
	most := h.most.ask(false)
	if h.first == nil {
		return []Ask{most}
	}
	most.Start = h.first.bytes
	switch {
	case h.first.bytes > h.most.bytes:
		return nil
	case h.first.bytes == h.most.bytes:
		most.Taken = h.touched
		return []Ask{most}
	case !h.touched:
		return []Ask{most}
	}
	first := h.first.ask(true)
	first.Text += " with -XX:+AlwaysPreTouch"
	first.Start, first.Most = first.Bytes, most.Bytes
	return []Ask{most, first}
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
