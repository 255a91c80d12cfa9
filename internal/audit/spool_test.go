package audit

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSpool(t *testing.T) {
	for name, inMemory := range map[string]int{"in memory": 1 << 20, "in both": 20, "in a file": 1} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			s := spool{inMemory: inMemory}
			want := []string{"one", "", strings.Repeat("two", 1000), "three"}
			for _, record := range want {
				if err := s.add([]byte(record)); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.flush(); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if diff := cmp.Diff(want, recordsOf(t, &s)); diff != "" {
					t.Errorf("records (-want +got):\n%s", diff)
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if left := filesIn(t, os.Getenv("TMPDIR")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func recordsOf(t *testing.T, s *spool) []string {
	t.Helper()
	var all []string
	for r := s.records(); ; {
		record, err := r.next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(record))
	}
}

func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestSpoolLeavesNoNameBehind: where an open file can be removed, nothing is to be seen of it
// even while it is used, however the process ends.
func TestSpoolLeavesNoNameBehind(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := spool{inMemory: 1}
	if err := s.add([]byte("record")); err != nil || s.file == nil {
		t.Fatal(s.file, err)
	}
	if left := filesIn(t, os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("there is %v", left)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestSpoolWithoutAFile keeps all in memory where no file can be made.
func TestSpoolWithoutAFile(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	s := spool{inMemory: 1}
	if err := errors.Join(s.add([]byte("one")), s.add([]byte("two")), s.flush()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"one", "two"}, recordsOf(t, &s)); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}

// TestInputWithoutEnd is refused when it has filled what there is for it.
func TestInputWithoutEnd(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := spool{most: 1 << 10}
	var err error
	for n := 0; err == nil && n < 100; n++ {
		err = s.add(bytes.Repeat([]byte("x"), 100))
	}
	if !errors.Is(err, errSpoolFull) {
		t.Errorf("got %v", err)
	}
}

// TestTextsWithoutEnd: the texts that a repair needs are bounded, and what fits is repaired.
func TestTextsWithoutEnd(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.yaml": pod, "b.yaml": pod + "# " + strings.Repeat("b", 1<<20), "c.yaml": pod} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	set, err := Load(t.Context(), Options{Paths: []string{"."}, Keep: true, maxTexts: 128 << 10})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = set.Close() }()
	var kept, told []string
	for _, f := range set.texts {
		kept = append(kept, f.name)
	}
	_, failed := all(t, set)
	for _, e := range failed {
		told = append(told, e.Source.File+": "+e.Err.Error())
	}
	want := []string{"b.yaml: the files take more than 1024 MiB, which is as much as is repaired at once: do it in parts"}
	if diff := cmp.Diff([][]string{{"a.yaml", "c.yaml"}, want}, [][]string{kept, told}); diff != "" {
		t.Errorf("kept, told (-want +got):\n%s", diff)
	}
}
