package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func (h *hunt) noAnswer(t tried, err error) error {
	h.failed++
	return h.keep(fmt.Sprintf("failed-%d", h.failed), t, fmt.Sprint(err))
}

// heaviest is the field that most bytes of an object are in.
func heaviest(o object) string {
	spec := specOf(o)
	if spec.value == nil {
		return ""
	}
	size := map[string]int{}
	for _, n := range nodes("spec", spec.value, nil, nil) {
		if s, ok := n.value.(string); ok {
			size[n.field] += len(s) + 4
		} else {
			size[n.field] += 8
		}
	}
	return slices.MaxFunc(sortedFields(size), func(a, b string) int { return cmp.Compare(size[a], size[b]) })
}

func sortedFields(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }

// keep writes an object into a file, and says so.
func (h *hunt) keep(name string, t tried, why string) error {
	fmt.Fprintf(h.log, "%s: %s\n", name, why)
	for suffix, o := range map[string]object{"": t.object, "-old": t.old} {
		if o == nil {
			continue
		}
		if err := os.WriteFile(filepath.Join(h.out, name+suffix+".json"), text(o), 0o600); err != nil {
			return fmt.Errorf("keeping the object: %w", err)
		}
	}
	return nil
}

// save writes the table of the best, and the objects.
func (h *hunt) save() error {
	keys := slices.SortedFunc(maps.Keys(h.best), func(a, b cell) int { return cmp.Compare(h.best[b].cost.cpu, h.best[a].cost.cpu) })
	var table strings.Builder
	fmt.Fprintf(&table, "%d objects were tried\n%s\n", h.tries, "way | field | score | bytes | steps | cpu | ns/byte | ns/step | unfinished")
	for i, key := range keys {
		fmt.Fprintf(&table, "%d %s\n", i, line(key, h.best[key]))
		if i < maxSaved {
			if err := os.WriteFile(filepath.Join(h.out, fmt.Sprintf("best-%d.json", i)), text(h.best[key].object), 0o600); err != nil {
				return fmt.Errorf("writing an object: %w", err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(h.out, "table.txt"), []byte(table.String()), 0o600); err != nil {
		return fmt.Errorf("writing the table: %w", err)
	}
	return nil
}

// maxSaved is how many of the slowest objects are written.
const maxSaved = 100

func line(key cell, t tried) string {
	c := t.cost
	return fmt.Sprintf("%s %d | %s | %s | %d | %d | %s | %.0f | %.0f | %t", key.way, t.world, key.field, key.score, c.bytes, c.steps, c.cpu, c.perByte(), c.perStep(), c.unfinished)
}

func kindOf(raw []byte, version, kind *string) {
	var head struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}
	_ = json.Unmarshal(raw, &head) // the grammar writes both
	*version, *kind = head.APIVersion, head.Kind
}
