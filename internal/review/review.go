// Package review decides. Review is a pure function from a Subject to a Decision:
// admission requests and documents of files take the same way through it, so that
// they get the same verdict.
package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/workload"
)

// Options configure a Reviewer.
type Options struct {
	// Engine holds the rules. Required.
	Engine *policy.Engine
	// Known is what the analysers know beforehand.
	Known facts.Knowledge
	// Cluster tells what else exists; nil for nothing known.
	Cluster cluster.Source
	// Settings are levels and parameters; the zero value leaves all to the rules.
	Settings Settings
	// Cache keeps findings; nil keeps none.
	Cache *Cache
	// Steps is what may be spent on one object, its repairs included; 0 for budget.Default.
	Steps int64
}

// Reviewer reviews objects. It is immutable and safe for concurrent use.
type Reviewer struct {
	engine   *policy.Engine
	known    facts.Knowledge
	cluster  cluster.Source
	settings Settings
	rules    map[string]policy.Rule
	levels   map[string]strengths
	params   map[string]map[string]any
	cache    *Cache
	steps    int64
	// number tells this Reviewer's answers in the cache from those of others.
	number uint64
	// anonymous is true where no rule can tell objects apart by their names.
	anonymous bool
}

// New returns a Reviewer. It fails on settings that cannot be: each of the joined
// errors begins with the place of the setting, such as rules.command-exits.level.
func New(o Options) (*Reviewer, error) {
	if o.Engine == nil {
		return nil, errors.New("a Reviewer needs an Engine")
	}
	catalogue := o.Engine.Rules()
	params, problems := policy.Params(catalogue, o.Settings.Params)
	levels, err := o.Settings.strengthsOf(catalogue)
	if err := errors.Join(problems, err); err != nil {
		return nil, err
	}
	rules := make(map[string]policy.Rule, len(catalogue))
	for _, rule := range catalogue {
		rules[rule.ID] = rule
	}
	source := o.Cluster
	if source == nil {
		source = cluster.Unknown{}
	}
	r := &Reviewer{
		engine: o.Engine, known: o.Known, cluster: source,
		settings: o.Settings, rules: rules, levels: levels, params: params,
		cache: o.Cache, steps: o.Steps, anonymous: o.Engine.Anonymous(),
	}
	if r.cache != nil {
		r.number = r.cache.reviewers.Add(1)
	}
	return r, nil
}

// Review judges one object. It fails when the object cannot be read, or the context ends; a rule
// that fails is an error inside the Decision, and an object that takes too many steps is Unfinished.
func (r *Reviewer) Review(ctx context.Context, s Subject) (Decision, error) {
	c, err := r.open(s)
	if err != nil || c.skipped != "" {
		return Decision{Skipped: c.skipped, Object: c.object}, err
	}
	return r.judge(ctx, s, c)
}

// judge asks the rules about the object in its scope.
func (r *Reviewer) judge(ctx context.Context, s Subject, c opened) (Decision, error) {
	b := budget.New(ctx, r.steps)
	b.Spend((len(s.Object) + len(s.OldObject)) / bytesPerStep)
	now, err := r.find(ctx, b, s, c.view, s.Object)
	if err != nil {
		return Decision{}, err
	}
	d := Decision{
		Object: c.object, Owner: c.owner, Errors: now.failed,
		fired: make(map[Identity]bool, len(now.findings)), scope: c.scope,
	}
	before, known, err := r.identitiesBefore(ctx, b, s, c)
	if err != nil {
		return Decision{}, err
	}
	if now.unfinished || !known {
		d.Unfinished = budget.ErrSpent.Error()
	}
	d.Steps, d.left = b.Spent(), b.Left()
	for _, f := range now.findings {
		d.fired[f.Identity] = true
		f.Existing = before[f.Identity] || !known // what is not known to be new is not
		f.Level = r.levelInForce(f, s.Operation, c.scope)
		d.Findings = append(d.Findings, f)
	}
	d.Findings = r.arrange(d.Findings, c.view)
	return d, nil
}

// bytesPerStep is how many bytes of an object take a step to be decoded.
const bytesPerStep = 16

// found is what the rules say of an object.
type found struct {
	findings []Finding
	failed   []policy.RuleError
	// unfinished says that the budget was spent before all of it was looked at, or all rules were asked.
	unfinished bool
}

// find returns what the rules say, without regard to levels other than off.
func (r *Reviewer) find(ctx context.Context, b *budget.Budget, s Subject, v *workload.View, object []byte) (found, error) {
	request := requestOf(s, v)
	around := r.cluster.Context(request.Namespace, v.PodMeta.Labels)
	id, kept := r.digest(request, object, around)
	if kept {
		if findings, ok := r.cache.get(id, b); ok {
			return found{findings: findings}, nil
		}
	}
	before := b.Spent()
	// Half is for the rules: of what was seen, they can judge.
	input, observed := r.input(b.Part(b.Left()/2), request, v, object, around)
	reported, failed, err := r.engine.Evaluate(ctx, b, input, r.enabled(s.Operation, r.engine.Asked(observed)))
	if err != nil {
		return found{}, fmt.Errorf("asking the rules: %w", err)
	}
	out := found{failed: failed, findings: make([]Finding, 0, len(reported)), unfinished: observed.Unfinished || b.IsSpent()}
	for _, f := range reported {
		rule := r.rules[f.Rule]
		out.findings = append(out.findings, Finding{
			Finding: f, Certainty: rule.Certainty, Category: rule.Category, Failure: rule.Failure,
			Identity: identify(f, v),
		})
	}
	if kept && len(failed) == 0 && !out.unfinished {
		r.cache.put(id, out.findings, b.Spent()-before)
	}
	return out, nil
}

func (r *Reviewer) enabled(o Operation, rules []policy.Rule) []policy.Rule {
	var on []policy.Rule
	for _, rule := range rules {
		if r.levels[rule.ID].at(o) != policy.Off {
			on = append(on, rule)
		}
	}
	return on
}

// Input returns the document that rules would judge, for people who write rules.
func (r *Reviewer) Input(s Subject) (*policy.Input, error) {
	v, err := workload.FromObject(s.Object)
	if err != nil {
		return nil, err
	}
	request := requestOf(s, v)
	input, _ := r.input(budget.New(context.Background(), r.steps), request, v, s.Object, r.cluster.Context(request.Namespace, v.PodMeta.Labels))
	return input, nil
}

func requestOf(s Subject, v *workload.View) policy.Request {
	return policy.Request{
		Operation: string(s.Operation), Kind: policy.KindOf(s.Kind),
		Namespace: cmp.Or(s.Namespace, v.Meta.Namespace), Name: s.Name, DryRun: s.DryRun, User: s.User,
	}
}

func (r *Reviewer) input(b *budget.Budget, request policy.Request, v *workload.View, object []byte, around cluster.Context) (*policy.Input, facts.Facts) {
	f := facts.Of(b, v, around, r.known)
	return &policy.Input{
		Version:    policy.InputVersion,
		Request:    request,
		Object:     object,
		Pod:        policy.Pod{Metadata: v.PodMeta, Spec: v.PodSpec},
		Workload:   f.Workload,
		Containers: f.Containers,
		Cluster:    around,
		Params:     r.params,
	}, f
}
