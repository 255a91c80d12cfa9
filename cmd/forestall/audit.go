package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/report"
)

// never is the word for --fail-on that no finding reaches.
const never = "none"

func (a app) auditCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "audit FILE|DIR|-...",
		Short: "Judge the objects in files",
		Long: `Audit judges every object with a pod template: Pods, Deployments, StatefulSets,
DaemonSets, ReplicaSets, ReplicationControllers, Jobs, CronJobs and PodTemplates, and
custom kinds that are known, such as Argo Rollouts, or named in the configuration.

It reads YAML with one document or many, JSON with one object or many, and Lists.
All that one run reads belongs together: a Service in one file counts for a
Deployment in another. In folders it reads .yaml, .yml and .json and leaves out
what is hidden. A document that cannot be read is an error in the report; the rest
is judged all the same. Other objects may run beside those that were read, unless
--complete says that there are none. Objects that write no namespace go to that of -n.
What the API server would not take as it is, such as a patch for kustomize whose containers
have no image, is not judged. The report counts by kind what was not judged, and says why.

Exit code: 0 when nothing is found at the level of --fail-on or above, 1 when
something is, 2 when the command line is wrong or something could not be read.`,
		Example: `  # Everything in a folder; -f manifests/ means the same
  forestall audit manifests/

  # A rendered chart
  helm template . | forestall audit -f -

  # Manifests without a namespace, as "kubectl apply -n shop" would take them
  forestall audit manifests/ -n shop

  # For programs, failing on warnings too
  forestall audit manifests/ extra.yaml -o json --fail-on warn`,
	}
	in, output := reads(c), outputFlag(c)
	failOn := choose(c, "fail-on", "", "lowest level of a finding that makes the exit code 1",
		string(finding.Deny), string(finding.Warn), string(finding.Audit), never)
	c.RunE = func(c *cobra.Command, args []string) error {
		sum, err := a.audit(c, in.options(args), in.config, report.Format(output.value))
		if err != nil {
			return err
		}
		return verdict(sum, failOn.value)
	}
	return c
}

func (a app) audit(c *cobra.Command, o audit.Options, file *configFlags, format report.Format) (sum audit.Summary, err error) {
	cfg, err := a.configuration(c, file)
	if err != nil {
		return sum, err
	}
	settings := cfg.AuditSettings()
	p := a.startProgress()
	defer p.stop()
	o.Progress, o.Kinds = p.report, settings.Kinds
	set, err := a.load(c, o)
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, set.Close()) }()
	r, err := builtin.Reviewer(c.Context(), settings, set.Cluster())
	if err != nil {
		return sum, cfg.Locate(err)
	}
	sink, err := report.Audit(a.after(p), format, a.screen())
	if err != nil {
		return sum, err
	}
	run := audit.Run{Reviewer: r, Source: set, Sink: sink, Patches: format.ShowsPatches(), Progress: p.report}
	if sum, err = run.Do(c.Context()); err != nil {
		return sum, halfway(err)
	}
	p.stop()
	a.tellUnsettled(set.Cluster().Unsettled())
	return sum, nil
}

// halfway says how far a run came that was interrupted.
func halfway(err error) error {
	var cut *audit.Interrupted
	if !errors.As(err, &cut) || cut.Done == 0 || !errors.Is(err, context.Canceled) {
		return err
	}
	return partialError{fmt.Sprintf("interrupted: %d of %s were reviewed; the report is not whole", cut.Done, counted(cut.Total, "object"))}
}

// verdict turns a run into the end of the command. What could not be read
// weighs more than what was found, because more might be found in it.
func verdict(sum audit.Summary, failOn string) error {
	switch {
	case sum.Errors > 0:
		return fmt.Errorf("%s, told in the report", counted(sum.Errors, "error"))
	case failOn != never && sum.Findings.AtLeast(finding.Level(failOn)) > 0:
		return errFound
	}
	return nil
}
