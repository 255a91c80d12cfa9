package manifest

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// piece is a text as the tests compare it.
type piece struct {
	Line, Content int
	Raw           string
	TooLarge      bool
}

func split(t testing.TB, in string, limit int) []piece {
	t.Helper()
	var all []piece
	for s := NewSplitter(strings.NewReader(in), limit); ; {
		next, err := s.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, piece{next.line, next.content, string(next.raw), next.tooLarge})
	}
}

func TestSplit(t *testing.T) {
	long := strings.Repeat("x", 2*pieceSize)
	for name, tt := range map[string]struct {
		in   string
		want []piece
	}{
		"nothing":       {"", nil},
		"blank lines":   {"\n\n  \n", nil},
		"markers alone": {"---\n---\n--- # nothing\n", nil},
		"comments":      {"# one\n---\n# two\n", nil},
		"one":           {"a: 1\n", []piece{{1, 1, "a: 1\n", false}}},
		"no last line break": {"a: 1\n---\nb: 2", []piece{
			{1, 1, "a: 1\n", false}, {2, 3, "---\nb: 2", false},
		}},
		"empty between": {"a: 1\n---\n\n---\n# x\n---\nb: 2\n", []piece{
			{1, 1, "a: 1\n", false}, {6, 7, "---\nb: 2\n", false},
		}},
		"comments and directives before the first marker": {"# x\n%YAML 1.1\n---\na: 1\n", []piece{
			{3, 4, "---\na: 1\n", false},
		}},
		"percent after the marker is content": {"---\n%a\n", []piece{{1, 2, "---\n%a\n", false}}},
		"content on the marker's line": {"--- {a: 1}\n--- # x\nb: 2\n", []piece{
			{1, 1, "--- {a: 1}\n", false}, {2, 3, "--- # x\nb: 2\n", false},
		}},
		"not markers": {"---a\n ---\n----\n....\n...a\n", []piece{
			{1, 1, "---a\n ---\n----\n....\n...a\n", false},
		}},
		"in a block scalar": {"a: |\n  x\n---\nb: 2\n", []piece{
			{1, 1, "a: |\n  x\n", false}, {3, 4, "---\nb: 2\n", false},
		}},
		"end marker": {"a: 1\n...\nb: 2\n... \n---\nc: 3\n", []piece{
			{1, 1, "a: 1\n...\n", false}, {3, 3, "b: 2\n... \n", false}, {5, 6, "---\nc: 3\n", false},
		}},
		"windows": {"a: 1\r\n---\r\nb: 2\r\n...\r\n", []piece{
			{1, 1, "a: 1\r\n", false}, {2, 3, "---\r\nb: 2\r\n...\r\n", false},
		}},
		"byte order marks": {"\ufeff---\na: 1\n\ufeff---\nb: 2\n---\n\ufeffc: 3\n", []piece{
			{1, 2, "---\na: 1\n", false}, {3, 4, "---\nb: 2\n", false}, {5, 6, "---\nc: 3\n", false},
		}},
		"long lines": {long + "\n---\n" + long, []piece{
			{1, 1, long + "\n", false}, {2, 3, "---\n" + long, false},
		}},
		"content behind much white space": {strings.Repeat(" ", 2*pieceSize) + "a: 1\n", []piece{
			{1, 1, strings.Repeat(" ", 2*pieceSize) + "a: 1\n", false},
		}},
		"a long comment": {"# " + long + "\n---\na: 1\n", []piece{{2, 3, "---\na: 1\n", false}}},
		"a long end": {"a: 1\n... # " + long + "\nb: 2\n", []piece{
			{1, 1, "a: 1\n" + ("... # " + long)[:pieceSize], false}, {3, 3, "b: 2\n", false},
		}},
		"too large": {"a: 1\n---\n" + strings.Repeat(long+"\n", 3) + "---\nb: 2\n", []piece{
			{1, 1, "a: 1\n", false}, {2, 3, "", true}, {6, 7, "---\nb: 2\n", false},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, split(t, tt.in, 5*pieceSize)); diff != "" {
				t.Errorf("texts (-want +got):\n%s", diff)
			}
		})
	}
}

func TestChunks(t *testing.T) {
	for name, tt := range map[string]struct {
		in   string
		want []piece
	}{
		"one":              {"{}\n", []piece{{3, 3, "{}\n", false}}},
		"a value per line": {"{\"a\":1}\n{\"a\":2}\n", []piece{{3, 3, "{\"a\":1}\n", false}, {4, 4, "{\"a\":2}\n", false}}},
		"indented":         {"{\n  \"a\": {\n  }\n}\n\n{\n}\n", []piece{{3, 3, "{\n  \"a\": {\n  }\n}\n\n", false}, {8, 8, "{\n}\n", false}}},
		"one broken":       {"{\"a\":\n}\n{}\n", []piece{{3, 3, "{\"a\":\n}\n", false}, {5, 5, "{}\n", false}}},
		"list of objects":  {"{\"a\":[\n{}\n,\n{},\n{}\n]}", []piece{{3, 3, "{\"a\":[\n{}\n,\n{},\n{}\n]}", false}}},
		"on one line":      {"{} {}\n", []piece{{3, 3, "{} {}\n", false}}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []piece
			for _, c := range chunks(&Text{line: 3, raw: []byte(tt.in)}) {
				got = append(got, piece{c.line, c.content, string(c.raw), c.tooLarge})
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("texts (-want +got):\n%s", diff)
			}
		})
	}
}
