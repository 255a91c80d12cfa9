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

	mu sync.Mutex
	at stagePoint
}

// stagePoint is how far a stage is.
type stagePoint struct {
	stage       audit.Stage
	began       time.Time
	done, total int
}

// startProgress returns a progress that shows nothing unless stderr is a terminal
// that can erase a line.
func (a app) startProgress() *progress {
	p := &progress{done: make(chan struct{}), at: stagePoint{stage: "starting", began: time.Now()}}
	if _, ok := terminalOf(a.err); ok && !dumb() && !a.quiet {
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
	if stage != p.at.stage {
		p.at = stagePoint{stage: stage, began: time.Now()}
	}
	p.at.done, p.at.total = max(p.at.done, done), total // several report at once
}

// text says how far the stage is at a moment, how fast it goes, and how long it takes from now on.
func (s stagePoint) text(now time.Time) string {
	if s.done == 0 {
		return string(s.stage) + "…"
	}
	text := fmt.Sprintf("%s: %d", s.stage, s.done)
	if s.total > 0 {
		text += fmt.Sprintf(" of %d", s.total)
	}
	passed := now.Sub(s.began)
	if passed < time.Second {
		return text
	}
	perSecond := float64(s.done) / passed.Seconds()
	text += fmt.Sprintf(", %.0f a second", perSecond)
	if left := float64(s.total - s.done); left > 0 {
		text += fmt.Sprintf(", %s left", time.Duration(left/perSecond*float64(time.Second)).Round(time.Second))
	}
	return text
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
			text := p.at.text(time.Now())
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
