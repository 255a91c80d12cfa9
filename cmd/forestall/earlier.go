package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/report"
)

// earlierFlags name an earlier report to compare with.
type earlierFlags struct{ baseline, diff string }

func compares(c *cobra.Command) *earlierFlags {
	f := &earlierFlags{}
	c.Flags().StringVar(&f.baseline, "baseline", "", "an earlier report (JSON, NDJSON, YAML): tell and count only what is new since")
	c.Flags().StringVar(&f.diff, "diff", "", "an earlier report: tell what is worse and what is better since, as table, json or yaml")
	for _, name := range []string{"baseline", "diff"} {
		_ = c.MarkFlagFilename(name, "json", "ndjson", "yaml", "yml")
	}
	return f
}

// check refuses what does not go together.
func (f *earlierFlags) check(c *cobra.Command, o auditOptions) error {
	for name, file := range map[string]string{"baseline": f.baseline, "diff": f.diff} {
		if c.Flags().Changed(name) && file == "" { // as of --baseline "$UNSET"
			return usage(c, fmt.Errorf("--%s names no file", name))
		}
	}
	switch {
	case f.baseline != "" && f.diff != "":
		return usage(c, errors.New("--baseline leaves out what --diff would compare: choose one"))
	case f.diff != "" && o.summary:
		return usage(c, errors.New("--summary counts findings and --diff compares them: choose one"))
	case f.diff != "" && c.Flags().Changed("min-level"):
		return usage(c, errors.New("--diff compares what --min-level would leave out: choose one"))
	case f.diff != "" && slices.ContainsFunc(o.outputs.asked(), func(one output) bool { return !slices.Contains(report.Formats(), one.format) }):
		return usage(c, fmt.Errorf("--diff is shown as one of %s", joined(report.Formats())))
	case f.baseline != "" && slices.ContainsFunc(o.outputs.asked(), func(one output) bool { return sameFile(one.file, f.baseline) }):
		return usage(c, fmt.Errorf("the report would replace the baseline %s by what is new: to make the baseline again, leave out --baseline", finding.Quote(f.baseline)))
	}
	return nil
}

func sameFile(a, b string) bool {
	if a == "" {
		return false
	}
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// readEarlier reads an earlier report, as far as the rules are chosen.
func (o auditOptions) readEarlier(name string) (*report.Earlier, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reading the earlier report %s: %w", finding.Quote(name), plain(err))
	}
	defer func() { _ = f.Close() }() // it is only read
	e, err := report.ReadEarlier(f, name)
	if err != nil {
		return nil, fmt.Errorf("reading the earlier report %s: %w", finding.Quote(name), plain(err))
	}
	e.Keep(o.rules.chosen)
	return e, nil
}

// show opens one report.
func (o auditOptions) show(to io.Writer, format report.Format, options report.Options) (audit.Sink, error) {
	switch {
	case o.summary:
		return report.AuditTotals(to, format, options)
	case o.earlier.diff == "":
		return report.Audit(to, format, options)
	}
	earlier, err := o.readEarlier(o.earlier.diff)
	if err != nil {
		return nil, err
	}
	return report.AuditDiff(to, format, options, earlier)
}

// weighed returns of a summary what decides about the exit code: what is new or worse, where an earlier report was named.
func (w *written) weighed(s audit.Summary) audit.Summary {
	if w.baseline != nil {
		return w.baseline.Summary(s)
	}
	if w.diff != nil {
		s.Findings = w.diff.Worse()
	}
	return s
}
