// Package review decides. Review is a pure function from a Subject to a Decision:
// admission requests and documents of files take the same way through it, so that
// they get the same verdict.
package review

import (
	"context"
	"errors"
	"fmt"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
)

// Options configure a Reviewer.
type Options struct {
	// Engine holds the rules. Required.
	Engine *policy.Engine
	// Known is what the analysers know beforehand.
	Known facts.Knowledge
	// Cluster tells what else exists; nil for cluster.NoCluster.
	Cluster *cluster.Store
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
	asks     *policy.Conditions
	known    facts.Knowledge
	cluster  *cluster.Store
	settings Settings
	rules    map[string]policy.Rule
	levels   map[string]strengths
	params   map[string]map[string]any
	cache    *Cache
	steps    int64
	// number tells this Reviewer's answers in the cache from those of others.
	number uint64
	// groups are the rules, grouped by how their findings are kept.
	groups []group
}

// New returns a Reviewer. It fails on settings that are invalid: each of the joined errors
// begins with the place of the setting, such as rules.command-exits.level.
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
	store := o.Cluster
	if store == nil {
		store = cluster.NoCluster()
	}
	r := &Reviewer{
		engine: o.Engine, asks: o.Engine.Conditions(params), known: o.Known, cluster: store,
		settings: o.Settings, rules: rules, levels: levels, params: params,
		cache: o.Cache, steps: o.Steps, groups: groupsOf(o, catalogue),
	}
	if r.cache != nil {
		r.number = r.cache.reviewers.Add(1)
	}
	return r, nil
}

// Review judges one object. It fails when the object cannot be read, or the context ends; a rule
// that fails is an error inside the Decision, and an object that takes too many steps is Unfinished.
func (r *Reviewer) Review(ctx context.Context, s Subject) (Decision, error) {
	if err := ctx.Err(); err != nil { // it may have waited for long
		return Decision{}, fmt.Errorf("before the object was decoded: %w", err)
	}
	c, err := r.open(s)
	if err != nil || c.skipped != "" {
		return Decision{Skipped: c.skipped, Skip: c.skip, Object: c.object, Sender: c.sender}, err
	}
	if c.tooLarge {
		unfinished := budget.ErrSpent.Error()
		return Decision{
			Object: c.object, Owner: c.owner, Sender: c.sender, Unfinished: unfinished, Refused: c.scope.refuses(unfinished),
		}, nil
	}
	return r.judge(ctx, s, c)
}

// judge asks the rules about the object in its scope.
func (r *Reviewer) judge(ctx context.Context, s Subject, c opened) (Decision, error) {
	b := budget.New(ctx, r.steps)
	b.Spend((len(s.Object) + len(s.OldObject)) / bytesPerStep)
	now, err := r.find(ctx, b, s, c.now)
	if err != nil {
		return Decision{}, err
	}
	before, err := r.before(ctx, b, s, c, now.findings)
	if err != nil {
		return Decision{}, err
	}
	d := Decision{
		Object: c.object, Owner: c.owner, Sender: c.sender, Errors: now.failed, Wrong: c.now.wrong,
		fired: make(map[finding.Identity]bool, len(now.findings)), scope: c.scope,
	}
	if now.unfinished || before.unfinished {
		d.Unfinished = budget.ErrSpent.Error()
		d.Refused = c.scope.refuses(d.Unfinished)
	}
	d.Steps, d.left = b.Spent(), b.Left()
	for i := range now.findings {
		f := &now.findings[i]
		d.fired[f.Identity()] = true
		f.Object = c.object
		f.Existing = before.has(f)
		f.Level = r.levelInForce(f, s.Operation, c.scope)
		if c.idle != "" {
			f.What = fmt.Sprintf("nothing now, since it runs nothing (%s). Once it runs: %s", c.idle, f.What)
		}
	}
	for i := range d.Errors {
		e := &d.Errors[i]
		e.Level = finding.Lowest(r.strength(e.Rule, s.Operation, c.object.Namespace), c.scope.limit)
	}
	d.Findings = arrange(r.told(&d, c.now.view, now.findings), c.now.view)
	return d, nil
}

// bytesPerStep is how many bytes of an object are decoded in one step.
const bytesPerStep = 16

// Rules returns the catalogue that is asked, in its order.
func (r *Reviewer) Rules() []policy.Rule { return r.engine.Rules() }
