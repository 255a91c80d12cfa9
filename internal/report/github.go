package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/terminal"
)

// GitHub shows at most ten annotations of each type for a step
// (https://docs.github.com/en/rest/checks/runs, and the limits of workflow commands).
const maxAnnotations = 10

// github is a sink that writes workflow commands, which GitHub shows as annotations of a pull request
// (https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands). It keeps of each type the
// ones that are to be shown, the strongest first.
type github struct {
	to                       io.Writer
	errors, warnings, notice annotations
}

// annotations are those of one type.
type annotations struct {
	kept []annotation
	all  int
}

// annotation is one of them. Errors of the audit come before findings.
type annotation struct {
	command, title, message string
	source                  finding.Source
	certainty               finding.Certainty
	failed                  bool
}

func newGitHub(w io.Writer) *github { return &github{to: w} }

// Found keeps the annotation of a finding, as long as it is among the strongest.
func (g *github) Found(f finding.Finding) error {
	a := annotation{title: f.Rule, message: about(f) + ": " + f.Reason + "\n" + f.Fix, source: f.Source, certainty: f.Certainty}
	switch {
	case f.Patched:
		a.message = about(f) + ": " + f.Reason + "\nThe webhook repairs this."
		g.notice.add("notice", a)
	case f.Level == finding.Deny:
		g.errors.add("error", a)
	case f.Level == finding.Warn:
		g.warnings.add("warning", a)
	default:
		g.notice.add("notice", a)
	}
	return nil
}

// FoundIgnored shows nothing: the last line counts what is ignored.
func (g *github) FoundIgnored(finding.Ignored) error { return nil }

// FoundTrouble keeps a warning about a failure that nothing predicts.
func (g *github) FoundTrouble(t finding.Trouble) error {
	g.warnings.add("warning", annotation{title: observedRule, message: objectName(t.Object, t.Container) + ": " + t.Reason + "\n" + t.Known})
	return nil
}

// Warned keeps a notice about something in the input.
func (g *github) Warned(w audit.Warning) error {
	g.notice.add("notice", annotation{title: "forestall", message: w.Message, source: w.Source, certainty: finding.Certain})
	return nil
}

// Failed keeps an error of the audit.
func (g *github) Failed(e audit.Error) error {
	g.errors.add("error", annotation{title: "forestall could not judge this", message: e.Err.Error(), source: e.Source, failed: true})
	return nil
}

// Done writes the commands, and a line of text for the log.
func (g *github) Done(s audit.Summary) error {
	var b strings.Builder
	for _, all := range []annotations{g.errors, g.warnings, g.notice} {
		for _, a := range all.kept {
			b.WriteString(a.String())
		}
	}
	for _, text := range comesTo(s) {
		b.WriteString(commandData(text) + "\n")
	}
	if more := g.errors.more() + g.warnings.more() + g.notice.more(); more > 0 {
		fmt.Fprintf(&b, "%d more are not annotated: GitHub shows %d errors, %d warnings and %d notices of a step.\n",
			more, maxAnnotations, maxAnnotations, maxAnnotations)
	}
	_, err := io.WriteString(g.to, b.String())
	return wrapped(err)
}

// add keeps an annotation, unless there are enough stronger ones.
func (all *annotations) add(command string, a annotation) {
	a.command = command
	all.all++
	at, _ := slices.BinarySearchFunc(all.kept, a, func(kept, a annotation) int {
		if weaker(kept, a) > 0 {
			return 1
		}
		return -1 // of equals the first stays first
	})
	all.kept = slices.Insert(all.kept, at, a)
	all.kept = all.kept[:min(len(all.kept), maxAnnotations)]
}

func (all *annotations) more() int { return all.all - len(all.kept) }

// weaker is positive where a is to be shown after b.
func weaker(a, b annotation) int {
	if a.failed != b.failed {
		if b.failed {
			return 1
		}
		return -1
	}
	return cmp.Compare(rankOf(a.certainty), rankOf(b.certainty))
}

// rankOf is the place of a certainty, and that of what has none behind them.
func rankOf(c finding.Certainty) int {
	if i := slices.Index(finding.Certainties(), c); i >= 0 {
		return i
	}
	return len(finding.Certainties())
}

// String is the workflow command, with the end of its line.
func (a annotation) String() string {
	var where []string
	if a.source.File != "" && a.source.File != stdin {
		where = append(where, "file="+commandProperty(pathOf(a.source, finding.Object{})))
		if a.source.Line > 0 {
			where = append(where, fmt.Sprintf("line=%d", a.source.Line))
		}
	}
	where = append(where, "title="+commandProperty(a.title))
	return "::" + a.command + " " + strings.Join(where, ",") + "::" + commandData(strings.TrimSpace(a.message)) + "\n"
}

// commandData escapes the text of a workflow command as GitHub's own toolkit does
// (https://github.com/actions/toolkit, packages/core/src/command.ts).
func commandData(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "%", "%25"), "\n")
	for i := range lines {
		lines[i] = terminal.Printable(strings.ReplaceAll(lines[i], "\r", "%0D"))
	}
	return strings.Join(lines, "%0A")
}

// commandProperty escapes the value of a property of a workflow command.
func commandProperty(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(commandData(text))
}
