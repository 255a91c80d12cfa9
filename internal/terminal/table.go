package terminal

import (
	"slices"
	"strings"
)

// Column is one column of a table.
type Column struct {
	Name string
	// Least is how narrow a column of sentences may get where the screen asks for it; 0 for a column that
	// keeps its width.
	Least int
}

// Row is one row of a table, a cell for each column.
type Row []Span

// Table writes rows in columns.
//
// Where they are wider than the screen, the columns that wrap become narrower; where that leaves them too little
// room, each row is written in several lines: the first columns side by side, and the others below them.
// Nothing is cut, and no word is broken.
type Table struct {
	screen  Screen
	columns []Column
	// widths of the cells so far, including the names of the columns. Rows that are written later do
	// not make a column narrower.
	widths []int
	begun  bool
}

// NewTable returns a table without rows.
func NewTable(s Screen, cols ...Column) *Table {
	t := &Table{screen: s, columns: cols}
	for _, c := range cols {
		t.widths = append(t.widths, columns(c.Name))
	}
	return t
}

const (
	gap    = "  "
	indent = "  "
)

// Readable is how wide a column has to be in which sentences are read at a glance.
const Readable = 48

// Write adds rows, behind the names of the columns the first time.
func (t *Table) Write(b *strings.Builder, rows []Row) {
	for _, r := range rows {
		for i := range r {
			r[i].Text = Printable(r[i].Text)
			t.widths[i] = max(t.widths[i], columns(r[i].Text))
		}
	}
	write := t.stacked
	if widths := t.fitted(); widths != nil {
		write = func(b *strings.Builder, r Row) { t.aligned(b, r, widths) }
	}
	if !t.begun && t.named() {
		write(b, t.heading())
	}
	t.begun = true
	for _, r := range rows {
		write(b, r)
	}
}

func (t *Table) named() bool {
	return slices.ContainsFunc(t.columns, func(c Column) bool { return c.Name != "" })
}

func (t *Table) heading() Row {
	var r Row
	for _, c := range t.columns {
		r = append(r, Span{c.Name, Bold})
	}
	return r
}

// fitted returns the widths with which all columns stand side by side, or nil where the screen is too narrow.
func (t *Table) fitted() []int {
	if t.screen.Width == 0 || t.total(len(t.widths)) <= t.screen.Width {
		return t.widths
	}
	room := t.screen.Width - len(gap)*(len(t.widths)-1)
	least := 0
	var wrapping []int
	for i, c := range t.columns {
		if c.Least > 0 {
			wrapping = append(wrapping, i)
			least += min(c.Least, t.widths[i])
		} else {
			room -= t.widths[i]
		}
	}
	if len(wrapping) == 0 || room < least {
		return nil
	}
	return t.shared(room, wrapping)
}

// shared gives each column that wraps what it needs, or an equal part of the room that is left.
func (t *Table) shared(room int, wrapping []int) []int {
	widths := slices.Clone(t.widths)
	slices.SortStableFunc(wrapping, func(a, b int) int { return widths[a] - widths[b] })
	for n, i := range wrapping {
		widths[i] = min(widths[i], room/(len(wrapping)-n))
		room -= widths[i]
	}
	return widths
}

// total is the width of the first n columns.
func (t *Table) total(n int) int {
	sum := len(gap) * (n - 1)
	for _, w := range t.widths[:n] {
		sum += w
	}
	return sum
}

// aligned writes a row with its cells side by side. A cell with a word that is wider than its column goes below.
func (t *Table) aligned(b *strings.Builder, r Row, widths []int) {
	cells := make([][]line, len(r))
	var below []Span
	height := 1
	for i, c := range r {
		all := words(c)
		if widest(all) > widths[i] {
			below = append(below, c)
			continue
		}
		cells[i] = t.screen.lines(all, widths[i])
		height = max(height, len(cells[i]))
	}
	for n := range height {
		pad := 0
		for i, lines := range cells {
			if n < len(lines) && lines[n].width > 0 {
				b.WriteString(strings.Repeat(" ", pad) + lines[n].text)
				pad = -lines[n].width
			}
			pad += widths[i] + len(gap)
		}
		b.WriteByte('\n')
	}
	for _, c := range below {
		t.under(b, c)
	}
}

// stacked writes a row in several lines: as many of the first cells as the screen has columns for, and below
// them the others. The last cell, which says most, is always among these.
func (t *Table) stacked(b *strings.Builder, r Row) {
	above := len(r) - 1
	for above > 1 && t.total(above) > t.screen.Width {
		above--
	}
	t.aligned(b, r[:above], t.widths[:above])
	t.side(b, r[above:len(r)-1])
	t.under(b, r[len(r)-1])
}

// side writes cells below the others of their row, as many side by side as there is room for.
func (t *Table) side(b *strings.Builder, cells []Span) {
	var here []string
	used := len(indent)
	end := func() {
		if len(here) > 0 {
			b.WriteString(indent + strings.Join(here, gap) + "\n")
		}
		here, used = nil, len(indent)
	}
	for _, c := range cells {
		width := columns(c.Text)
		if len(indent)+width > t.screen.Width {
			end()
			t.under(b, c)
			continue
		}
		if len(here) > 0 && used+len(gap)+width > t.screen.Width {
			end()
		}
		if len(here) > 0 {
			used += len(gap)
		}
		here, used = append(here, t.screen.paint(c.Colour, c.Text)), used+width
	}
	end()
}

// under writes a cell below the others of its row.
func (t *Table) under(b *strings.Builder, cell Span) {
	for _, l := range t.screen.lines(words(cell), max(t.screen.Width-len(indent), 1)) {
		b.WriteString(indent + l.text + "\n")
	}
}
