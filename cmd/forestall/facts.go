package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/report"
	"github.com/forestall/forestall/internal/similar"
	"github.com/forestall/forestall/internal/terminal"
	"github.com/forestall/forestall/internal/workload"
)

func (a app) factsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "facts FILE|DIR|-... [--name KIND/NAME]",
		Short: "Print what the rules see of an object",
		Long: `Facts prints the document that rules judge, as JSON: the object, its pod template
with the API's defaults, and what was observed about each container.

For one object it is one document, indented. For several it is a document on each
line; --name picks one of them.`,
		Example: `  # What the rules see
  forestall facts pod.yaml

  # The verdict, from stock OPA
  forestall facts pod.yaml | opa eval -b policies -I data.forestall.main.report

  # One object of many, or of a chart
  forestall facts manifests/ --name Deployment/web
  forestall facts --helm charts/web --name Deployment/web`,
	}
	in, rendered := reads(c), renders(c)
	name := c.Flags().String("name", "", "print the object of this KIND/NAME alone")
	complete(c, "name")
	c.RunE = func(c *cobra.Command, args []string) error {
		o := in.options(args)
		var err error
		if o.Rendered, err = a.texts(c, rendered, o.Namespace); err != nil {
			return err
		}
		return a.facts(c, o, in.config, *name)
	}
	return c
}

func (a app) facts(c *cobra.Command, o audit.Options, file *configFlags, name string) error {
	cfg, err := a.configuration(c, file)
	if err != nil {
		return err
	}
	o.Kinds = cfg.AuditSettings().Kinds
	set, err := a.load(c, o)
	if err != nil {
		return err
	}
	defer func() { _ = set.Close() }() // nothing is written to it any more
	found, failed, err := inputs(c.Context(), set, cfg)
	if err != nil {
		return err
	}
	picked, err := pick(found, name)
	if err != nil && len(failed) == 0 {
		return err
	}
	if err := a.print(picked); err != nil {
		return err
	}
	for _, err := range failed {
		a.complain(terminal.Printable(err.Error()))
	}
	if len(failed) > 0 {
		return errTold
	}
	return nil
}

// inputs builds the document of every judged object. What cannot be read is
// returned beside them.
func inputs(ctx context.Context, set *audit.Set, cfg config.Configuration) (found []*policy.Input, failed []error, err error) {
	r, err := builtin.Reviewer(ctx, cfg.AuditSettings(), set.Cluster())
	if err != nil {
		return nil, nil, err
	}
	objects, unread, err := set.All(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range unread {
		failed = append(failed, e)
	}
	for i := range objects {
		o := &objects[i]
		in, err := r.Input(o.Subject)
		switch {
		case errors.Is(err, workload.ErrNotJudged):
		case err != nil:
			failed = append(failed, audit.Error{Source: o.Place(""), Err: err})
		default:
			found = append(found, in)
		}
	}
	return found, failed, ctx.Err()
}

// pick returns the objects of the name, or all where no name is given.
func pick(found []*policy.Input, name string) ([]*policy.Input, error) {
	if len(found) == 0 {
		return nil, errors.New("there is no object in what was read that rules judge")
	}
	if name == "" {
		return found, nil
	}
	var picked []*policy.Input
	var names []string
	for _, in := range found {
		n := in.Workload.Kind + "/" + in.Workload.Name
		names = append(names, n)
		within := in.Workload.Kind + "/" + in.Request.Namespace + "/" + in.Workload.Name // as a table of findings has it
		if strings.EqualFold(n, name) || strings.EqualFold(within, name) {
			picked = append(picked, in)
		}
	}
	if len(picked) > 0 {
		return picked, nil
	}
	err := fmt.Errorf("there is no object %q", name)
	if like := similar.Words(name, names); len(like) > 0 {
		err = fmt.Errorf("%w: did you mean %s?", err, similar.Either(like))
	}
	return nil, err
}

// print writes one document for people, and several for programs, a line each.
func (a app) print(found []*policy.Input) error {
	if len(found) == 1 {
		return report.Indented(a.out, found[0])
	}
	e := json.NewEncoder(a.out)
	e.SetEscapeHTML(false)
	for _, in := range found {
		if err := e.Encode(in); err != nil {
			return fmt.Errorf("encoding the facts: %w", err)
		}
	}
	return nil
}
