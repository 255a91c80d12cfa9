package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/report"
)

// never is the word for --fail-on that no finding reaches.
const never = "none"

func (a app) auditCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "audit -f FILE|DIR|-",
		Short: "Judge the objects in files",
		Long: `Audit judges every object with a pod template: Pods, Deployments, StatefulSets,
DaemonSets, ReplicaSets, ReplicationControllers, Jobs, CronJobs and PodTemplates, and
custom kinds that are known, such as Argo Rollouts, or named in the configuration.

It reads YAML with one document or many, JSON with one object or many, and Lists.
All that one run reads belongs together: a Service in one file counts for a
Deployment in another. In folders it reads .yaml, .yml and .json and leaves out
what is hidden. A document that cannot be read is an error in the report; the rest
is judged all the same.

Exit code: 0 when nothing is found at the level of --fail-on or above, 1 when
something is, 2 when the command line is wrong or something could not be read.`,
		Example: `  # Everything in a folder
  forestall audit -f manifests/

  # A rendered chart
  helm template . | forestall audit -f -

  # For programs, failing on warnings too
  forestall audit -f manifests/ -f extra.yaml -o json --fail-on warn`,
		Args: noArgs("to judge files, write: forestall audit -f %s"),
	}
	files, output, path := filesFlag(c), outputFlag(c), configFlag(c)
	failOn := choose(c, "fail-on", "", "lowest level of a finding that makes the exit code 1",
		string(finding.Deny), string(finding.Warn), string(finding.Audit), never)
	c.RunE = func(c *cobra.Command, _ []string) error {
		result, err := a.audit(c, *files, *path)
		if err != nil {
			return err
		}
		if err := report.Write(a.out, report.New(result), report.Format(output.value), a.screen()); err != nil {
			return err
		}
		return verdict(result, failOn.value)
	}
	return c
}

func (a app) audit(c *cobra.Command, files []string, path string) (audit.Result, error) {
	cfg, err := config.Load(path)
	if err != nil {
		return audit.Result{}, err
	}
	p := a.startProgress()
	defer p.stop()
	set, err := a.load(c, audit.Options{Paths: files, Progress: p.report})
	if err != nil {
		return audit.Result{}, err
	}
	r, err := builtin.Reviewer(c.Context(), cfg.AuditSettings(), set.Cluster())
	if err != nil {
		return audit.Result{}, cfg.Locate(err)
	}
	return set.Review(c.Context(), r)
}

// load reads what -f names.
func (a app) load(c *cobra.Command, o audit.Options) (*audit.Set, error) {
	if len(o.Paths) == 0 || slices.Contains(o.Paths, "") { // -f "$UNSET" is no wish to read this folder
		return nil, usage(c, errors.New("say what to read: -f FILE, -f DIR, or -f - for standard input"))
	}
	o.Stdin = a.in
	return audit.Load(c.Context(), o)
}

// verdict turns a result into the end of the command. What could not be read
// weighs more than what was found, because more might be found in it.
func verdict(r audit.Result, failOn string) error {
	if n := len(r.Errors); n > 0 {
		return fmt.Errorf("%s, told in the report", counted(n, "error"))
	}
	if failOn == never {
		return nil
	}
	if slices.ContainsFunc(r.Findings, func(f finding.Finding) bool { return f.Level.AtLeast(finding.Level(failOn)) }) {
		return errFound
	}
	return nil
}
