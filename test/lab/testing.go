package lab

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"
)

// EnableEnv allows tests to start labs: make prove and .ci/run set it to 1.
const EnableEnv = "FORESTALL_LAB"

// testStartTimeout bounds the start of a test's lab.
const testStartTimeout = 3 * time.Minute

// StartT starts a lab for a test and stops it at the test's end. Where the
// machine does not allow a lab the test is skipped, and says so.
func StartT(t testing.TB) *Lab {
	t.Helper()
	if os.Getenv(EnableEnv) != "1" {
		t.Skipf("NOT PROVED: no lab was started; set %s=1, as root on Linux, after make lab-binaries", EnableEnv)
	}
	o, err := Options{
		Name: fmt.Sprintf("test-%d-%d", os.Getpid(), time.Now().UnixNano()%1e6), Progress: func(s string) { t.Log(s) },
	}.complete()
	if err == nil {
		err = checkMachine(o)
	}
	if err != nil {
		t.Skipf("NOT PROVED: no lab was started: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), testStartTimeout)
	defer cancel()
	l, err := Start(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return l
}
