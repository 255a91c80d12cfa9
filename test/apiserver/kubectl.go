package apiserver

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
)

// Kubectl runs kubectl against the cluster and returns what it printed and its
// exit code. The exit code is -1 where kubectl did not run to its end; stderr
// then ends with the reason.
func (c *Cluster) Kubectl(ctx context.Context, args ...string) (stdout, stderr string, exit int) {
	var out, errs bytes.Buffer
	cmd := c.KubectlCommand(ctx, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	exit = ExitCode(cmd.Run(), &errs)
	return out.String(), errs.String(), exit
}

// KubectlCommand prepares a kubectl command against the cluster, for callers
// that set its input or its output themselves.
func (c *Cluster) KubectlCommand(ctx context.Context, args ...string) *exec.Cmd {
	cmd := command(ctx, c.KubectlPath, args...)
	cmd.Env = c.Environ()
	return cmd
}

// Environ is the environment of a command that talks to the cluster: its
// KUBECONFIG and a home of its own, and nothing of the user's but PATH. kubectl
// keeps its cache in the home, and would read the user's preferences there.
func (c *Cluster) Environ() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + filepath.Join(c.Dir, "home"),
		"KUBECONFIG=" + c.Kubeconfig,
	}
}

// ExitCode turns what running a command returned into its exit code. Where the
// command did not run to its end the code is -1, and the reason goes to stderr.
func ExitCode(err error, stderr *bytes.Buffer) int {
	if err == nil {
		return 0
	}
	if exited, ok := errors.AsType[*exec.ExitError](err); ok && exited.Exited() {
		return exited.ExitCode()
	}
	stderr.WriteString(err.Error())
	return -1
}
