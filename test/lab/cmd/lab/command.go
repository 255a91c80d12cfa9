package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/test/lab"
)

// command is the tree of commands.
func command(out io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:           "lab",
		Short:         "A real Kubernetes on this machine, for proofs",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetOut(out)
	root.AddCommand(upCommand(), downCommand(), statusCommand(), imagesCommand(), proveCommand())
	return root
}

// upCommand starts a lab that stays.
func upCommand() *cobra.Command {
	o := lab.Options{Keep: true}
	cmd := &cobra.Command{Use: "up", Short: "Start a lab, unless it is running", Args: cobra.NoArgs}
	nameFlag(cmd, &o.Name)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		begin := time.Now()
		o.Progress = progress(cmd.OutOrStdout(), begin)
		l, err := ensure(cmd.Context(), o)
		if err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "lab %s is ready (%s)\n\n  export KUBECONFIG=%s\n\n", l.Name, elapsed(begin), l.Kubeconfig)
		return nil
	}
	return cmd
}

// downCommand stops labs, those that somebody left behind among them.
func downCommand() *cobra.Command {
	var name string
	var all bool
	cmd := &cobra.Command{Use: "down", Short: "Stop a lab, and whatever others left behind", Args: cobra.NoArgs}
	nameFlag(cmd, &name)
	cmd.Flags().BoolVar(&all, "all", false, "stop every lab of this machine")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		records, err := lab.List("")
		if err != nil {
			return err
		}
		var errs []error
		for _, r := range records {
			if !all && r.Name != name && !r.Orphan() {
				continue
			}
			begin := time.Now()
			if err := lab.Down(cmd.Context(), lab.Options{}, r.Name); err != nil {
				errs = append(errs, err)
				continue
			}
			fmt.Fprintf(cmd.OutOrStdout(), "lab %s is gone (%s)\n", r.Name, elapsed(begin))
		}
		return errors.Join(errs...)
	}
	return cmd
}

// imagesCommand adds images to a running lab.
func imagesCommand() *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use: "images [IMAGE...]", Short: "Give a running lab images of real programs, from Debian packages; all without arguments",
		ValidArgs: lab.ImageNames(), Args: cobra.OnlyValidArgs,
	}
	nameFlag(cmd, &name)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			args = lab.ImageNames()
		}
		l, err := lab.Open(cmd.Context(), lab.Options{Name: name, Progress: progress(cmd.OutOrStdout(), time.Now())})
		if err != nil {
			return err
		}
		return l.AddImages(cmd.Context(), args...)
	}
	return cmd
}

// statusCommand lists the labs.
func statusCommand() *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "List the labs of this machine", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			records, err := lab.List("")
			if err != nil {
				return err
			}
			if len(records) == 0 {
				fmt.Fprintln(cmd.OutOrStdout(), "no lab")
			}
			for _, r := range records {
				fmt.Fprintf(cmd.OutOrStdout(), "%s\t%s\tnsenter --target %d --net --mount\n", r.Name, state(r), r.Anchor)
			}
			return nil
		},
	}
}

func state(r lab.Record) string {
	switch {
	case r.Orphan():
		return "left behind"
	case !r.Ready:
		return "starting"
	}
	return "ready"
}

func nameFlag(cmd *cobra.Command, name *string) {
	cmd.Flags().StringVar(name, "name", lab.DefaultName, "name of the lab")
}

// progress prints a line for each part, with the time since the begin.
func progress(out io.Writer, begin time.Time) func(string) {
	return func(what string) { fmt.Fprintf(out, "  %5s  %s\n", elapsed(begin), what) }
}

func elapsed(since time.Time) time.Duration { return time.Since(since).Round(100 * time.Millisecond) }
