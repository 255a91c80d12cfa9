package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/terminal"
)

// Diff is the document of an audit that is compared with an earlier one.
type Diff struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Earlier is the file of the earlier report.
	Earlier string `json:"earlier"`
	// Worse is what is new, has a stronger level, or happens now; Better is the other way round.
	Worse  []DiffItem `json:"worse"`
	Better []DiffItem `json:"better"`
	// Unchanged is how many are as they were.
	Unchanged int `json:"unchanged"`
	// Ignored, Warnings, Errors and Summary are those of a Report.
	Ignored  []finding.Ignored `json:"ignored"`
	Warnings []audit.Warning   `json:"warnings"`
	Errors   []Error           `json:"errors"`
	Summary  audit.Summary     `json:"summary"`
}

// DiffItem is one finding, or one failure without a prediction, that is not as it was.
type DiffItem struct {
	// Change is new, gone, level, or status.
	Change string `json:"change"`
	// Finding as it is, or as it was where it is gone. A failure without a prediction has the rule failing-without-prediction.
	Finding finding.Finding `json:"finding"`
	// Was and WasStatus are how the level, or "patched", and the status were, where that is the change.
	Was       string         `json:"was,omitempty"`
	WasStatus finding.Status `json:"wasStatus,omitempty"`
}

const (
	diffKind      = "AuditDiff"
	changeNew     = "new"
	changeGone    = "gone"
	changedLevel  = "level"
	changedStatus = "status"
)

// Differing is a sink that shows what is worse and what is better than in an earlier report. It keeps what has changed.
type Differing struct {
	audit.Result
	to      io.Writer
	format  Format
	screen  terminal.Screen
	earlier *Earlier
	diff    Diff
	worse   audit.Levels
}

// AuditDiff returns a sink that compares a run with an earlier report, which it takes over.
func AuditDiff(w io.Writer, f Format, o Options, e *Earlier) (*Differing, error) {
	if f != "" && !slices.Contains(Formats(), f) {
		return nil, unknown(f)
	}
	return &Differing{to: w, format: f, screen: o.Screen, earlier: e, diff: Diff{
		APIVersion: APIVersion, Kind: diffKind, Earlier: e.File, Worse: []DiffItem{}, Better: []DiffItem{},
	}}, nil
}

// Worse counts the findings that are worse than they were, by level. What the webhook would repair is not among them.
func (d *Differing) Worse() audit.Levels { return d.worse }

// Found compares a finding.
func (d *Differing) Found(f finding.Finding) error {
	was, known := d.earlier.take(f.Key())
	d.compare(f, was.Finding, known)
	return nil
}

// FoundTrouble compares a trouble.
func (d *Differing) FoundTrouble(t finding.Trouble) error {
	f := troubleAsFinding(t)
	was, known := d.earlier.take(f.Key())
	f.Evidence = t.Evidence
	d.compare(f, was.Finding, known)
	return nil
}

func (d *Differing) compare(f, was finding.Finding, known bool) {
	if !known {
		d.worsened(DiffItem{Change: changeNew, Finding: f})
		return
	}
	item := DiffItem{Finding: f, Was: verdictOf(&was).Text}
	by := weight(&f) - weight(&was)
	if item.Change = changedLevel; by == 0 {
		item = DiffItem{Change: changedStatus, Finding: f, WasStatus: was.Status}
		by = happening(f.Status) - happening(was.Status)
	}
	switch {
	case by > 0:
		d.worsened(item)
	case by < 0:
		d.diff.Better = append(d.diff.Better, item)
	default:
		d.diff.Unchanged++
	}
}

func (d *Differing) worsened(i DiffItem) {
	d.diff.Worse = append(d.diff.Worse, i)
	if !i.Finding.Patched {
		d.worse.Count(i.Finding.Level)
	}
}

// weight orders findings by what is done about them; what is patched weighs least.
func weight(f *finding.Finding) int {
	if f.Patched {
		return 0
	}
	return 1 + slices.Index(finding.Levels(), f.Level)
}

func happening(s finding.Status) int {
	if s == finding.Happening {
		return 1
	}
	return 0
}

// inOrder orders findings of which no order is known: as they stood in files, then by name.
func inOrder(a, b *finding.Finding) int {
	return cmp.Or(
		cmp.Compare(a.Source.File, b.Source.File), cmp.Compare(a.Source.Line, b.Source.Line),
		cmp.Compare(a.Object.Namespace, b.Object.Namespace), cmp.Compare(a.Object.Kind, b.Object.Kind), cmp.Compare(a.Object.Name, b.Object.Name),
		cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Container, b.Container), cmp.Compare(a.Field, b.Field),
	)
}

// Done writes the comparison.
func (d *Differing) Done(s audit.Summary) error {
	for _, e := range d.earlier.left() {
		d.diff.Better = append(d.diff.Better, DiffItem{Change: changeGone, Finding: e.Finding})
	}
	d.diff.Ignored, d.diff.Warnings, d.diff.Errors, d.diff.Summary = orEmpty(d.Ignored), orEmpty(d.Warnings), []Error{}, s
	for _, e := range d.Errors {
		d.diff.Errors = append(d.diff.Errors, newError(e))
	}
	switch d.format {
	case JSON:
		return wrapped(Indented(d.to, d.diff))
	case YAML:
		text, err := yaml.Marshal(d.diff)
		if err == nil {
			_, err = d.to.Write(text)
		}
		return wrapped(err)
	default:
		_, err := io.WriteString(d.to, d.table())
		return wrapped(err)
	}
}

func (d *Differing) table() string {
	var b strings.Builder
	d.rows(&b, "WORSE", d.diff.Worse)
	d.rows(&b, "BETTER", d.diff.Better)
	var a aside
	for _, w := range d.Warnings {
		a.warn(w)
	}
	for _, e := range d.Errors {
		a.fail(e)
	}
	a.show(&b, d.screen)
	b.WriteString(d.screen.Wrap(fmt.Sprintf("%d worse, %d better, %d unchanged since %s\n",
		len(d.diff.Worse), len(d.diff.Better), d.diff.Unchanged, finding.Quote(d.earlier.File))))
	b.WriteString(d.screen.Wrap(line(d.diff.Summary) + "\n"))
	return b.String()
}

func (d *Differing) rows(b *strings.Builder, title string, items []DiffItem) {
	if len(items) == 0 {
		return
	}
	var rows []terminal.Row
	for _, i := range items {
		rows = append(rows, terminal.Row{
			{Text: i.change(), Colour: map[string]terminal.Colour{"WORSE": terminal.Red, "BETTER": terminal.Green}[title]},
			{Text: i.Finding.Source.String()},
			verdictOf(&i.Finding),
			{Text: i.Finding.Rule},
			{Text: about(i.Finding)},
			{Text: i.Finding.Reason},
		})
	}
	terminal.NewTable(d.screen, terminal.Column{Name: title}, terminal.Column{Name: "LOCATION"}, terminal.Column{Name: "LEVEL"}, terminal.Column{Name: "RULE"},
		terminal.Column{Name: "OBJECT"}, terminal.Column{Name: "REASON", Least: terminal.Readable}).Write(b, rows)
	b.WriteByte('\n')
}

// change tells it in a word or two.
func (i DiffItem) change() string {
	switch i.Change {
	case changedLevel:
		return "was " + i.Was
	case changedStatus:
		if i.Finding.Status == finding.Happening {
			return "happens now"
		}
		return "stopped"
	}
	return i.Change
}
