package lab

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// CapPods bounds the memory of all pods of the lab together, as if its node
// were that small, until UncapPods. The machine itself stays as it is.
func (l *Lab) CapPods(bytes int64) error {
	name := map[int]string{1: "memory.limit_in_bytes", 2: "memory.max"}[l.cgroups.version]
	file := filepath.Join(l.cgroups.memory, l.cgroups.name, "kubepods", name)
	if err := os.WriteFile(file, []byte(strconv.FormatInt(bytes, 10)), 0o644); err != nil {
		return fmt.Errorf("bounding the pods' memory: %w", err)
	}
	return nil
}

// UncapPods gives the pods what the lab was started with.
func (l *Lab) UncapPods() error { return l.CapPods(l.record.PodsMemory) }
