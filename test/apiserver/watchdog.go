package apiserver

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	// stoppingFile in the cluster's directory forbids further processes.
	stoppingFile = "stopping"
	// pidSuffix marks the files that name a running process.
	pidSuffix = ".pid"
)

// watchdogScript waits until its standard input is closed, which happens when
// the process that holds the other end stops it or ends in any way. If the
// directory is still there then, nobody cleaned up, and the script does.
//
// A death signal (prctl) would end the processes on Linux alone, and would
// leave the directory behind.
const watchdogScript = `
trap '' INT TERM HUP QUIT
cat >/dev/null
tries=0
while [ -e "$1" ] && [ "$tries" -lt 100 ]; do
	: >"$1/stopping"
	for file in "$1"/*.pid; do
		[ -e "$file" ] || continue
		read -r pid <"$file" && kill -s KILL -- "-$pid"
	done
	rm -rf "$1"
	tries=$((tries + 1))
	if [ -e "$1" ]; then sleep 0.1; fi
done
`

// watchdog ends what runs in a directory when this process ends first.
type watchdog struct {
	cmd  *exec.Cmd
	line io.WriteCloser // closed by us, or by the kernel when we are gone
}

// startWatchdog starts a watchdog over a cluster's directory.
func startWatchdog(dir string) (*watchdog, error) {
	cmd := exec.Command("/bin/sh", "-c", watchdogScript, "forestall-watchdog", dir)
	cmd.Dir = "/"
	cmd.SysProcAttr = ownGroup()
	line, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe to the watchdog: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the watchdog: %w", err)
	}
	return &watchdog{cmd: cmd, line: line}, nil
}

// release lets the watchdog go; what is still in the directory goes with it.
func (w *watchdog) release() error {
	_ = w.line.Close() // a watchdog that has ended has closed its end
	if err := w.cmd.Wait(); err != nil {
		return fmt.Errorf("waiting for the watchdog: %w", err)
	}
	return nil
}

// launcher writes a script that runs a binary for a cluster: in a clean
// environment, with its process id where the watchdog finds it, and not at all
// once the cluster is stopping. exec keeps the id, so the binary has it too.
func launcher(dir, binary string) (string, error) {
	name := filepath.Base(binary)
	script := strings.Join([]string{
		"#!/bin/sh",
		"[ ! -e " + quote(filepath.Join(dir, stoppingFile)) + " ] || exit 1",
		"echo $$ >" + quote(filepath.Join(dir, name+pidSuffix)),
		"exec env -i PATH=\"$PATH\" HOME=" + quote(dir) + " " + quote(binary) + ` "$@"`,
		"",
	}, "\n")
	file := filepath.Join(dir, "run-"+name)
	if err := os.WriteFile(file, []byte(script), 0o700); err != nil {
		return "", fmt.Errorf("writing the launcher of %s: %w", name, err)
	}
	return file, nil
}

// abort ends the control plane of a cluster at once and keeps it from being
// started again.
func abort(dir string) {
	_ = os.WriteFile(filepath.Join(dir, stoppingFile), nil, 0o600)
	files, _ := filepath.Glob(filepath.Join(dir, "*"+pidSuffix))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it ended in the meantime
		}
		if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && pid > 1 {
			_ = killGroup(pid)
		}
	}
}

// quote makes a string one word of a shell command.
func quote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
