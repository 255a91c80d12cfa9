package review

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/workload"
)

// group holds the rules whose findings are kept together. The rules of an anonymous group find
// the same in objects that differ only in their names and senders. The others have a group of
// their own, so that they do not keep the anonymous ones from sharing what they found.
type group struct {
	anonymous bool
	rules     map[string]bool
}

// groupsOf sorts the rules into groups and returns those that are not empty. Where nothing is
// kept there is one.
func groupsOf(o Options, catalogue []policy.Rule) []group {
	both := []group{{anonymous: true, rules: map[string]bool{}}, {rules: map[string]bool{}}}
	for _, rule := range catalogue {
		anonymous := o.Cache != nil && o.Engine.Anonymous(rule.ID)
		for _, g := range both {
			if g.anonymous == anonymous {
				g.rules[rule.ID] = true
			}
		}
	}
	return slices.DeleteFunc(both, func(g group) bool { return len(g.rules) == 0 })
}

// question is one object about which rules are asked. It works out each part of the answer when
// it is first needed, and once for all groups.
type question struct {
	budget    *budget.Budget
	operation Operation
	request   policy.Request
	*judged
	world    cluster.World
	observed *facts.Facts
	document *policy.Input
	// parts are those of the cluster that are in the document.
	parts cluster.Parts
}

func (r *Reviewer) question(b *budget.Budget, s Subject, j *judged) *question {
	request := requestOf(s, j.view)
	return &question{
		budget: b, operation: s.Operation, request: request, judged: j,
		world: cluster.World{
			Store: r.cluster, Namespace: request.Namespace,
			Limited:   j.view.IsPod() && (s.Stored || s.Operation != Audit),
			HideNames: r.settings.HideNames && !s.Verified && s.Operation != Audit,
		},
	}
}

// facts returns what is observed of the object. Observing may spend half of the budget; the
// other half is for the rules that judge what was seen.
func (r *Reviewer) facts(q *question) *facts.Facts {
	if q.observed == nil {
		part := q.budget.Part(q.budget.Left() / 2)
		var observed facts.Facts
		if q.other != nil {
			observed = q.other.Observe(part, q.world)
		} else {
			observed = facts.Of(part, q.view, q.world, r.known)
		}
		if q.manifest != nil {
			observed.Manifest = *q.manifest
		}
		q.observed = &observed
	}
	return q.observed
}

// input returns the document that rules judge, with these parts of the cluster.
func (r *Reviewer) input(q *question, wanted cluster.Parts) *policy.Input {
	if q.document == nil {
		observed := r.facts(q)
		q.document = &policy.Input{
			Version:    policy.InputVersion,
			Request:    q.request,
			Object:     q.raw,
			Pod:        policy.Pod{Metadata: q.view.PodMeta, Spec: q.view.PodSpec, Pod: observed.Pod},
			Workload:   observed.Workload,
			Containers: observed.Containers,
			Service:    observed.Service,
			Manifest:   observed.Manifest,
			Params:     r.params,
		}
	}
	if all := q.parts.With(wanted); all != q.parts {
		q.parts = all
		q.document.Cluster = q.world.Context(q.budget, q.view.PodMeta.Labels, all)
	}
	return q.document
}

func requestOf(s Subject, v *workload.View) policy.Request {
	return policy.Request{
		Operation: string(s.Operation), Kind: policy.KindOf(s.Kind),
		Namespace: cmp.Or(s.Namespace, v.Meta.Namespace), Name: s.Name, DryRun: s.DryRun, User: s.User,
	}
}

// Input returns the document that rules would judge, for people who write rules.
func (r *Reviewer) Input(s Subject) (*policy.Input, error) {
	j, err := r.read(s, s.Object)
	if err != nil {
		return nil, err
	}
	return r.input(r.question(budget.New(context.Background(), r.steps), s, j), cluster.AllParts()), nil
}

// found is what the rules say of an object.
type found struct {
	findings []finding.Finding
	failed   []policy.RuleError
	// unfinished says that the budget was spent before the whole object was observed, or before
	// all rules were asked.
	unfinished bool
}

// find returns what the rules say about the object. Rules that are off are not asked; their
// other levels do not matter here.
func (r *Reviewer) find(ctx context.Context, b *budget.Budget, s Subject, j *judged) (found, error) {
	q := r.question(b, s, j)
	var all found
	for _, g := range r.groups {
		part, err := r.findOf(ctx, q, g)
		if err != nil {
			return found{}, err
		}
		all.findings, all.failed = append(all.findings, part.findings...), append(all.failed, part.failed...)
		all.unfinished = all.unfinished || part.unfinished
	}
	if len(r.groups) > 1 { // in the order that they have from one group
		slices.SortStableFunc(all.findings, func(a, b finding.Finding) int { return strings.Compare(a.Rule, b.Rule) })
		slices.SortStableFunc(all.failed, func(a, b policy.RuleError) int { return strings.Compare(a.Rule, b.Rule) })
	}
	return all, nil
}

// findOf returns what the rules of a group say, out of the cache where that knows it.
func (r *Reviewer) findOf(ctx context.Context, q *question, g group) (found, error) {
	id, kept := r.digest(q, g.anonymous)
	if kept {
		if findings, ok := r.cache.get(id, q.budget); ok {
			return found{findings: findings}, nil
		}
	}
	before := q.budget.Spent()
	out, err := r.ask(ctx, q, g)
	if kept && err == nil && len(out.failed) == 0 && !out.unfinished {
		r.cache.put(id, out.findings, q.budget.Spent()-before)
	}
	return out, err
}

// ask asks the rules of a group that judge something that was observed.
func (r *Reviewer) ask(ctx context.Context, q *question, g group) (found, error) {
	observed := r.facts(q)
	if err := q.budget.Err(); err != nil && !q.budget.IsSpent() {
		return found{}, fmt.Errorf("observing the object: %w", err)
	}
	var document *policy.Input
	rules := r.enabled(q, g, r.asks.Asked(observed))
	if len(rules) > 0 {
		document = r.input(q, r.engine.ClusterParts(rules))
	}
	findings, failed, err := r.engine.Evaluate(ctx, q.budget, document, rules)
	if err != nil {
		return found{}, fmt.Errorf("asking the rules: %w", err)
	}
	if len(findings) > 0 {
		fields := fieldsOf(q.judged)
		for i := range findings {
			findings[i].Field = fields.of(findings[i].Path)
		}
	}
	return found{findings: findings, failed: failed, unfinished: observed.Unfinished || q.budget.IsSpent()}, nil
}

func (r *Reviewer) enabled(q *question, g group, rules []policy.Rule) []policy.Rule {
	var on []policy.Rule
	for _, rule := range rules {
		if g.rules[rule.ID] && r.strength(rule.ID, q.operation, q.request.Namespace) != finding.Off {
			on = append(on, rule)
		}
	}
	return on
}
