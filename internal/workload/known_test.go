package workload

import (
	"os"
	"strings"
	"testing"
)

// TestKnownKindsAreDocumented holds the table of docs/kinds.md against the kinds.
func TestKnownKindsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/kinds.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, "| `") {
			rows[strings.TrimSpace(line)] = true
		}
	}
	for _, k := range Known() {
		row := rowOf(k)
		if !rows[row] {
			t.Errorf("docs/kinds.md has no row\n%s", row)
		}
	}
	for _, k := range Known() {
		delete(rows, rowOf(k))
	}
	for row := range rows {
		t.Errorf("docs/kinds.md has a row of a kind that is not known\n%s", row)
	}
}

func rowOf(k Kind) string {
	versions := "`" + k.Group
	for _, other := range Known() {
		if other.Group == k.Group && other.Kind == k.Kind {
			if !strings.HasSuffix(versions, k.Group) {
				versions += "`, `"
			}
			versions += "/" + other.Version
		}
	}
	var fills []string
	for _, f := range []struct {
		word string
		set  bool
	}{{"env", k.Fills.Env}, {"probes", k.Fills.Probes}, {"images", k.Fills.Images}} {
		if f.set {
			fills = append(fills, f.word)
		}
	}
	last := strings.Join(fills, ", ")
	if last != "" {
		last += " "
	}
	return "| " + versions + "` | " + k.Kind + " | `" + k.TemplatePath + "` | " + k.Like + " | " + last + "|"
}
