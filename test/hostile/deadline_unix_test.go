//go:build unix

package hostile

import (
	"syscall"
	"testing"
	"time"
)

// slowness is how many times longer than alone a computation takes on this machine now, at least
// 1: the time that passes while the process computes, by the processor time that it gets.
func slowness(t *testing.T) float64 {
	t.Helper()
	const work = 50 * time.Millisecond
	start, before := time.Now(), processorTime(t)
	for processorTime(t)-before < work {
		for i := range 10_000 {
			_ = i * i
		}
	}
	return max(1, float64(time.Since(start))/float64(processorTime(t)-before))
}

func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
