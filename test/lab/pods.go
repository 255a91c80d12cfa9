package lab

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// CapPods bounds the memory of all pods of the lab together, as if its node
// were that small, until restore is called. The machine itself stays as it is.
func (l *Lab) CapPods(bytes int64) (restore func() error, err error) {
	name := map[int]string{1: "memory.limit_in_bytes", 2: "memory.max"}[l.cgroups.version]
	file := filepath.Join(l.cgroups.memory, l.cgroups.name, "kubepods", name)
	before, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the bound of the pods' memory: %w", err)
	}
	set := func(value string) error {
		if err := os.WriteFile(file, []byte(value), 0o644); err != nil {
			return fmt.Errorf("bounding the pods' memory: %w", err)
		}
		return nil
	}
	return func() error { return set(strings.TrimSpace(string(before))) }, set(strconv.FormatInt(bytes, 10))
}
