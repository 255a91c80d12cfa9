package explain

import (
	"fmt"
	"strings"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// maxShown bounds a denial: nobody reads more at once, and the API server stores
// the text in events.
const maxShown = 20

// Denial returns the message of a refused request: every finding at level deny,
// each with what happens, why, and the fix. The first line carries the reason on
// its own, because tables such as kubectl get events cut a message there.
//
//	Deployment "api" would fail: api: CrashLoopBackOff with exit code 0, … (1 problem)
//
//	1. command-exits, container "api"
//	   where: spec.template.spec.containers[0].command
//	   what:  kubectl shows Completed (exit code 0) or CrashLoopBackOff: …
func Denial(d review.Decision) string {
	denied := d.At(finding.Deny)
	switch {
	case len(denied) == 0 && d.Refused != "":
		return refused(d)
	case len(denied) == 0:
		return ""
	}
	var b strings.Builder
	b.WriteString(headline(d.Object, denied) + "\n")
	for i, f := range denied {
		if i == maxShown {
			fmt.Fprintf(&b, "\nand %d more; forestall audit -f shows them all.\n", len(denied)-maxShown)
			break
		}
		block(&b, i+1, f)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// refused is the message where nothing that was found denies the request.
func refused(d review.Decision) string {
	return fmt.Sprintf("%s %s is not admitted: %s\n\n"+
		"   why:   the configuration refuses what cannot be judged whole (unfinished: refuse).\n"+
		"   fix:   split it: fewer containers, ports and variables in one object, scripts in an image or a ConfigMap.\n"+
		"          Whoever runs forestall can admit such objects with a warning (unfinished: admit).",
		d.Object.Kind, quote(d.Object.Name), d.Refused)
}

// headline says what is wrong with an object in one line.
func headline(o finding.Object, findings []finding.Finding) string {
	first := findings[0]
	return fmt.Sprintf("%s %s %s: %s (%s)",
		o.Kind, quote(o.Name), prediction(first.Certainty), Reason(first), count(len(findings), "problem"))
}

// prediction claims no more than the rule does.
func prediction(c finding.Certainty) string {
	switch c {
	case finding.Certain:
		return "would fail"
	case finding.Likely:
		return "would probably fail"
	default:
		return "can fail"
	}
}

func block(b *strings.Builder, number int, f finding.Finding) {
	fmt.Fprintf(b, "\n%d. %s", number, f.Rule)
	if f.Container != "" {
		fmt.Fprintf(b, ", container %s", quote(f.Container))
	}
	b.WriteByte('\n')
	b.WriteString(Finding(f))
}

// Finding returns the parts of an explanation, a line each.
func Finding(f finding.Finding) string {
	var b strings.Builder
	for _, row := range [][2]string{
		{"where:", f.Path},
		{"what:", f.What},
		{"why:", f.Why},
		{"fix:", f.Fix},
		{"more:", "forestall explain " + f.Rule},
	} {
		fmt.Fprintf(&b, "   %-6s %s\n", row[0], oneLine(row[1]))
	}
	return b.String()
}

// Reason returns the finding in one clause, with its container.
func Reason(f finding.Finding) string { return oneLine(of(f.Container, f.Reason)) }

// of puts the container before what is said of it; a finding about the whole pod has none.
func of(container, text string) string {
	if container == "" {
		return text
	}
	return container + ": " + text
}
