package main

import (
	"context"
	"io"
	"os"
	"sync"

	"golang.org/x/term"

	"github.com/forestall/forestall/internal/terminal"
)

// streams are where a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
	// changing is held while a file is changed; nil where nobody waits for that.
	changing *sync.Mutex
	// name is how the program is called in help; empty for its own.
	name string
	// quiet leaves out notes and progress.
	quiet bool
}

// whole makes one change of a file, unless the command was interrupted before. An interrupted
// command does not end before it is made.
func (s streams) whole(ctx context.Context, change func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.changing != nil {
		s.changing.Lock()
		defer s.changing.Unlock()
	}
	return change()
}

// widest is how wide a table gets where nobody knows how wide the screen is, as in a pipe.
const widest = 160

// screen describes the place that text for people is written to.
func (s streams) screen() terminal.Screen {
	fd, ok := terminalOf(s.out)
	if !ok {
		return terminal.Screen{Width: widest}
	}
	width, _, err := term.GetSize(fd)
	if err != nil || width <= 0 {
		width = widest
	}
	return terminal.Screen{Width: width, Colour: os.Getenv("NO_COLOR") == "" && !dumb()}
}

// wrapped breaks what is told on stderr between words, if that is a terminal.
func (s streams) wrapped(text string) string {
	fd, ok := terminalOf(s.err)
	if !ok {
		return text
	}
	width, _, err := term.GetSize(fd)
	if err != nil {
		return text
	}
	return terminal.Screen{Width: max(width, 0)}.Wrap(text)
}

// terminalOf returns the descriptor of a stream that is a terminal.
func terminalOf(w io.Writer) (fd int, ok bool) {
	file, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(int(file.Fd())) {
		return 0, false
	}
	return int(file.Fd()), true
}

// dumb reports whether the terminal knows no escape sequences.
func dumb() bool { return os.Getenv("TERM") == "dumb" }
