package command

import (
	"strings"
	"testing"
)

// hostile are command lines that are made to cost as much as they can.
func hostile() map[string]Input {
	fill := func(piece string, size int) string { return strings.Repeat(piece, size/len(piece)) }
	inputs := map[string]Input{
		"references":         {Command: []string{"echo", fill("$(", maxBytes)}},
		"closed":             {Command: []string{"echo", fill("$(", maxBytes-1) + ")"}},
		"doubling":           {Command: []string{"echo", fill("$(A)", maxBytes)}, Env: map[string]string{"A": fill("$(A)", maxBytes)}},
		"many words":         {Command: strings.Fields(fill("sleep 1 ", maxWords*2))},
		"shells":             {Command: []string{"sh", "-c", nest("echo", 12)}},
		"repeated script":    {Command: []string{"sh", "-c", "f() { bash -c '" + fill("a;", maxScript/2) + "'; };" + fill("f;", maxScript/4)}},
		"explosion":          {Command: script(explosion(40))},
		"explosion of words": {Command: script("f() { echo " + fill("a ", maxScript/2) + "; };" + fill("f;", maxScript/4))},
	}
	for _, piece := range []string{
		"(", "$(", "{ ", "if ", "while ", "! ", "${a-", "`", "a|", "a&&", "x(){ ", "case x in x)", "[[ ! ", "$((-", "$((",
		"\"$(", "a;", "a ", "a<<b\n", "$[", "((", "1?", "a[", "time ", "$a", "\"$a\"", "\\a", "*", "a=1 ", ">a ", "elif a;then ",
	} {
		for _, before := range []string{"", "echo $((", "[[ ", "if a; then b;"} {
			for _, after := range []string{"", "fi", "))"} {
				inputs["parser "+before+piece+after] = Input{Command: bash(before + fill(piece, maxScript-20) + after)}
			}
		}
	}
	for _, piece := range []string{
		"{ %; }", "(%)", "if %; then :; fi", "while %; do :; done", "echo $(%)", "! { %; }", "for i in *; do %; sleep 1; done",
		"until a; do %; done", "case a in a) %;; b) %;; esac", "% && %", "% | %", "sh -c '%'",
	} {
		text := "sleep 1"
		for strings.Count(text, "sleep") < 1<<12 && len(text) < maxScript/2 && strings.Count(text, "done") < 60 {
			text = strings.ReplaceAll(piece, "%", text)
		}
		inputs["walker "+piece] = Input{Command: script(text)}
	}
	return inputs
}

func nest(text string, n int) string {
	for range n {
		text = "sh -c \"" + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + "\""
	}
	return text
}

// TestHostile analyses what somebody who may create a pod could send to keep a
// processor busy: without the bounds, it would not come to an end.
func TestHostile(t *testing.T) {
	known := table(t)
	for name, in := range hostile() {
		in.CommandPath = commandPath
		t.Run(name, func(t *testing.T) { checkInvariants(t, Analyze(in, known)) })
	}
}
