package terminal

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPrintable(t *testing.T) {
	in, want := "a\nb\tc\x1b[2J\u202e\u009b\x00é", "a b c\ufffd[2J\ufffd\ufffd\ufffdé"
	if got := Printable(in); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestColumns(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "web": 3, "é": 1, "e\u0301": 1, "食堂": 4, "ｱ": 1, "Ａ": 2, "🚀": 2, "no\u200bbreak": 7, "…": 1, "\u007f": 1,
	} {
		if got := columns(text); got != want {
			t.Errorf("%q takes %d columns, want %d", text, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, test := range []struct {
		about, in, want string
		width           int
	}{
		{"no limit", "one two three", "one two three", 0},
		{"exactly", "one two three", "one two three", 13},
		{"one less", "one two three", "one two\nthree", 12},
		{"a word that is wider", "see /a/very/long/path now", "see\n/a/very/long/path\nnow", 8},
		{"spaces within a line are evidence", `"a  b" and c`, "\"a  b\"\nand c", 7},
		{"line breaks stay", "one two\n\nthree\n", "one\ntwo\n\nthree\n", 5},
		{"wide characters", "食堂 食堂 食堂", "食堂 食堂\n食堂", 10},
	} {
		if diff := cmp.Diff(test.want, Screen{Width: test.width}.Wrap(test.in)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.about, diff)
		}
	}
}

func rows() []Row {
	return []Row{
		{{Text: "a.yaml:1"}, {Text: "command-exits"}, {Text: "OOMKilled, or Evicted here and in other pods of the same node"}, {Text: "Short"}},
		{{Text: "b.yaml:20"}, {Text: "probe"}, {Text: "never Ready"}, {Text: "/a/path/that/is/longer/than/the/column/of/the/title.yaml: no such file or directory"}},
	}
}

// TestTable shows one table on ever narrower screens.
func TestTable(t *testing.T) {
	for _, test := range []struct {
		width int
		want  string
	}{
		{0, `
FILE       RULE           FAILURE                                                        TITLE
a.yaml:1   command-exits  OOMKilled, or Evicted here and in other pods of the same node  Short
b.yaml:20  probe          never Ready                                                    /a/path/that/is/longer/than/the/column/of/the/title.yaml: no such file or directory
`},
		{150, `
FILE       RULE           FAILURE                                                        TITLE
a.yaml:1   command-exits  OOMKilled, or Evicted here and in other pods of the same node  Short
b.yaml:20  probe          never Ready                                                    /a/path/that/is/longer/than/the/column/of/the/title.yaml: no
                                                                                         such file or directory
`},
		{125, `
FILE       RULE           FAILURE                                           TITLE
a.yaml:1   command-exits  OOMKilled, or Evicted here and in other pods of   Short
                          the same node
b.yaml:20  probe          never Ready
  /a/path/that/is/longer/than/the/column/of/the/title.yaml: no such file or directory
`},
		{60, `
FILE       RULE
  FAILURE
  TITLE
a.yaml:1   command-exits
  OOMKilled, or Evicted here and in other pods of the same
  node
  Short
b.yaml:20  probe
  never Ready
  /a/path/that/is/longer/than/the/column/of/the/title.yaml:
  no such file or directory
`},
		{16, `
FILE
  RULE  FAILURE
  TITLE
a.yaml:1
  command-exits
  OOMKilled, or
  Evicted here
  and in other
  pods of the
  same node
  Short
b.yaml:20
  probe
  never Ready
  /a/path/that/is/longer/than/the/column/of/the/title.yaml:
  no such file
  or directory
`},
	} {
		var b strings.Builder
		NewTable(Screen{Width: test.width}, Column{Name: "FILE"}, Column{Name: "RULE"},
			Column{Name: "FAILURE", Least: Readable}, Column{Name: "TITLE", Least: Readable}).Write(&b, rows())
		if diff := cmp.Diff(strings.TrimPrefix(test.want, "\n"), b.String()); diff != "" {
			t.Errorf("width %d (-want +got):\n%s", test.width, diff)
		}
	}
}
