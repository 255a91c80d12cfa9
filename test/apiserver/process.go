package apiserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// process is a running command with a log file.
type process struct {
	cmd  *exec.Cmd
	name string
	log  string
	pid  string        // the file that names it to the watchdog
	done chan struct{} // closed when it has ended
	err  error         // how it ended; valid once done is closed
}

// startProcess starts a command with its log in dir. It runs until it ends by
// itself or is ended: by terminate or kill here, or by the watchdog.
func startProcess(dir, name, binary string, args, env []string) (*process, error) {
	p := &process{
		name: name,
		log:  filepath.Join(dir, name+".log"),
		pid:  filepath.Join(dir, name+pidSuffix),
		done: make(chan struct{}),
	}
	log, err := os.Create(p.log)
	if err != nil {
		return nil, fmt.Errorf("making the log of %s: %w", name, err)
	}
	defer log.Close() //nolint:errcheck // the command has its own copy of the file
	p.cmd = exec.Command(binary, args...)
	p.cmd.Dir = dir
	p.cmd.Env = env
	p.cmd.Stdout, p.cmd.Stderr = log, log
	p.cmd.SysProcAttr = ownGroup()
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("running %s: %w", binary, err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	if err := os.WriteFile(p.pid, []byte(strconv.Itoa(p.cmd.Process.Pid)+"\n"), 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("naming %s to the watchdog: %w", name, err), p.kill())
	}
	return p, nil
}

// waitReady waits until a URL answers 200, the process has ended, or ctx has.
func (p *process) waitReady(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, fmt.Errorf("not ready after %s", startTimeout))
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		if answersOK(ctx, url) {
			return nil
		}
		select {
		case <-p.done:
			return fmt.Errorf("%s ended before it was ready: %w", p.name, exitError(p.err))
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
	}
}

// answersOK asks a URL once.
func answersOK(ctx context.Context, url string) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	_ = resp.Body.Close() // nothing was read from it
	return resp.StatusCode == http.StatusOK
}

// terminate sends SIGTERM and waits. A process that takes longer than it may,
// or that does not end with code 0, is an error; it is gone in any case.
func (p *process) terminate(ctx context.Context) error {
	if err := terminate(p.cmd.Process); err != nil {
		return errors.Join(fmt.Errorf("ending %s: %w", p.name, err), p.kill())
	}
	late := time.NewTimer(stopTimeout)
	defer late.Stop()
	select {
	case <-p.done:
	case <-ctx.Done():
		return errors.Join(fmt.Errorf("ending %s: %w", p.name, context.Cause(ctx)), p.kill())
	case <-late.C:
		return errors.Join(fmt.Errorf("%s did not end within %s of SIGTERM", p.name, stopTimeout), p.kill())
	}
	if p.err != nil {
		return fmt.Errorf("%s: %w%s", p.name, p.err, quoteLog(p.log))
	}
	return p.forget()
}

// kill ends the process and all that it started, at once.
func (p *process) kill() error {
	if err := killGroup(p.cmd.Process.Pid); err != nil {
		return fmt.Errorf("killing %s: %w", p.name, err)
	}
	<-p.done
	return p.forget()
}

// forget tells the watchdog that the process has ended.
func (p *process) forget() error {
	if err := os.Remove(p.pid); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("withdrawing %s from the watchdog: %w", p.name, err)
	}
	return nil
}

// command prepares a command that runs to its end while somebody waits for it.
// Ctrl-C does not reach it: the caller is interrupted, and ends it through ctx.
func command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.SysProcAttr = ownGroup()
	cmd.Cancel = func() error { return killGroup(cmd.Process.Pid) }
	return cmd
}

// exitError words an end without a failure, which is one for a server.
func exitError(err error) error {
	if err == nil {
		return errors.New("exit status 0")
	}
	return err
}

// freePorts returns two ports of loopback that nobody listens on.
func freePorts() (first, second string, err error) {
	var ports [2]string
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return "", "", fmt.Errorf("looking for a free port: %w", err)
		}
		// Open until both are chosen, so that they differ.
		defer l.Close() //nolint:errcheck // nothing was accepted
		ports[i] = strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	}
	return ports[0], ports[1], nil
}
