// Command pages writes the reports that the tests of the page open in a browser, and the one of its picture. Their
// findings are those of the manifests of this repository's tests; what a cluster says about them is made up.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/report"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pages FOLDER, from the root of the repository")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "pages:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, folder string) error {
	found, rules, err := findings(ctx)
	if err != nil {
		return fmt.Errorf("reviewing the manifests: %w", err)
	}
	for name, r := range map[string]audit.Result{
		"sample":     sample(found),
		"files":      ofFiles(found),
		"large":      large(found, 10_000),
		"hostile":    ofStrangers(found[0]),
		"nothing":    {Summary: audit.Summary{Files: 2, Objects: 2, Judged: 2}},
		"unfinished": unfinished(),
	} {
		if err := write(filepath.Join(folder, name+".html"), r, rules); err != nil {
			return err
		}
	}
	return nil
}

// made is when the reports are said to be made, so that they are the same each time.
func made() time.Time { return time.Date(2026, 11, 22, 9, 30, 0, 0, time.UTC) }

func write(file string, r audit.Result, rules []policy.Rule) (err error) {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() {
		if closed := f.Close(); err == nil {
			err = closed
		}
	}()
	sink, err := report.Audit(f, report.HTML, report.Options{Rules: rules, Version: "v0.14.0", Now: made()})
	if err != nil {
		return err
	}
	return r.Tell(sink)
}
