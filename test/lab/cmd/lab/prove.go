package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/test/lab"
	"github.com/forestall/forestall/test/lab/prove"
)

// proving is what the command prove was asked for.
type proving struct {
	name, rule, docs  string
	policies, webhook string
}

// proveCommand runs the proofs.
func proveCommand() *cobra.Command {
	var p proving
	cmd := &cobra.Command{
		Use: "prove", Short: "See the predicted failures happen; starts a lab unless one is running", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.run(cmd.Context(), cmd.OutOrStdout()) },
	}
	nameFlag(cmd, &p.name)
	cmd.Flags().StringVar(&p.rule, "rule", "", "prove this rule alone")
	cmd.Flags().StringVar(&p.docs, "docs", "", "write the page of all proofs to this file")
	cmd.Flags().StringVar(&p.policies, "policies", "policies", "folder with the rules")
	cmd.Flags().StringVar(&p.webhook, "webhook", "bin/forestall-webhook", "forestall-webhook that has to deny what fails")
	return cmd
}

func (p proving) run(ctx context.Context, out io.Writer) (err error) {
	if p.docs != "" && p.rule != "" {
		return errors.New("the page is about all rules: --docs and --rule do not go together")
	}
	tell := progress(out, time.Now())
	l, stop, err := borrow(ctx, lab.Options{Name: p.name, Progress: tell})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	report, err := prove.Run(ctx, prove.Options{
		Lab: l, Policies: p.policies, Rule: p.rule, Webhook: p.webhook, Progress: tell,
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%s\n", report.Markdown())
	if failed := report.Failed(); len(failed) > 0 {
		return fmt.Errorf("%d proofs came out differently: %s", len(failed), strings.Join(failed, ", "))
	}
	if p.docs == "" {
		return nil
	}
	if err := os.WriteFile(p.docs, []byte(report.Markdown()), 0o644); err != nil {
		return fmt.Errorf("writing the page of the proofs: %w", err)
	}
	fmt.Fprintln(out, "wrote", p.docs)
	return nil
}

// borrow returns the lab of a name if it is running, else one that stop ends.
func borrow(ctx context.Context, o lab.Options) (l *lab.Lab, stop func() error, err error) {
	if l, err := lab.Open(ctx, o); err == nil {
		return l, func() error { return nil }, nil
	}
	if l, err = ensure(ctx, o); err != nil {
		return nil, nil, err
	}
	return l, func() error { return l.Stop(context.WithoutCancel(ctx)) }, nil
}
