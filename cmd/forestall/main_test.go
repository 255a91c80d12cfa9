package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what the commands print into the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"forestall": main, pluginFile: main, completionFile: main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition: func(name string) (bool, error) {
			if name != "hup" {
				return false, fmt.Errorf("there is no condition %q", name)
			}
			return !signal.Ignored(syscall.SIGHUP), nil // below nohup, what the scripts start ignores it, too
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("NO_COLOR", "")
			e.Setenv("TERM", "xterm")
			return nil
		},
	})
}

// neverEnds is an input that somebody keeps open.
type neverEnds struct{ asked chan<- struct{} }

func (n neverEnds) Read([]byte) (int, error) {
	close(n.asked)
	select {}
}

func TestInterruptedWhileReading(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked := make(chan struct{})
	go func() {
		<-asked
		cancel()
	}()
	var out, complaints bytes.Buffer
	code := run(ctx, []string{"audit", "-f", "-"}, streams{in: neverEnds{asked}, out: &out, err: &complaints})
	if code != exitInterrupted || out.Len() > 0 || complaints.String() != "forestall: interrupted: there is no result\n" {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, out.String(), complaints.String())
	}
}

func TestInterruptedWhileJudging(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in := cancelling{Reader: strings.NewReader(strings.Repeat("---\napiVersion: v1\nkind: Pod\n", 1000)), cancel: cancel}
	var out, complaints bytes.Buffer
	code := run(ctx, []string{"audit", "-f", "-"}, streams{in: in, out: &out, err: &complaints})
	if code != exitInterrupted || out.Len() > 0 {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, out.String(), complaints.String())
	}
}

// TestInterruptedWhileReporting ends in the middle of a report: it says how far it came,
// what was written cannot be taken for a whole report, and nothing is left behind.
func TestInterruptedWhileReporting(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	var out, complaints bytes.Buffer
	s := streams{
		in: strings.NewReader(strings.Repeat("---\napiVersion: v1\nkind: Pod\nspec: {containers: [{name: a, image: a}]}\n", 3000)),
		out: writerFunc(func(p []byte) (int, error) {
			cancel()
			return out.Write(p)
		}), err: &complaints,
	}
	root := newRoot(s)
	root.SetArgs([]string{"audit", "-f", "-", "-o", "json"})
	code := s.conclude(root.ExecuteContext(ctx))
	told := regexp.MustCompile(`^forestall: interrupted: \d+ of 3000 objects were reviewed; the report is not whole\n$`)
	if code != exitInterrupted || out.Len() == 0 || json.Valid(out.Bytes()) || !told.MatchString(complaints.String()) {
		t.Errorf("exit code %d, %d bytes of output, stderr %q", code, out.Len(), complaints.String())
	}
	if left := contents(t, os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestInterruptedWhileReportingToFiles leaves the files of the run before, and nothing beside them.
func TestInterruptedWhileReportingToFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("report.yaml", []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := streams{
		in: strings.NewReader(strings.Repeat("---\napiVersion: v1\nkind: Pod\nspec: {containers: [{name: a, image: a}]}\n", 3000)),
		out: writerFunc(func(p []byte) (int, error) {
			cancel()
			return len(p), nil
		}), err: io.Discard,
	}
	root := newRoot(s)
	root.SetArgs([]string{"audit", "-f", "-", "-o", "json", "-o", "yaml=report.yaml", "-o", "sarif=report.sarif"})
	code := s.conclude(root.ExecuteContext(ctx))
	text, err := os.ReadFile("report.yaml")
	if code != exitInterrupted || err != nil || string(text) != "old" {
		t.Errorf("exit code %d, report %q, %v", code, text, err)
	}
	if left := contents(t, "."); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

// cancelling interrupts the run as soon as its input is read.
type cancelling struct {
	io.Reader
	cancel func()
}

func (c cancelling) Read(p []byte) (int, error) {
	c.cancel()
	return c.Reader.Read(p)
}

func TestCommandsAreExplained(t *testing.T) {
	for _, c := range newRoot(streams{}).Commands() {
		if c.Short == "" || c.Example == "" && c.Name() != "help" {
			t.Errorf("%s needs a short text and an example", c.Name())
		}
	}
}

// TestInterruptedWhileChangingAFile: the change is made before the command ends, and no other one
// begins.
func TestInterruptedWhileChangingAFile(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var complaints bytes.Buffer
	s := streams{err: &complaints, changing: &sync.Mutex{}}
	var made atomic.Int32
	code := s.await(ctx, func(ctx context.Context) error {
		first := s.whole(ctx, func() error {
			cancel()
			time.Sleep(3 * grace) // a slow disk
			made.Add(1)
			return nil
		})
		time.Sleep(grace / 10) // by now whoever waits for the change goes on
		second := s.whole(ctx, func() error {
			made.Add(1)
			return nil
		})
		if first != nil || !errors.Is(second, context.Canceled) {
			return errors.Join(errors.New("the changes"), first, second)
		}
		return partialError{"interrupted: 1 of 2 files written"}
	})
	if code != exitInterrupted || made.Load() != 1 || complaints.String() != "forestall: interrupted: 1 of 2 files written\n" {
		t.Errorf("exit code %d, %d changes made, stderr %q", code, made.Load(), complaints.String())
	}
}
