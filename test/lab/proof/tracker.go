package proof

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/test/lab/observe"
)

// Sighting is an expectation that came true.
type Sighting struct {
	Seen  string
	After time.Duration // since the manifest was applied
}

// Tracker holds what is observed over time against what a case expects.
type Tracker struct {
	c         Case
	awaited   []Expectation // in their order
	forbidden []Expectation
	sightings []Sighting
	last      observe.State
	broken    error
	elapsed   time.Duration
}

// NewTracker begins with nothing seen.
func NewTracker(c Case) *Tracker {
	t := &Tracker{c: c}
	for _, e := range c.Expect {
		if e.StillNot.Duration > 0 {
			t.forbidden = append(t.forbidden, e)
		} else {
			t.awaited = append(t.awaited, e)
		}
	}
	return t
}

// See takes the next observation. It tells whether there is nothing more to wait
// for: all has come true, or something has happened that must not.
func (t *Tracker) See(s observe.State, after time.Duration) (done bool) {
	t.last, t.elapsed = s, after
	for len(t.sightings) < len(t.awaited) {
		seen, ok := t.awaited[len(t.sightings)].Match(s)
		if !ok {
			break
		}
		t.sightings = append(t.sightings, Sighting{Seen: seen, After: after})
	}
	waiting := len(t.sightings) < len(t.awaited)
	for _, e := range t.forbidden {
		if after >= e.StillNot.Duration {
			continue
		}
		waiting = true
		if seen, ok := e.Match(s); ok {
			t.broken = fmt.Errorf("after %s it was seen, which must not be within %s: %s", round(after), e.StillNot.Duration, seen)
			return true
		}
	}
	return !waiting
}

// Result is what was seen, and what was not although it was expected.
func (t *Tracker) Result() ([]Sighting, error) {
	switch {
	case t.broken != nil:
		return t.sightings, t.broken
	case len(t.sightings) < len(t.awaited):
		return t.sightings, fmt.Errorf("not seen within %s:\n%s\nobserved last:\n%s",
			t.c.within(), indent(t.awaited[len(t.sightings)]), indent(t.last))
	}
	for _, e := range t.forbidden {
		if t.elapsed < e.StillNot.Duration {
			return t.sightings, errors.New("it was not observed for long enough")
		}
		t.sightings = append(t.sightings, Sighting{Seen: "not seen: " + e.text(), After: e.StillNot.Duration})
	}
	t.forbidden = nil // they are among the sightings now
	return t.sightings, nil
}

// text is what an expectation says, in one line.
func (e Expectation) text() string {
	e.StillNot.Duration = 0
	text, err := yaml.Marshal(e)
	if err != nil {
		return err.Error()
	}
	return oneLine(string(text))
}

func indent(value any) string {
	text, err := yaml.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return "    " + strings.ReplaceAll(strings.TrimRight(string(text), "\n"), "\n", "\n    ")
}

// round is a time as people say it.
func round(d time.Duration) time.Duration { return d.Round(time.Second) }
