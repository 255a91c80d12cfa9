package diagnosis

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/terminal"
)

const (
	// maxLines of a log, maxSymptoms, maxOthers and the length of messages keep a diagnosis on one screen.
	maxLines    = 8
	maxSymptoms = 4
	maxOthers   = 3
)

// Text is the diagnosis for people, on one screen.
func (d Diagnosis) Text(s terminal.Screen) string {
	t := text{screen: s}
	t.line(d.headline())
	if d.Cause != nil {
		t.gap()
		t.cause(*d.Cause)
		t.log(d.Log)
		t.advice(*d.Cause)
	}
	t.others(d.Others)
	for i, e := range d.Errors {
		t.item(first(i, "error"), e)
	}
	return t.String()
}

// headline says in one line how the workload is.
func (d Diagnosis) headline() string {
	name := d.Object.Kind + " " + d.Object.Name
	if d.Object.Namespace != "" {
		name = d.Object.Kind + " " + d.Object.Namespace + "/" + d.Object.Name
	}
	switch d.State {
	case Failing:
		name += " is failing"
		if d.Failing > 0 && d.Pods > 1 {
			name += fmt.Sprintf(": %d of %d pods", min(d.Failing, d.Pods), d.Pods)
		}
	case AtRisk:
		name += " runs, but a failure is predicted"
	case Fine:
		name += ": neither the cluster nor a rule reports a failure"
		if d.Cause != nil {
			name += ", but there are hazards"
		}
	}
	if d.Cluster != nil && d.Cluster.Context != "" {
		name += fmt.Sprintf(" (context %s)", d.Cluster.Context)
	}
	return name + "."
}

// text is a list of items, each with a word in front.
type text struct {
	strings.Builder
	screen terminal.Screen
}

// column is how wide the words in front are.
const column = 7

func (t *text) line(text string) { t.WriteString(t.screen.Wrap(terminal.Printable(text) + "\n")) }

func (t *text) gap() { t.WriteByte('\n') }

// item writes text behind a word; its other lines begin below the text.
func (t *text) item(word, text string) {
	if text == "" {
		return
	}
	narrow := t.screen
	if narrow.Width > 0 {
		narrow.Width = max(narrow.Width-column, 1)
	}
	for line := range strings.Lines(narrow.Wrap(terminal.Printable(text) + "\n")) {
		fmt.Fprintf(t, "%-*s%s\n", column, word, strings.TrimRight(line, "\n"))
		word = ""
	}
}

// first is the word of a list's first item; the others have none.
func first(i int, word string) string {
	if i > 0 {
		return ""
	}
	return word
}

func (t *text) cause(c Cause) {
	if f := c.Finding; f != nil {
		t.item(map[bool]string{true: "hazard", false: "cause"}[c.state() == Fine], f.Reason)
		t.item("rule", strings.Join(present(f.Rule, string(f.Certainty), inContainer(f.Container)), ", "))
		t.item("where", f.Path)
		t.item("what", f.What)
		t.item("why", f.Why)
	} else {
		t.item("cause", strings.Join(present(c.Trouble.Reason, inContainer(c.Trouble.Container)), ", ")+"; no rule predicts it.")
		t.item("known", c.Trouble.Known)
	}
	var shown []string
	for _, s := range c.evidence() {
		if seen := Seen(s); !slices.Contains(shown, seen) && len(shown) < maxSymptoms { // a condition and its event say the same
			t.item(first(len(shown), "seen"), seen)
			shown = append(shown, seen)
		}
	}
	if c.Finding != nil && c.Finding.Status == finding.Predicted && len(shown) == 0 {
		t.item("seen", "nothing of it in this cluster so far")
	}
}

func inContainer(name string) string {
	if name == "" {
		return ""
	}
	return "container " + name
}

// present leaves out what is empty.
func present(words ...string) []string {
	var all []string
	for _, w := range words {
		if w != "" {
			all = append(all, w)
		}
	}
	return all
}

// Seen is a symptom in one clause, in the words of the API.
func Seen(s finding.Symptom) string {
	var b strings.Builder
	b.WriteString(cmp.Or(s.Reason, string(s.Kind)))
	if s.Kind == finding.Restarts {
		b.Reset()
		fmt.Fprintf(&b, "restarted %s", times(s.Count))
	} else if s.Count > 1 {
		fmt.Fprintf(&b, ", %s", times(s.Count))
	}
	if s.ExitCode != nil {
		fmt.Fprintf(&b, ", exit code %d", *s.ExitCode)
	}
	if s.Pods > 1 {
		fmt.Fprintf(&b, ", in %d pods", s.Pods)
	}
	if s.Message != "" {
		b.WriteString(": " + cut(s.Message))
	}
	return b.String()
}

// cut keeps a message to about two lines. What says why stands at its end, in those of the runtime.
func cut(message string) string {
	const most = 200
	if runes := []rune(message); len(runes) > most {
		return "…" + string(runes[len(runes)-most+1:])
	}
	return message
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// colours are what programs write to colour their logs (ECMA-48, control sequences).
var colours = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)

// log writes the last lines of a log, each cut to the screen: a log may hold anything.
func (t *text) log(l *Log) {
	if l == nil {
		return
	}
	run := "its last run"
	if l.Previous {
		run = "the run before"
	}
	at := fmt.Sprintf("%s of pod %s, %s", l.Container, l.Pod, run)
	if l.Unread != "" {
		t.item("log", at+": "+l.Unread)
		return
	}
	if len(l.Lines) == 0 {
		t.item("log", at+": it wrote nothing")
		return
	}
	t.item("log", at+":")
	for _, line := range l.Lines[max(len(l.Lines)-maxLines, 0):] {
		line = terminal.Printable(colours.ReplaceAllString(line, ""))
		if most := t.screen.Width - column - len("| "); t.screen.Width > 0 && len([]rune(line)) > most {
			line = string([]rune(line)[:max(most-1, 0)]) + "…"
		}
		fmt.Fprintf(t, "%-*s| %s\n", column, "", line)
	}
}

// advice is what to do.
func (t *text) advice(c Cause) {
	if c.Finding == nil {
		return
	}
	t.item("fix", c.Finding.Fix)
	t.item("more", "forestall explain "+c.Finding.Rule)
}

func (t *text) others(all []Cause) {
	if len(all) == 0 {
		return
	}
	t.gap()
	for i, c := range all[:min(len(all), maxOthers)] {
		if f := c.Finding; f != nil {
			t.item(first(i, "also"), fmt.Sprintf("%s (%s, %s)", f.Reason, f.Rule, cmp.Or(string(f.Status), string(f.Level))))
			continue
		}
		t.item(first(i, "also"), strings.Join(present(c.Trouble.Reason, inContainer(c.Trouble.Container)), ", "))
	}
	if more := len(all) - maxOthers; more > 0 {
		t.item("", fmt.Sprintf("and %d more", more))
	}
}
