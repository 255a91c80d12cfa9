package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	// startTimeout bounds the wait for anything that a start or a removal waits for. A pod is not removed before
	// the pull of its image has failed, which takes 100 seconds where nobody answers.
	startTimeout = 150 * time.Second
	// logTail is how much of a log an error message quotes.
	logTail = 8
)

// daemon is a program that runs as long as its lab.
type daemon struct {
	name    string
	program string
	args    []string
	outside bool // not in the namespaces: there are none yet
}

// running is a daemon that was started by this process.
type running struct {
	name string
	log  string
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
}

func (r *running) pid() int { return r.cmd.Process.Pid }

// startDaemon starts a program in the lab's cgroup and namespaces, in an
// environment of its own, with its output in a file. It is in a session of its
// own: Ctrl-C reaches this process alone, which ends the lab in order.
func (l *Lab) startDaemon(d daemon) (*running, error) {
	log, err := os.Create(filepath.Join(l.Dir, d.name+".log"))
	if err != nil {
		return nil, fmt.Errorf("making the log of %s: %w", d.name, err)
	}
	defer log.Close() //nolint:errcheck // the program has its own copy of the file
	line := append([]string{d.program}, d.args...)
	if !d.outside {
		line = l.inside(line...)
	}
	// The cgroup first: from then on the lab is known to have this process.
	const join = `echo $$ >"$0" && exec "$@"`
	cmd := exec.Command("/bin/sh", append([]string{"-c", join, l.cgroups.procs()}, line...)...)
	cmd.Dir = l.Dir
	cmd.Env = []string{"PATH=/usr/local/sbin:/usr/sbin:/sbin:" + os.Getenv("PATH"), "HOME=" + l.Dir, "TMPDIR=" + l.tmp()}
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", d.name, err)
	}
	r := &running{name: d.name, log: log.Name(), cmd: cmd, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // how it ended is in its log
		close(r.done)
	}()
	return r, nil
}

// wait tries something until it succeeds, a daemon has ended, or time is up.
func (l *Lab) wait(ctx context.Context, doing string, try func(context.Context) error) error {
	late := fmt.Errorf("it took more than %s", startTimeout)
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, late)
	defer cancel()
	var ended error
	err := until(ctx, doing, func() error {
		if ended = l.ended(); ended != nil {
			return nil
		}
		return try(ctx)
	})
	return errors.Join(ended, err)
}

// ended names a daemon that ended although the lab did not.
func (l *Lab) ended() error {
	for _, r := range l.daemons {
		select {
		case <-r.done:
			return fmt.Errorf("%s has ended:%s", r.name, quoteLog(r.log))
		default:
		}
	}
	return nil
}

func (l *Lab) quoteLogs() string {
	var b strings.Builder
	for _, r := range l.daemons {
		b.WriteString(quoteLog(r.log))
	}
	return b.String()
}

// quoteLog returns the last lines of a log, to be added to an error message.
func quoteLog(file string) string {
	text, err := os.ReadFile(file)
	if err != nil || len(text) == 0 {
		return ""
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	lines = lines[max(0, len(lines)-logTail):]
	return fmt.Sprintf("\n  last lines of %s:\n    %s", filepath.Base(file), strings.Join(lines, "\n    "))
}

// run runs a command in the lab's namespaces to its end.
func (l *Lab) run(ctx context.Context, args ...string) error {
	line := l.inside(args...)
	out, err := exec.CommandContext(ctx, line[0], line[1:]...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("running %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}
