package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestThreatModel holds that every test that docs/threat-model.md names is there, and every attack.
func TestThreatModel(t *testing.T) {
	const root = "../../"
	raw, err := os.ReadFile(root + "docs/threat-model.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	files := regexp.MustCompile("`([a-z0-9/_-]+_test\\.go)`").FindAllStringSubmatch(text, -1)
	words := regexp.MustCompile("`ONLY=([A-Za-z]+)`").FindAllStringSubmatch(text, -1)
	if len(files) < 20 || len(words) < 10 {
		t.Fatalf("only %d files and %d attacks were found", len(files), len(words))
	}
	for _, f := range files {
		if _, err := os.Stat(root + f[1]); err != nil {
			t.Error(err)
		}
	}
	var names []string
	for _, e := range evasions() {
		names = append(names, e.name)
	}
	for _, f := range floods() {
		names = append(names, f.name)
	}
	named := map[string]bool{}
	for _, w := range words {
		found := false
		for _, name := range names {
			if strings.Contains(name, w[1]) {
				found, named[name] = true, true
			}
		}
		if !found {
			t.Errorf("no attack has %q in its name", w[1])
		}
	}
	for _, name := range names {
		if !named[name] && name != "nobody" {
			t.Errorf("the threat model does not name the attack %q", name)
		}
	}
}
