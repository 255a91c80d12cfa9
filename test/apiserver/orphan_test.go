package apiserver_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/forestall/forestall/test/apiserver"
)

// helperEnv makes this test binary a program that starts a cluster, says where,
// and waits to be killed.
const helperEnv = "FORESTALL_TEST_START_AND_WAIT"

func TestNothingOutlivesItsParent(t *testing.T) {
	if os.Getenv(helperEnv) != "" {
		startAndWait(t)
		return
	}
	skipIfShort(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestNothingOutlivesItsParent$")
	cmd.Env = append(os.Environ(), helperEnv+"=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	dir := ""
	for lines := bufio.NewScanner(out); dir == "" && lines.Scan(); {
		dir, _ = strings.CutPrefix(lines.Text(), "cluster in ")
	}
	var pids []int
	if dir == "" {
		t.Error("the helper started no cluster")
	} else if pids = processes(t, dir); len(pids) != 2 {
		t.Errorf("%d processes in %s, want etcd and kube-apiserver", len(pids), dir)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("the helper ended by itself")
	}
	if dir != "" {
		wantGone(t, dir, pids)
	}
}

func startAndWait(t *testing.T) {
	cluster, err := apiserver.Start(t.Context(), apiserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stdout.WriteString("cluster in " + cluster.Dir + "\n"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Minute) // until it is killed
}

// processes returns the ids of the processes that a cluster's directory names.
func processes(t *testing.T, dir string) []int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.pid"))
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		if alive(pid) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// wantGone waits a little until a directory and processes are gone: a watchdog
// acts a moment after the death of its parent.
func wantGone(t *testing.T, dir string, pids []int) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for {
		left := ""
		if _, err := os.Stat(dir); err == nil {
			left = dir
		}
		for _, pid := range pids {
			if alive(pid) {
				left += " pid " + strconv.Itoa(pid)
			}
		}
		if left == "" {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("left behind: %s", left)
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// alive reports whether a process exists and is not only waiting to be reaped.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}
