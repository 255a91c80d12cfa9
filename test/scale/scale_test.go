package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/forestall/forestall/test/apiserver/apiservertest"
)

// TestScale audits a small cluster as the command does large ones: what is judged is what was created, and a call more is
// made for each 500 pods and no other. FORESTALL_SCALE is the larger number of pods.
func TestScale(t *testing.T) {
	c := apiservertest.Start(t)
	pods := 1300
	if text := os.Getenv("FORESTALL_SCALE"); text != "" {
		var err error
		if pods, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	command := filepath.Join(t.TempDir(), "forestall")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", command, "../../cmd/forestall").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	all, err := measure(t.Context(), c, options{forestall: command, pods: []int{200, pods}, workloads: 120, nodes: 20})
	if err != nil {
		t.Fatal(err)
	}
	small, large := all[0], all[1]
	if more := (large.pods+499)/500 - (small.pods+499)/500; large.calls != small.calls+more {
		t.Errorf("%d calls for %d pods and %d for %d: want %d more", small.calls, small.pods, large.calls, large.pods, more)
	}
	// Go's collector lets a heap grow to twice of what is used; a page of pods is 3 MiB.
	if grown := large.peak - small.peak; grown > 32<<20 {
		t.Errorf("with %d pods in place of %d it takes %d MiB more", large.pods, small.pods, grown>>20)
	}
	t.Logf("%+v\n%+v", small, large)
}
