package layout_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPicture holds the picture of docs/ARCHITECTURE.md against the table: each package stands
// in it once, above all that it imports. Packages that serve tests alone are left out.
func TestPicture(t *testing.T) {
	row := map[string]int{}
	for i, line := range strings.Split(picture(t), "\n") {
		for _, name := range namesIn(line) {
			if row[name] > 0 {
				t.Errorf("%s stands in the picture twice", name)
			}
			row[name] = i + 1
		}
	}
	for name, imports := range arrows() {
		if strings.HasSuffix(name, "test") && name != "internal/ruletest" {
			continue
		}
		if row[name] == 0 {
			t.Errorf("%s does not stand in the picture", name)
		}
		for _, to := range imports {
			if row[to] <= row[name] {
				t.Errorf("%s imports %s, which does not stand below it", name, to)
			}
		}
	}
}

// picture returns the first block of code of the page.
func picture(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.SplitN(string(page), "```", 3)
	if len(parts) < 3 {
		t.Fatal("the page has no picture")
	}
	return parts[1]
}

// namesIn returns the packages that a line of the picture names, where facts/{cpu,image} is two.
func namesIn(line string) []string {
	const label = 20 // the first columns say in words what stands in the row
	var names []string
	for _, word := range regexp.MustCompile(`[a-z][a-z/-]*(\{[a-z,]+\})?`).FindAllString(line[min(len(line), label):], -1) {
		folder, list, _ := strings.Cut(strings.TrimSuffix(word, "}"), "{")
		for last := range strings.SplitSeq(list, ",") {
			if _, ours := arrows()["internal/"+folder+last]; ours {
				names = append(names, "internal/"+folder+last)
			} else {
				names = append(names, folder+last)
			}
		}
	}
	return names
}
