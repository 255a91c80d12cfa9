package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/redact"
	"github.com/forestall/forestall/policies"
)

// redactOptions are the flags of redact.
type redactOptions struct {
	audit.Options
	config *configFlags
	keep   []string
}

func (a app) redactCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "redact FILE|DIR|-...",
		Short: "Print manifests that can be shown to others and get the same verdict",
		Long: `Redact prints manifests in which names, values, addresses and images are replaced by
placeholders, the same one wherever the same word stands. It is what to attach to the
report of a wrong verdict.

Replaced are the names of objects, containers, volumes, ports, Secrets and the like,
labels and annotations, the values of environment variables, hosts, and in commands,
paths and images every word that is not widely known. Comments, status and what else a
cluster writes are left out, and so are objects that no verdict depends on: Secrets and
ConfigMaps among them. If one is needed, its data is replaced all the same.

Kept are numbers, sizes, ports and probes, and words that everybody knows: programs,
options, folders, public images.

The verdict is reviewed before and after: the same rules, at the same levels, for the same
containers and fields. A word that the verdict depends on is kept, and named on stderr.
Look at the result before you send it.

Exit code: 0 with the same verdict, 2 when something could not be read, or the verdict
cannot be kept; nothing is printed then.`,
		Example: `  # What to attach to a report
  forestall redact deploy.yaml > report.yaml

  # Keep a word that explains why the verdict is wrong
  forestall redact deploy.yaml --keep listen-port`,
	}
	in := reads(c)
	keep := c.Flags().StringArray("keep", nil, "a word or value that stays as it is; repeatable")
	complete(c, "keep")
	c.RunE = func(c *cobra.Command, args []string) error {
		return a.redact(c, redactOptions{Options: in.options(args), config: in.config, keep: *keep})
	}
	return c
}

func (a app) redact(c *cobra.Command, o redactOptions) error {
	cfg, err := a.configuration(c, o.config)
	if err != nil {
		return err
	}
	p := a.startProgress()
	defer p.stop()
	o.Kinds, o.Progress = cfg.AuditSettings().Kinds, p.report
	set, err := a.load(c, o.Options)
	if err != nil {
		return err
	}
	defer func() { _ = set.Close() }() // nothing is written to it any more
	rules, err := builtin.RulesOf(c.Context(), policies.FS)
	if err != nil {
		return err
	}
	auditor := redact.Audit{Rules: rules, Settings: cfg.AuditSettings(), Complete: o.Complete}
	before, err := auditor.Of(c.Context(), set)
	if err != nil {
		return cfg.Locate(err)
	}
	objects, err := decoded(c.Context(), set, o.Namespace)
	if err != nil {
		return err
	}
	known, err := publicWords()
	if err != nil {
		return err
	}
	shown, err := redact.Do(c.Context(), objects, redact.Options{
		Review: auditor.Review, Judged: auditor.Judged, Public: known, Keep: o.keep,
		Tried: func(n int) { p.report("trying what can be replaced", n, 0) },
	})
	if err == nil && !shown.Verdict.Finds(before) {
		err = errors.New("the verdict depends on how the text is written, which redacting it changes")
	}
	if err != nil {
		return err
	}
	p.stop()
	return a.showRedacted(shown)
}

// decoded returns the objects of a set. Those that write no namespace get the one of -n, if there is one.
func decoded(ctx context.Context, set *audit.Set, namespace string) ([]redact.Object, error) {
	read, failed, err := set.All(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range failed {
		return nil, fmt.Errorf("only what can be read as a whole can be redacted: %w", e)
	}
	var all []redact.Object
	for i := range read {
		var o redact.Object
		if err := json.Unmarshal(read[i].Subject.Object, &o); err != nil {
			return nil, fmt.Errorf("%s: decoding the object: %w", read[i].Place(""), err)
		}
		meta, _ := o["metadata"].(redact.Object)
		if namespace != "" && meta != nil && meta["namespace"] == nil && o["kind"] != "Namespace" {
			meta["namespace"] = namespace
		}
		all = append(all, o)
	}
	return all, nil
}

// publicWords are the texts whose words are no secret of anybody.
func publicWords() ([][]byte, error) {
	var all [][]byte
	for _, file := range []string{policies.ProgramsFile, policies.ImagesFile, policies.MemoryFile} {
		raw, err := policies.FS.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("reading what is known: %w", err)
		}
		all = append(all, raw)
	}
	return all, nil
}

// showRedacted prints the manifests, and says on stderr what to look at.
func (a app) showRedacted(shown redact.Result) error {
	var b bytes.Buffer
	for i, o := range shown.Objects {
		text, err := yaml.Marshal(o)
		if err != nil {
			return fmt.Errorf("writing it as YAML: %w", err)
		}
		if i > 0 {
			b.WriteString("---\n")
		}
		b.Write(text)
	}
	if _, err := a.out.Write(b.Bytes()); err != nil {
		return err
	}
	told := counted(len(shown.Verdict), "finding") + ", as in the original"
	if len(shown.Needed) > 0 {
		told += "; kept, since a verdict depends on it: " + strings.Join(quoted(shown.Needed), ", ")
	}
	if len(shown.Left) > 0 {
		told += "; left out: objects of the kinds " + strings.Join(shown.Left, ", ")
	}
	a.complain(told + ". Look at the result before you send it.")
	return nil
}

func quoted(words []string) []string {
	var all []string
	for _, w := range words {
		all = append(all, strconv.Quote(w))
	}
	return all
}
