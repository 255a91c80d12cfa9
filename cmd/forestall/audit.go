package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// never is the word for --fail-on that no finding reaches.
const never = "none"

// auditOptions are the flags of audit.
type auditOptions struct {
	in       inputFlags
	rendered *renderFlags
	cluster  *clusterFlags
	rules    *rulesFlags
	outputs  *outputs
	minLevel *choice
	failOn   *choice
	summary  bool
	earlier  *earlierFlags
	talk     *talk
}

func (a app) auditCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "audit FILE|DIR|-...|--cluster",
		Short: "Judge the objects in files, or in a cluster",
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
A kustomization among the files says which others are patches and which images it replaces.

--helm renders a chart and --kustomize builds a kustomization, each with what comes with
it and without fetching anything, and a finding names the line of the template or of
the manifest that it comes from. -n is the namespace of the release.

--cluster judges what runs in a cluster: in all its namespaces, or in those of -n. It only
reads. Pods stand behind the workload that makes them, which is told with their number; one
that differs from it, such as by an injected container, is judged beside it. What may not be
read is unknown, and the report says so. --as shows what a mode would do before it is set,
in the whole cluster, in one namespace, or of files.

The verdict is that of admission with the same configuration: what the webhook would
repair is told as patched, and is no denial.

An annotation of an object or its pod template, ignore.forestall.dev/RULE: REASON,
takes the findings of a rule out; they are listed as ignored.

--baseline FILE takes an earlier report, and tells only what is new since; --diff FILE tells
what is worse and what is better. Both compare by rule, object, container and field, so
that moved lines and files do not count, and the exit code is by what is new or worse.

--rule and --exclude choose the rules that are told, and --min-level what is shown
of their findings: it changes neither the totals nor the exit code.

Exit code: 0 when nothing is found at the level of --fail-on or above, 1 when
something is, 2 when the command line or the configuration is wrong or something
could not be read. What is patched, ignored or of other rules does not count.`,
		Example: `  # Everything in a folder; -f manifests/ means the same
  forestall audit manifests/

  # A chart with the values of production, and a kustomization
  forestall audit --helm charts/web --values prod.yaml --set replicas=3 -n shop
  forestall audit --kustomize overlays/prod

  # What another program has rendered
  helmfile template | forestall audit -f -

  # Manifests without a namespace, as "kubectl apply -n shop" would take them
  forestall audit manifests/ -n shop

  # What runs: in the cluster of kubectl, or in two namespaces of another one
  forestall audit --cluster
  forestall audit --cluster --context prod -n shop -n payments

  # What would be refused if the namespace shop were to deny
  forestall audit --cluster -n shop --as deny --min-level deny

  # For programs, failing on warnings too
  forestall audit manifests/ extra.yaml -o json --fail-on warn

  # For people, for GitHub's code scanning and as a comment, in one run
  forestall audit manifests/ -o table -o sarif=forestall.sarif -o markdown=comment.md

  # How much there is of what, and how much of it can be repaired
  forestall audit manifests/ --summary

  # Only what is new since a report that was made before
  forestall audit manifests/ -o json=baseline.json
  forestall audit manifests/ --baseline baseline.json

  # One rule, or all but one
  forestall audit manifests/ --rule memory-limit-missing
  forestall audit manifests/ --exclude image-tag-mutable --min-level warn`,
	}
	o := auditOptions{in: reads(c), cluster: clusters(c), rendered: renders(c), outputs: auditOutputs(c), rules: chooseRules(c)}
	c.Flags().Lookup("namespace").Usage = "of files: where objects go that write no namespace, as with kubectl -n; of a cluster: judge this namespace alone (repeatable)"
	o.in.namespaces.offer = o.cluster.completeNamespaces
	o.minLevel = choose(c, "min-level", "", "lowest level of the findings that are shown; all are counted",
		string(finding.Audit), string(finding.Warn), string(finding.Deny))
	c.Flags().BoolVar(&o.summary, "summary", false, "count the findings of each rule instead of listing them, and what 'forestall fix' would repair")
	o.failOn = choose(c, "fail-on", "", "lowest level of a finding that makes the exit code 1",
		string(finding.Deny), string(finding.Warn), string(finding.Audit), never)
	o.earlier, o.talk = compares(c), talks(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := errors.Join(o.earlier.check(c, o), o.talk.check(c)); err != nil {
			return err
		}
		a := a
		a.quiet = o.talk.quiet
		sum, err := a.audit(c, o, args)
		if err != nil {
			return err
		}
		return a.verdict(sum, o.failOn.value)
	}
	return c
}

func (a app) audit(c *cobra.Command, o auditOptions, args []string) (sum audit.Summary, err error) {
	cfg, err := a.configuration(c, o.in.config)
	if err != nil {
		return sum, err
	}
	settings := cfg.AuditSettings()
	settings.Assumed = o.cluster.as.assumed
	if err := o.rules.choose(c, &settings); err != nil {
		return sum, err
	}
	watch := o.talk.stopwatch(a.streams)
	p := a.startProgress()
	defer p.stop()
	read := o.in.options(args)
	read.Progress, read.Kinds = p.report, settings.Kinds
	if read.Rendered, err = a.texts(c, o.rendered, read.Namespace); err != nil {
		return sum, err
	}
	set, err := a.gather(c, o, read)
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, set.Close()) }()
	r, err := o.cluster.reviewer(c.Context(), settings, set.Cluster())
	watch.lap("read " + amount(set.Counts()))
	if err != nil {
		return sum, cfg.Locate(err)
	}
	sinks, err := a.sinks(o, r.Rules(), p)
	if err != nil {
		return sum, err
	}
	defer sinks.drop()
	run := audit.Run{Reviewer: r, Source: set, Sink: sinks, Patches: o.summary || o.outputs.showsPatches(), Assumed: settings.Assumed, Progress: p.report}
	if sum, err = run.Do(c.Context()); err != nil {
		return sum, halfway(err)
	}
	if err := a.keep(c.Context(), sinks); err != nil {
		return sum, err
	}
	p.stop()
	watch.lap(fmt.Sprintf("judged %s by %s", counted(sum.Judged, "object"), counted(len(r.Rules()), "rule")))
	watch.written(sinks)
	a.tellUnsettled(set.Cluster().Unsettled())
	return sinks.weighed(sum), nil
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
func (s streams) verdict(sum audit.Summary, failOn string) error {
	switch {
	case sum.Errors > 0 && s.quiet:
		return errTold
	case sum.Errors > 0:
		return fmt.Errorf("%s, told in the report", counted(sum.Errors, "error"))
	case failOn != never && sum.Findings.AtLeast(finding.Level(failOn)) > 0:
		return errFound
	}
	return nil
}
