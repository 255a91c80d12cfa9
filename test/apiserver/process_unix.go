//go:build unix

package apiserver

import (
	"errors"
	"os"
	"syscall"
)

// ownGroup makes a process the leader of a group of its own. Ctrl-C in a
// terminal then reaches only the process in the foreground, which ends the
// others in order; and what such a process starts can be ended with it.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

// terminate asks a process to end.
func terminate(p *os.Process) error {
	return ignoreGone(p.Signal(syscall.SIGTERM))
}

// killGroup ends a process and all that it started, at once.
func killGroup(pid int) error {
	return ignoreGone(syscall.Kill(-pid, syscall.SIGKILL))
}

// ignoreGone takes a process that has already ended for a success.
func ignoreGone(err error) error {
	if errors.Is(err, os.ErrProcessDone) || errors.Is(err, syscall.ESRCH) {
		return nil
	}
	return err
}
