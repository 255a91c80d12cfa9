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

// maxRows bounds the text of the rows that wait until the widths of their columns are known.
// Where there is more text, the table is shown in several parts, and its columns may get wider.
const maxRows = 16 << 20

// table is a sink that shows a run to people: findings, errors, and what it comes to.
type table struct {
	to     io.Writer
	screen terminal.Screen
	// rows are the findings that were not shown yet. size is how many bytes of text they have,
	// and most is how many they may have; 0 for maxRows.
	rows       []terminal.Row
	size, most int
	findings   *terminal.Table
	groups     groups
	aside      aside
	// placed is set where findings come from files; in a cluster they have no places.
	placed, begun bool
	// worst is the finding to read about first.
	worst finding.Finding
}

func newTable(w io.Writer, s terminal.Screen) *table {
	return &table{to: w, screen: s}
}

// begin makes the columns, of which the first finding decides.
func (t *table) begin(f *finding.Finding) {
	t.begun, t.placed = true, f.Source.File != ""
	columns := []terminal.Column{
		{Name: "LEVEL"}, {Name: "RULE"}, {Name: "OBJECT"}, {Name: "REASON", Least: terminal.Readable},
	}
	if t.placed {
		columns = slices.Insert(columns, 0, terminal.Column{Name: "LOCATION"})
	}
	t.findings = terminal.NewTable(t.screen, columns...)
}

// Found keeps the row of a finding.
func (t *table) Found(f finding.Finding) error {
	if t.worst.Rule == "" || worse(&f, &t.worst) {
		t.worst = f
	}
	if f.Status != "" {
		t.groups.found(&f)
		return nil
	}
	if !t.begun {
		t.begin(&f)
	}
	r := terminal.Row{
		verdictOf(&f),
		{Text: f.Rule},
		{Text: withPods(f)},
		{Text: f.Reason},
	}
	if t.placed {
		r = slices.Insert(r, 0, terminal.Span{Text: f.Source.String()})
	}
	t.rows = append(t.rows, r)
	for _, c := range r {
		t.size += len(c.Text)
	}
	if t.size <= cmp.Or(t.most, maxRows) {
		return nil
	}
	return t.show()
}

// verdictOf is what admission does about the finding.
func verdictOf(f *finding.Finding) terminal.Span {
	if f.Patched {
		return terminal.Span{Text: "patched", Colour: terminal.Green}
	}
	return terminal.Span{Text: string(f.Level), Colour: colourOf(f.Level)}
}

// worse reports whether more is to be done about a than about b, or the same about what is surer.
func worse(a, b *finding.Finding) bool {
	if a.Patched != b.Patched {
		return b.Patched
	}
	if by := a.Level.Compare(b.Level); by != 0 {
		return by > 0
	}
	return a.Certainty.SurerThan(b.Certainty)
}

func colourOf(l finding.Level) terminal.Colour {
	return map[finding.Level]terminal.Colour{
		finding.Deny: terminal.Red, finding.Warn: terminal.Yellow, finding.Audit: terminal.Cyan,
	}[l]
}

// show writes the rows that wait.
func (t *table) show() error {
	var b strings.Builder
	t.findings.Write(&b, t.rows)
	t.rows, t.size = nil, 0
	_, err := io.WriteString(t.to, b.String())
	return wrapped(err)
}

// FoundIgnored keeps the row of a finding that is ignored.
func (t *table) FoundIgnored(i finding.Ignored) error {
	t.aside.ignore(i)
	return nil
}

// FoundTrouble keeps the row of a failure that nothing predicts.
func (t *table) FoundTrouble(d finding.Trouble) error {
	t.groups.trouble(&d)
	return nil
}

// Warned keeps the row of a warning.
func (t *table) Warned(w audit.Warning) error {
	t.aside.warn(w)
	return nil
}

// Failed keeps the row of an error.
func (t *table) Failed(e audit.Error) error {
	t.aside.fail(e)
	return nil
}

// Done writes the rest.
func (t *table) Done(sum audit.Summary) error {
	var b strings.Builder
	found := t.worst.Rule != ""
	if t.begun {
		if err := t.show(); err != nil {
			return err
		}
		b.WriteByte('\n')
	}
	t.groups.show(&b, t.screen)
	t.aside.show(&b, t.screen)
	if sum.Cluster != nil {
		clusterPart(&b, t.screen, sum.Cluster)
	}
	b.WriteString(comesToFor(sum, t.screen))
	if without := notJudged(sum.NotJudged); without != "" {
		b.WriteString(t.screen.Wrap(terminal.Printable(without) + "\n"))
	}
	if found {
		b.WriteString(t.screen.Wrap("Why, and how to fix it: forestall explain " + t.worst.Rule + "\n"))
	}
	_, err := io.WriteString(t.to, b.String())
	return wrapped(err)
}

// about names the object of a finding and the container.
func about(f finding.Finding) string { return objectName(f.Object, f.Container) }

// withPods is about, and counts the pods that the object stands for.
func withPods(f finding.Finding) string {
	switch {
	case f.Object.Kind == "Pod" && f.Pods > 1: // it is one of them
		return fmt.Sprintf("%s and %d like it", about(f), f.Pods-1)
	case f.Object.Kind != "Pod" && f.Pods > 0:
		return about(f) + " and " + count(f.Pods, "pod")
	}
	return about(f)
}

// objectName names an object, with its namespace where the manifest says it, and a container of it.
func objectName(o finding.Object, container string) string {
	name := o.Kind + "/" + o.Name
	if o.Namespace != "" {
		name = o.Kind + "/" + o.Namespace + "/" + o.Name
	}
	if container == "" {
		return name
	}
	return name + ", " + container
}

// line is the summary in one line.
func line(s audit.Summary) string {
	var b strings.Builder
	if s.Cluster != nil {
		b.WriteString(count(s.Cluster.Pods, "pod"))
	} else {
		b.WriteString(count(s.Files, "file"))
	}
	fmt.Fprintf(&b, ", %s, %d judged", count(s.Objects, "object"), s.Judged)
	if s.Skipped > 0 {
		fmt.Fprintf(&b, ", %s skipped (no apiVersion and kind)", count(s.Skipped, "document"))
	}
	fmt.Fprintf(&b, ": %d deny, %d warn, %d audit", s.Findings.Deny, s.Findings.Warn, s.Findings.Audit)
	if s.Troubles > 0 {
		fmt.Fprintf(&b, ", %d failing without a prediction", s.Troubles)
	}
	if s.Patched > 0 {
		fmt.Fprintf(&b, ", %d patched", s.Patched)
	}
	if s.NotShown > 0 {
		fmt.Fprintf(&b, " (%d not shown)", s.NotShown)
	}
	if e := s.Baseline; e != nil {
		fmt.Fprintf(&b, "; the baseline holds %d more, and %d that are gone", e.Known(), e.Gone)
	}
	if s.Ignored > 0 {
		fmt.Fprintf(&b, "; %d ignored", s.Ignored)
	}
	if s.Warnings > 0 {
		b.WriteString("; " + count(s.Warnings, "warning"))
	}
	if s.Errors > 0 {
		b.WriteString("; " + count(s.Errors, "error"))
	}
	return b.String()
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
