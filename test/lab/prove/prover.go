package prove

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/forestall/forestall/test/lab"
	"github.com/forestall/forestall/test/lab/proof"
)

// Options say what is proved, and where.
type Options struct {
	Lab *lab.Lab
	// Policies is the folder with the rules.
	Policies string
	// Rule is the one to prove; all where it is empty.
	Rule string
	// Webhook is the forestall-webhook that has to deny what fails.
	Webhook string
	// Progress is told what happens.
	Progress func(string)
}

// prover is one run.
type prover struct {
	Options
	rules  []rule
	cases  []*running
	reader *cacheReader

	leaving sync.WaitGroup // namespaces that are being removed

	mu   sync.Mutex
	done int
}

// running is a case with what became of it.
type running struct {
	rule   *rule
	fails  bool
	report proof.CaseReport
}

func (r *running) name() string { return r.rule.id + "/" + r.report.Case.Name }

// alone tells whether the case needs the node for itself.
func (r *running) alone() bool { return r.report.Case.PodsMemory != "" }

// fail notes the first thing that went wrong.
func (r *running) fail(err error) {
	if err != nil && r.report.Err == nil {
		r.report.Err = err
	}
}

// Run proves the rules. The report is complete unless ctx has ended; an error
// tells that proving itself failed, not that a proof did.
func Run(ctx context.Context, o Options) (proof.Report, error) {
	all, err := rules(ctx, o.Policies, o.Rule)
	if err != nil {
		return proof.Report{}, err
	}
	p := &prover{Options: o, rules: all}
	for i := range all {
		for _, c := range all[i].proof.Fails {
			p.cases = append(p.cases, &running{rule: &all[i], fails: true, report: proof.CaseReport{Case: c}})
		}
		for _, c := range all[i].proof.Works {
			p.cases = append(p.cases, &running{rule: &all[i], report: proof.CaseReport{Case: c}})
		}
	}
	if err := p.run(ctx); err != nil {
		return proof.Report{}, err
	}
	return p.report(ctx)
}

// run goes from forestall in place to forestall stopped: what it denied or
// patched before is run without it then. The registration stays, so that the
// API server is in the state of a cluster whose forestall is down.
func (p *prover) run(ctx context.Context) (err error) {
	watching, stop := context.WithCancel(ctx)
	defer stop()
	if p.reader, err = p.watch(watching); err != nil {
		return err
	}
	if err := p.Lab.AddImages(ctx, p.images()...); err != nil {
		return err
	}
	if err := p.Lab.UncapPods(); err != nil { // an interrupted run may not have
		return err
	}
	defer func() { err = errors.Join(err, p.Lab.Unregister(context.WithoutCancel(ctx))) }()
	defer p.leaving.Wait()
	if err := p.withWebhook(ctx); err != nil {
		return err
	}
	if err := p.audited(ctx); err != nil {
		return err
	}
	p.Progress("forestall is stopped, its registration stays: the same manifests have to fail now")
	unpatched := p.choose(func(r *running) bool { return !r.report.Case.Patched })
	if err := p.onNode(ctx, unpatched, p.observe); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// images are the stand-ins of all cases.
func (p *prover) images() []string {
	var names []string
	for _, r := range p.cases {
		for _, s := range r.report.Case.StandIns {
			names = append(names, s.Image)
		}
	}
	return names
}

// choose returns the chosen cases: those that run alone, or the others.
func (p *prover) choose(wanted func(*running) bool) func(alone bool) []*running {
	return func(alone bool) []*running {
		var out []*running
		for _, r := range p.cases {
			if wanted(r) && r.alone() == alone {
				out = append(out, r)
			}
		}
		return out
	}
}

// onNode does something with the chosen cases, whose pods share the node; then, one
// after the other, with those that need it for themselves.
func (p *prover) onNode(ctx context.Context, chosen func(alone bool) []*running, do func(context.Context, *running) error) error {
	var jobs []job
	for _, r := range chosen(false) {
		takes, err := r.share(ctx)
		if err != nil {
			return fmt.Errorf("case %s: %w", r.name(), err)
		}
		jobs = append(jobs, job{r, takes})
	}
	p.sideBySide(ctx, node(), jobs, do)
	p.atATime(ctx, 1, chosen(true), do)
	return nil
}

// atATime does something with each case, with so many at a time.
func (p *prover) atATime(ctx context.Context, most int, cases []*running, do func(context.Context, *running) error) {
	jobs := make([]job, 0, len(cases))
	for _, r := range cases {
		jobs = append(jobs, job{r, share{pods: 1}})
	}
	p.sideBySide(ctx, share{pods: most}, jobs, do)
}

// tell prints how a case ended.
func (p *prover) tell(r *running, took time.Duration, what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.Progress(fmt.Sprintf("%d/%d %s: %s (%s)", p.done, len(p.cases), r.name(), what, took.Round(time.Second)))
}

func (p *prover) report(ctx context.Context) (proof.Report, error) {
	v, err := p.Lab.Versions(ctx)
	if err != nil {
		return proof.Report{}, err
	}
	out := proof.Report{Ground: proof.Ground(v)}
	for i := range p.rules {
		r := &p.rules[i]
		entry := proof.RuleReport{ID: r.id, Predicted: r.predicted, Unproved: r.proof.Unproved}
		for _, c := range p.cases {
			switch {
			case c.rule != r:
			case c.fails:
				entry.Fails = append(entry.Fails, c.report)
			default:
				entry.Works = append(entry.Works, c.report)
			}
		}
		out.Rules = append(out.Rules, entry)
	}
	return out, nil
}
