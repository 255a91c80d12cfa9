// Package review decides. Review is a pure function from a Subject to a Decision:
// admission requests and documents of files take the same way through it, so that
// they get the same verdict.
package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/finding"
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
}

// Reviewer reviews objects. It is immutable and safe for concurrent use.
type Reviewer struct {
	engine   *policy.Engine
	asks     *policy.Conditions
	known    facts.Knowledge
	cluster  cluster.Source
	settings Settings
	rules    map[string]policy.Rule
	levels   map[string]strengths
	params   map[string]map[string]any
	cache    *Cache
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
	rules, anonymous := make(map[string]policy.Rule, len(catalogue)), true
	for _, rule := range catalogue {
		rules[rule.ID] = rule
		anonymous = anonymous && o.Engine.Anonymous(rule.ID)
	}
	source := o.Cluster
	if source == nil {
		source = cluster.Unknown{}
	}
	r := &Reviewer{
		engine: o.Engine, asks: o.Engine.Conditions(params), known: o.Known, cluster: source,
		settings: o.Settings, rules: rules, levels: levels, params: params,
		cache: o.Cache, anonymous: anonymous,
	}
	if r.cache != nil {
		r.number = r.cache.reviewers.Add(1)
	}
	return r, nil
}

// Review judges one object. It fails only when the object cannot be read; a rule
// that fails is an error inside the Decision.
func (r *Reviewer) Review(ctx context.Context, s Subject) (Decision, error) {
	c, err := r.open(s)
	if err != nil || c.skipped != "" {
		return Decision{Skipped: c.skipped, Object: c.object, Sender: c.sender}, err
	}
	return r.judge(ctx, s, c)
}

// judge asks the rules about the object in its scope.
func (r *Reviewer) judge(ctx context.Context, s Subject, c opened) (Decision, error) {
	findings, failed, err := r.find(ctx, s, c.view, s.Object)
	if err != nil {
		return Decision{}, err
	}
	before, err := r.before(ctx, s, c, findings)
	if err != nil {
		return Decision{}, err
	}
	d := Decision{
		Object: c.object, Owner: c.owner, Sender: c.sender, Errors: failed,
		fired: make(map[finding.Identity]bool, len(findings)), scope: c.scope,
	}
	for i := range findings {
		f := &findings[i]
		d.fired[f.Identity()] = true
		f.Object = c.object
		f.Existing = before.has(f)
		f.Level = r.levelInForce(f, s.Operation, c.scope)
	}
	for i := range d.Errors {
		e := &d.Errors[i]
		e.Level = finding.Lowest(r.levels[e.Rule].at(s.Operation), c.scope.limit)
	}
	d.Findings = arrange(findings, c.view)
	return d, nil
}

// find returns what the rules say, without regard to levels other than off.
func (r *Reviewer) find(ctx context.Context, s Subject, v *workload.View, object []byte) ([]finding.Finding, []policy.RuleError, error) {
	request := requestOf(s, v)
	around := r.cluster.Context(request.Namespace, v.PodMeta.Labels)
	id, kept := r.digest(request, object, around)
	if kept {
		if findings, ok := r.cache.get(id); ok {
			return findings, nil, nil
		}
	}
	input, observed := r.input(request, v, object, around)
	found, failed, err := r.engine.Evaluate(ctx, input, r.enabled(s.Operation, r.asks.Asked(observed)))
	if err != nil {
		return nil, nil, fmt.Errorf("asking the rules: %w", err)
	}
	fields := fieldsOf(v)
	for i := range found {
		found[i].Field = fields.of(found[i].Path)
	}
	if kept && len(failed) == 0 {
		r.cache.put(id, found)
	}
	return found, failed, nil
}

func (r *Reviewer) enabled(o Operation, rules []policy.Rule) []policy.Rule {
	var on []policy.Rule
	for _, rule := range rules {
		if r.levels[rule.ID].at(o) != finding.Off {
			on = append(on, rule)
		}
	}
	return on
}

// Input returns the document that rules would judge, for people who write rules.
func (r *Reviewer) Input(s Subject) (*policy.Input, error) {
	v, err := r.settings.Kinds.FromObject(s.Object)
	if err != nil {
		return nil, err
	}
	request := requestOf(s, v)
	input, _ := r.input(request, v, s.Object, r.cluster.Context(request.Namespace, v.PodMeta.Labels))
	return input, nil
}

func requestOf(s Subject, v *workload.View) policy.Request {
	return policy.Request{
		Operation: string(s.Operation), Kind: policy.KindOf(s.Kind),
		Namespace: cmp.Or(s.Namespace, v.Meta.Namespace), Name: s.Name, DryRun: s.DryRun, User: s.User,
	}
}

func (r *Reviewer) input(request policy.Request, v *workload.View, object []byte, around cluster.Context) (*policy.Input, *facts.Facts) {
	f := facts.Of(v, around, r.known)
	return &policy.Input{
		Version:    policy.InputVersion,
		Request:    request,
		Object:     object,
		Pod:        policy.Pod{Metadata: v.PodMeta, Spec: v.PodSpec, Pod: f.Pod},
		Workload:   f.Workload,
		Containers: f.Containers,
		Cluster:    around,
		Params:     r.params,
	}, &f
}
