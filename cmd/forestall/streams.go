package main

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/forestall/forestall/internal/report"
)

// streams are where a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// screen describes the place that a table is written to.
func (s streams) screen() report.Screen {
	fd, ok := terminal(s.out)
	if !ok {
		return report.Screen{}
	}
	width, _, err := term.GetSize(fd)
	if err != nil {
		width = 0
	}
	return report.Screen{Width: width, Colour: os.Getenv("NO_COLOR") == "" && !dumb()}
}

// terminal returns the descriptor of a stream that is a terminal.
func terminal(w io.Writer) (fd int, ok bool) {
	file, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(int(file.Fd())) {
		return 0, false
	}
	return int(file.Fd()), true
}

// dumb reports whether the terminal knows no escape sequences.
func dumb() bool { return os.Getenv("TERM") == "dumb" }
