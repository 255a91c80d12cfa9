package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/forestall/forestall/internal/audit"
)

// patience is how long a command may take before it says what it is doing.
const patience = 2 * time.Second

// progress shows on a terminal how far a long audit is.
type progress struct {
	out  io.Writer
	done chan struct{}
	gone sync.WaitGroup
	once sync.Once

	mu   sync.Mutex
	text string
}

// startProgress returns a progress that shows nothing unless stderr is a terminal
// that can erase a line.
func (a app) startProgress() *progress {
	p := &progress{done: make(chan struct{})}
	if _, ok := terminalOf(a.err); ok && !dumb() {
		p.out = a.err
		p.gone.Go(p.show)
	}
	return p
}

// report takes in how far a stage is.
func (p *progress) report(stage audit.Stage, done, total int) {
	if p.out == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = fmt.Sprintf("%s: %d of %d", stage, done, total)
	if total == 0 {
		p.text = fmt.Sprintf("%s: %d", stage, done)
	}
}

// show writes over one line until the end, and leaves no trace of it.
func (p *progress) show() {
	const erase = "\r\x1b[K"
	last := ""
	for wait := patience; ; wait = patience / 10 {
		select {
		case <-p.done:
			fmt.Fprint(p.out, last)
			return
		case <-time.After(wait):
			p.mu.Lock()
			text := p.text
			p.mu.Unlock()
			fmt.Fprint(p.out, erase+text)
			last = erase
		}
	}
}

// stop takes the text off the screen, and shows none any more.
func (p *progress) stop() {
	p.once.Do(func() { close(p.done) })
	p.gone.Wait()
}

// after returns where a command writes its result while p is shown. On a terminal the first
// of the result is the end of the progress.
func (a app) after(p *progress) io.Writer {
	if _, ok := terminalOf(a.out); !ok {
		return a.out
	}
	return stopping{a.out, p}
}

// stopping is a writer that stops a progress first.
type stopping struct {
	io.Writer
	progress *progress
}

func (s stopping) Write(p []byte) (int, error) {
	s.progress.stop()
	return s.Writer.Write(p)
}
