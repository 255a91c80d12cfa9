package memory

import (
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/facts/command"
)

// javaAsks is the heap that the JVM of the container may grow to.
func javaAsks(started command.Invocation, e variables, r reader, limit Quantity) []Ask {
	switch {
	case started.Program() == "java":
		var h heap
		h.read(e, ReadFirst)
		h.read(e, ReadByLauncher)
		h.words(javaOptions(started.Words[1:]), "")
		h.read(e, ReadLast)
		return h.asks(limit, e.more)
	case r.listed:
		var h heap
		for _, name := range r.reads {
			for _, v := range e.java {
				if v.name == name {
					h.variable(v)
				}
			}
		}
		return h.asks(limit, r.assumes || e.more)
	}
	return leastHeap(e, limit)
}

func (h *heap) read(e variables, when When) {
	for _, v := range e.java {
		if v.when == when {
			h.variable(v)
		}
	}
}

func (h *heap) variable(v javaVariable) {
	if v.unknown {
		*h = heap{unclear: true}
		return
	}
	h.words(v.words(), v.name)
}

// leastHeap is the heap of a JVM where it is not known which of the variables it reads: the least that
// one of them allows, since any of them may be the one that counts.
func leastHeap(e variables, limit Quantity) []Ask {
	var least []Ask
	for _, v := range e.java {
		var h heap
		h.variable(v)
		if h.unclear || h.contradiction {
			return nil
		}
		asks := h.asks(limit, true)
		if len(asks) > 0 && (len(least) == 0 || asks[0].Bytes < least[0].Bytes) {
			least = asks
		}
	}
	return least
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
