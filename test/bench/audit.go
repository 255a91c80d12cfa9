package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/forestall/forestall/test/bench/shapes"
)

// input is what an audit reads.
type input struct {
	name string
	// apps is how many Deployments of three containers it holds.
	apps int
	// stream puts them into one file, else each has its own.
	stream bool
	// selected adds a Service and a PodDisruptionBudget to each.
	selected bool
	// failing makes mistakes of several kinds in two thirds of them.
	failing bool
}

func auditInputs() []input {
	return []input{
		{name: "1,000 files", apps: 1000},
		{name: "10,000 files", apps: 10_000},
		{name: "10,000 files, two thirds with findings", apps: 10_000, failing: true},
		{name: "one stream of 16,000", apps: 16_000, stream: true},
		{name: "1,000 files, each with Service and PodDisruptionBudget", apps: 1000, selected: true},
		{name: "4,000 files, each with Service and PodDisruptionBudget", apps: 4000, selected: true},
	}
}

// auditRuns is how often each process is run; the fastest run counts, for what else
// the machine does can only make it slower.
const auditRuns = 3

// cost is what a process took.
type cost struct {
	wall, cpu time.Duration
	peak      int64 // bytes
}

// writeAudits measures the command beside a process that only parses the same files.
func writeAudits(ctx context.Context, b *strings.Builder, o options) error {
	b.WriteString("## Audits of files\n\nDeployments of three containers, distinct, and healthy unless it is said. *Parsing* is a process that reads the same files, converts them with\n" +
		"sigs.k8s.io/yaml and decodes what has a pod template with encoding/json, on as many processors, and does nothing else.\n" +
		"forestall decodes with a faster library, so that it may be below. The fastest of " +
		fmt.Sprint(auditRuns) + " runs each.\n\n")
	b.WriteString("| input | size, MiB | | seconds | CPU seconds | peak memory, MiB |\n|---|---|---|---|---|---|\n")
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("measuring audits: %w", err)
	}
	for _, in := range auditInputs() {
		if !o.measures("audits of " + in.name) {
			continue
		}
		if err := in.measure(ctx, b, self, o.forestall); err != nil {
			return fmt.Errorf("measuring an audit of %s: %w", in.name, err)
		}
	}
	return nil
}

func (in input) measure(ctx context.Context, b *strings.Builder, self, forestall string) error {
	fmt.Fprintf(os.Stderr, "auditing %s…\n", in.name)
	folder, err := os.MkdirTemp("", "forestall-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	size, err := in.write(folder)
	if err != nil {
		return err
	}
	var parse, audit cost
	for range auditRuns {
		floor, out, err := run(exec.CommandContext(ctx, self), asFloor+"="+folder)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
		all, out, err := run(exec.CommandContext(ctx, forestall, "audit", "-f", folder, "--fail-on", "none"))
		if err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
		if err := in.check(out); err != nil {
			return err
		}
		parse, audit = parse.faster(floor), audit.faster(all)
	}
	for _, row := range []struct {
		name string
		cost
	}{{"parsing", parse}, {"forestall audit", audit}} {
		fmt.Fprintf(b, "| %s | %d | %s | %.2f | %.2f | %d |\n", in.name, size>>20, row.name, row.wall.Seconds(), row.cpu.Seconds(), row.peak>>20)
	}
	fmt.Fprintf(b, "| | | ratio | %.2fx | %.2fx | |\n", ratio(audit.wall, parse.wall), ratio(audit.cpu, parse.cpu))
	return nil
}

// check holds what an audit prints against what is in the input.
func (in input) check(out []byte) error {
	judged := in.apps
	if in.selected {
		judged += in.apps // their Services
	}
	_, counts, _ := bytes.Cut(out, fmt.Appendf(nil, " %d judged: ", judged))
	var deny, warn, audit int
	if _, err := fmt.Sscanf(string(counts), "%d deny, %d warn, %d audit", &deny, &warn, &audit); err != nil {
		return fmt.Errorf("the audit of %d apps ends with %q", in.apps, out[max(0, len(out)-200):])
	}
	switch {
	case !in.failing && deny+warn > 0:
		return fmt.Errorf("%d findings in healthy apps", deny+warn)
	case in.failing && deny+warn+audit < in.apps*2/3:
		return fmt.Errorf("%d findings in %d apps, of which two thirds fail", deny+warn+audit, in.apps)
	}
	return nil
}

func (c cost) faster(other cost) cost {
	if c.wall == 0 || other.wall < c.wall {
		return other
	}
	return c
}

func run(cmd *exec.Cmd, env ...string) (cost, []byte, error) {
	cmd.Env = append(os.Environ(), env...)
	begin := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return cost{}, out, err
	}
	c := cost{wall: time.Since(begin), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.peak = r.Maxrss << 10
	}
	return c, out, nil
}

// write makes the files, and returns their size in bytes.
func (in input) write(folder string) (int64, error) {
	var size int64
	for i := range in.apps {
		text, err := in.text(i)
		if err != nil {
			return 0, err
		}
		name := shapes.Name(i)
		if in.stream {
			name = "stream"
		}
		if err := appendTo(filepath.Join(folder, name+".yaml"), text); err != nil {
			return 0, err
		}
		size += int64(len(text))
	}
	return size, nil
}

func appendTo(name string, text []byte) error {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}
