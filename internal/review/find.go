package review

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/workload"
)

// group is the rules whose findings are kept together. Those of an anonymous group are the
// same for objects that differ in nothing but their names and who sent them; one rule that
// can tell these apart does not keep the others from sharing what they found.
type group struct {
	anonymous bool
	rules     map[string]bool
}

// groupsOf returns the groups that have rules: one for all, where nothing is kept.
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

// question is one object about which rules are asked. What its answer is made of is worked
// out when it is needed, and once for all groups.
type question struct {
	operation Operation
	request   policy.Request
	view      *workload.View
	object    []byte
	world     cluster.World
	observed  *facts.Facts
	document  *policy.Input
}

func (r *Reviewer) question(s Subject, v *workload.View, object []byte) *question {
	request := requestOf(s, v)
	return &question{
		operation: s.Operation, request: request, view: v, object: object,
		world: cluster.World{
			Store: r.cluster, Namespace: request.Namespace,
			Limited: v.IsPod() && s.Operation != Audit,
		},
	}
}

// facts returns what is observed of the object.
func (r *Reviewer) facts(q *question) *facts.Facts {
	if q.observed == nil {
		observed := facts.Of(q.view, q.world, r.known)
		q.observed = &observed
	}
	return q.observed
}

// input returns the document that rules judge.
func (r *Reviewer) input(q *question) *policy.Input {
	if q.document == nil {
		observed := r.facts(q)
		q.document = &policy.Input{
			Version:    policy.InputVersion,
			Request:    q.request,
			Object:     q.object,
			Pod:        policy.Pod{Metadata: q.view.PodMeta, Spec: q.view.PodSpec, Pod: observed.Pod},
			Workload:   observed.Workload,
			Containers: observed.Containers,
			Cluster:    q.world.Context(q.view.PodMeta.Labels),
			Params:     r.params,
		}
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
	v, err := r.settings.Kinds.FromObject(s.Object)
	if err != nil {
		return nil, err
	}
	return r.input(r.question(s, v, s.Object)), nil
}

// find returns what the rules say, without regard to levels other than off.
func (r *Reviewer) find(ctx context.Context, s Subject, v *workload.View, object []byte) ([]finding.Finding, []policy.RuleError, error) {
	q := r.question(s, v, object)
	var all []finding.Finding
	var failed []policy.RuleError
	for _, g := range r.groups {
		found, errs, err := r.findOf(ctx, q, g)
		if err != nil {
			return nil, nil, err
		}
		all, failed = append(all, found...), append(failed, errs...)
	}
	if len(r.groups) > 1 { // in the order that they have from one group
		slices.SortStableFunc(all, func(a, b finding.Finding) int { return strings.Compare(a.Rule, b.Rule) })
		slices.SortStableFunc(failed, func(a, b policy.RuleError) int { return strings.Compare(a.Rule, b.Rule) })
	}
	return all, failed, nil
}

// findOf returns what the rules of a group say, from before where it is known.
func (r *Reviewer) findOf(ctx context.Context, q *question, g group) ([]finding.Finding, []policy.RuleError, error) {
	id, kept := r.digest(q, g.anonymous)
	if kept {
		if findings, ok := r.cache.get(id); ok {
			return findings, nil, nil
		}
	}
	findings, failed, err := r.ask(ctx, q, g)
	if kept && err == nil && len(failed) == 0 {
		r.cache.put(id, findings)
	}
	return findings, failed, err
}

// ask asks those of a group that judge something of what is observed.
func (r *Reviewer) ask(ctx context.Context, q *question, g group) ([]finding.Finding, []policy.RuleError, error) {
	rules := r.enabled(q.operation, g, r.asks.Asked(r.facts(q)))
	if len(rules) == 0 {
		return nil, nil, nil
	}
	found, failed, err := r.engine.Evaluate(ctx, r.input(q), rules)
	if err != nil {
		return nil, nil, fmt.Errorf("asking the rules: %w", err)
	}
	fields := fieldsOf(q.view)
	for i := range found {
		found[i].Field = fields.of(found[i].Path)
	}
	return found, failed, nil
}

func (r *Reviewer) enabled(o Operation, g group, rules []policy.Rule) []policy.Rule {
	var on []policy.Rule
	for _, rule := range rules {
		if g.rules[rule.ID] && r.levels[rule.ID].at(o) != finding.Off {
			on = append(on, rule)
		}
	}
	return on
}
