package main

import (
	"bytes"
	"context"
	"flag"
	"io"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what the commands print into the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"forestall": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
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
