package redact

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// Audit reviews objects as an audit of files does.
type Audit struct {
	Rules    *builtin.Rules
	Settings review.Settings
	Complete bool
}

// Review returns the verdict of an audit: of each finding the object, the rule, the level, the position of the
// container and the field.
func (a Audit) Review(ctx context.Context, objects []Object) (Verdict, error) {
	text, err := stream(objects)
	if err != nil {
		return nil, err
	}
	set, err := audit.Load(ctx, audit.Options{
		Paths: []string{"-"}, Stdin: bytes.NewReader(text), Complete: a.Complete, Kinds: a.Settings.Kinds,
	})
	if err != nil {
		return nil, fmt.Errorf("reading it again: %w", err)
	}
	defer func() { _ = set.Close() }() // nothing is written to it any more
	found, err := a.run(ctx, set)
	if err != nil {
		return nil, err
	}
	return verdict(objects, found), nil
}

// Of reviews the original. It fails where that cannot be done as a whole.
func (a Audit) Of(ctx context.Context, set *audit.Set) ([]finding.Finding, error) {
	found, err := a.run(ctx, set)
	if err != nil {
		return nil, err
	}
	for _, e := range found.Errors {
		return nil, fmt.Errorf("only what can be judged as a whole can be redacted: %w", e)
	}
	return found.Findings, nil
}

func (a Audit) run(ctx context.Context, set *audit.Set) (*audit.Result, error) {
	r, err := a.Rules.Reviewer(a.Settings, set.Cluster())
	if err != nil {
		return nil, fmt.Errorf("applying the settings: %w", err)
	}
	var found audit.Result
	if _, err := (audit.Run{Reviewer: r, Source: set, Sink: &found}).Do(ctx); err != nil {
		return nil, fmt.Errorf("reviewing: %w", err)
	}
	return &found, nil
}

// stream writes each object on one line, behind a line that separates it from the others.
func stream(objects []Object) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for _, o := range objects {
		b.WriteString("---\n")
		if o == nil {
			b.WriteString("\n")
			continue
		}
		if err := e.Encode(o); err != nil {
			return nil, fmt.Errorf("writing it again: %w", err)
		}
	}
	return b.Bytes(), nil
}

// verdict takes out of a result what does not depend on names.
func verdict(objects []Object, found *audit.Result) Verdict {
	v := Verdict{}
	at := func(s finding.Source) int { return s.Line/2 - 1 }
	for _, f := range found.Findings {
		i := at(f.Source)
		v = append(v, Finding{Object: i, Rule: f.Rule, Level: f.Level, Container: position(objects[i], f.Container), Path: f.Path})
	}
	for _, e := range found.Errors {
		v = append(v, Finding{Object: at(e.Source), Rule: "error " + e.Rule, Container: -1})
	}
	slices.SortFunc(v, Finding.compare)
	return v
}

// Finds reports whether the findings are those of the verdict, whatever their objects are called.
func (v Verdict) Finds(all []finding.Finding) bool {
	count := map[Finding]int{}
	for _, f := range v {
		count[Finding{Rule: f.Rule, Level: f.Level, Path: f.Path}]++
	}
	for _, f := range all {
		count[Finding{Rule: f.Rule, Level: f.Level, Path: f.Path}]--
	}
	return !slices.ContainsFunc(slices.Collect(maps.Values(count)), func(n int) bool { return n != 0 })
}

// position says which of the containers has the name, counted through the whole object; -1 for none.
func position(o Object, container string) int {
	if container == "" {
		return -1
	}
	return slices.Index(containers(o), container)
}

// containers lists the names of all containers in a value.
func containers(v any) []string {
	var names []string
	switch v := v.(type) {
	case Object:
		for _, field := range []string{"initContainers", "containers", "ephemeralContainers"} {
			list, _ := v[field].([]any)
			for _, c := range list {
				c, _ := c.(Object)
				name, _ := c["name"].(string)
				names = append(names, name)
			}
		}
		for _, field := range []string{"spec", "template", "jobTemplate", "jobTargetRef"} {
			names = append(names, containers(v[field])...)
		}
	}
	return names
}

// Judged reports whether an object has a pod template that rules judge.
func (a Audit) Judged(o Object) bool {
	apiVersion, _ := o["apiVersion"].(string)
	kind, _ := o["kind"].(string)
	return a.Settings.Kinds.Judged(schema.FromAPIVersionAndKind(apiVersion, kind))
}
