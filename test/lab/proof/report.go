package proof

import (
	"fmt"
	"strings"
	"time"
)

// Ground is what the pods ran on.
type Ground struct {
	Kubernetes, Containerd, Runc, Kernel string
	Cgroups                              int
}

// Report is everything that was proved in one run.
type Report struct {
	Ground Ground
	Rules  []RuleReport
}

// RuleReport is what was proved of one rule.
type RuleReport struct {
	ID string
	// Predicted is the failure, in the words of the rule.
	Predicted string
	Unproved  string
	Fails     []CaseReport
	Works     []CaseReport
}

// CaseReport is what became of one case.
type CaseReport struct {
	Case      Case
	Sightings []Sighting
	// Denied is what the webhook said before a pod existed; Patched what it added.
	Denied, Patched string
	// Audited is what an audit of the manifest said, where no webhook is asked.
	Audited string
	// Err tells that something else happened than was expected.
	Err error
}

// Failed lists the cases that came out differently, as rule/case.
func (r Report) Failed() []string {
	var all []string
	for _, rule := range r.Rules {
		for _, c := range append(append([]CaseReport(nil), rule.Fails...), rule.Works...) {
			if c.Err != nil {
				all = append(all, rule.ID+"/"+c.Case.Name)
			}
		}
	}
	return all
}

const preface = `# Proofs

What forestall's rules predict, seen on a real kubelet. ` + "`make prove`" + ` runs the manifests of each rule
(` + "`testdata/proof.yaml`" + ` in its folder) and writes this page; messages are those of the API, as they came.
Where memory ran out it names the version of cgroups: with version 1 the kernel kills one process, with version 2 the
whole container, unless the kubelet's singleProcessOOMKill is set.

`

// Markdown is the page of all proofs.
func (r Report) Markdown() string {
	var b strings.Builder
	b.WriteString(preface)
	g := r.Ground
	fmt.Fprintf(&b, "Kubelet and Kubernetes %s, containerd %s, runc %s, cgroup v%d, Linux %s.\n\n", g.Kubernetes, g.Containerd, g.Runc, g.Cgroups, g.Kernel)
	b.WriteString("| rule | predicted | observed | after |\n|---|---|---|---|\n")
	for _, rule := range r.Rules {
		rule.row(&b, g)
	}
	for _, rule := range r.Rules {
		rule.details(&b, g)
	}
	return b.String()
}

// row sums a rule up: what was seen last of each failing manifest.
func (r RuleReport) row(b *strings.Builder, g Ground) {
	id := fmt.Sprintf("[%s](rules/%s.md)", r.ID, r.ID)
	if r.Unproved != "" {
		fmt.Fprintf(b, "| %s | %s | unproved: %s | |\n", id, cell(r.Predicted), cell(r.Unproved))
	}
	for _, c := range r.Fails {
		seen, after := c.decisive()
		fmt.Fprintf(b, "| %s | %s | %s: %s | %s |\n", id, cell(r.Predicted), c.Case.Name, cell(g.named(seen)), after)
	}
}

// decisive is the last of what was awaited.
func (c CaseReport) decisive() (seen string, after time.Duration) {
	if c.Err != nil {
		return "**not as predicted**", 0
	}
	n := 0
	for _, e := range c.Case.Expect {
		if e.StillNot.Duration == 0 {
			n++
		}
	}
	if n == 0 || n > len(c.Sightings) {
		n = len(c.Sightings)
	}
	if n == 0 {
		return "", 0
	}
	last := c.Sightings[n-1]
	return last.Seen, round(last.After)
}

func (r RuleReport) details(b *strings.Builder, g Ground) {
	if r.Unproved != "" {
		return
	}
	fmt.Fprintf(b, "\n## %s\n", r.ID)
	for _, c := range r.Fails {
		c.details(b, "fails", g)
	}
	for _, c := range r.Works {
		c.details(b, "works", g)
	}
}

func (c CaseReport) details(b *strings.Builder, how string, g Ground) {
	fmt.Fprintf(b, "\n`%s` %s", c.Case.Manifest, how)
	if c.Case.Patched {
		b.WriteString(" once patched")
	}
	if c.Case.PodsMemory != "" {
		fmt.Fprintf(b, ", with %s for all pods of the node", c.Case.PodsMemory)
	}
	fmt.Fprintf(b, " (%s):\n\n", c.Case.Name)
	for _, line := range []string{prefixed("forestall denies it: ", c.Denied), prefixed("forestall patches it: ", c.Patched), prefixed("forestall audit --complete finds it: ", c.Audited)} {
		if line != "" {
			fmt.Fprintf(b, "- %s\n", line)
		}
	}
	for _, s := range c.Sightings {
		fmt.Fprintf(b, "- after %s: %s\n", round(s.After), oneLine(g.named(s.Seen)))
	}
	if c.Err != nil {
		fmt.Fprintf(b, "- **not as expected**: %s\n", oneLine(c.Err.Error()))
	}
}

// named adds the version of cgroups to what was seen of a container that ran out of memory.
func (g Ground) named(seen string) string {
	if !strings.Contains(seen, "OOM") {
		return seen
	}
	return fmt.Sprintf("%s (cgroup v%d)", seen, g.Cgroups)
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	first, _, _ := strings.Cut(text, "\n") // the rest explains
	return prefix + oneLine(first)
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// cell is text within a table.
func cell(text string) string { return strings.ReplaceAll(oneLine(text), "|", `\|`) }
