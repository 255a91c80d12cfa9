package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// The colours of the demo, as terminals number them.
const (
	bold   = "1"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
	grey   = "90"
)

// printer writes what the demo shows, in colour on a terminal.
type printer struct {
	w      io.Writer
	colour bool
}

// newPrinter colours what goes to a terminal, unless NO_COLOR is set.
func newPrinter(f *os.File) *printer {
	colour := term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return &printer{w: f, colour: colour}
}

// line prints one line. The demo has nowhere to report that its own output
// cannot be written, so such an error is dropped here, in one place.
func (p *printer) line(format string, args ...any) {
	_, _ = fmt.Fprintf(p.w, format+"\n", args...)
}

// paint colours a text.
func (p *printer) paint(code, text string) string {
	if !p.colour {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// step says what is being done before it is done, and how long it took.
func (p *printer) step(what string, do func() error) error {
	p.line("%s", p.paint(grey, "… "+what))
	begin := time.Now()
	if err := do(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	p.line("%s", p.paint(grey, fmt.Sprintf("  done in %.1fs", time.Since(begin).Seconds())))
	return nil
}

// part begins a part of the demo.
func (p *printer) part(title string) {
	p.line("\n%s\n", p.paint(bold, "=== "+title+" ==="))
}

// manifest prints what the person sees who applies one.
func (p *printer) manifest(e example, r result, want outcome) {
	p.line("%s", p.paint(bold, "--- "+e.file))
	p.line("%s", e.title)
	p.line("\n%s", p.paint(cyan, "$ kubectl apply -f "+e.file))
	p.line("%s", strings.TrimRight(r.output, "\n"))
	if r.diff != "" {
		p.line("\nwhat forestall changed:")
		p.diff(r.diff)
	}
	verdict := p.paint(r.outcome.colour(), strings.ToUpper(string(r.outcome)))
	if r.outcome != want {
		verdict += p.paint(red, fmt.Sprintf("  MISMATCH: the header of %s expects %s", e.file, want))
	}
	p.line("\n=> %s\n", verdict)
}

// diff prints a unified diff without the line that repeats the two names.
func (p *printer) diff(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "diff "):
		case strings.HasPrefix(line, "+"):
			p.line("%s", p.paint(green, line))
		case strings.HasPrefix(line, "-"):
			p.line("%s", p.paint(red, line))
		default:
			p.line("%s", line)
		}
	}
}

// summary prints how often each outcome was seen in a part.
func (p *printer) summary(title string, t tally) {
	counts := make([]string, 0, len(outcomes()))
	for _, o := range outcomes() {
		counts = append(counts, p.paint(o.colour(), fmt.Sprintf("%d %s", t.seen[o], o)))
	}
	if n := t.seen[failed]; n > 0 {
		counts = append(counts, p.paint(red, fmt.Sprintf("%d failed", n)))
	}
	p.line("%-24s %s", title+":", strings.Join(counts, ", "))
	for _, file := range t.mismatches {
		p.line("  %s", p.paint(red, "MISMATCH: "+file))
	}
}

// colour is the colour that an outcome is printed in.
func (o outcome) colour() string {
	switch o {
	case denied, failed:
		return red
	case patched:
		return cyan
	case warned:
		return yellow
	default:
		return green
	}
}
