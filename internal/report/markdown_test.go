package report

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// TestMarkdownIsBounded: whatever there is much of, a comment is taken, says that something is left out, and closes what it opens.
func TestMarkdownIsBounded(t *testing.T) {
	of := func(rules, each, length int) (r audit.Result) {
		for i := range rules {
			for n := range each {
				f := everything().Findings[0]
				f.Rule, f.Object.Name, f.Reason = fmt.Sprintf("rule-%d", i), fmt.Sprint("web-", n), strings.Repeat("<", length)
				r.Findings = append(r.Findings, f)
				r.Summary.Findings.Count(f.Level)
			}
		}
		return r
	}
	wrong := of(3, 50, 100)
	for i := range 3000 {
		wrong.Errors = append(wrong.Errors, audit.Error{Source: finding.Source{File: fmt.Sprint(i)}, Err: errors.New(strings.Repeat("@", 50))})
		wrong.Warnings = append(wrong.Warnings, audit.Warning{Message: "m"})
		wrong.Ignored = append(wrong.Ignored, finding.Ignored{Finding: wrong.Findings[0]})
		wrong.Troubles = append(wrong.Troubles, finding.Trouble{Reason: "r"})
	}
	for name, r := range map[string]audit.Result{
		"many": of(1, 2000, 10), "rules": of(3000, 1, 10), "both": of(40, 100, 300), "long": of(20, 30, 100_000), "wrong": wrong,
	} {
		got := string(told(t, r, Markdown, Options{}))
		if len(got) > maxComment || !strings.HasSuffix(got, "A comment has no room for everything: `forestall audit` shows the rest.\n") {
			t.Errorf("%s: %d bytes, ending in %q", name, len(got), got[max(0, len(got)-100):])
		}
		if begun, ended := strings.Count(got, "<details>"), strings.Count(got, "</details>"); begun != ended {
			t.Errorf("%s: %d details are opened and %d closed", name, begun, ended)
		}
		if !strings.Contains(got, "\n- **deny**") && name != "wrong" || len(got) < 35_000 {
			t.Errorf("%s: %d bytes have room for findings:\n%s", name, len(got), got)
		}
	}
	got := string(told(t, of(1, 2000, 10), Markdown, Options{}))
	shown := strings.Count(got, "\n- **deny**")
	if !strings.Contains(got, fmt.Sprintf("\n- and %d more\n", 2000-shown)) || len(got) < maxComment-2000 {
		t.Errorf("%d of 2000 are shown in %d bytes", shown, len(got))
	}
}

// TestProse: nothing of a text is markup, a link, a mention or the number of an issue.
func TestProse(t *testing.T) {
	for text, want := range map[string]string{
		"plain, text: 1.2 (50%)":   "plain, text: 1.2 (50%)",
		"<img src=x>&amp;":         "&#60;img src=x&#62;&#38;amp;",
		"@ceo #12":                 "&#64;&#8203;ceo &#35;&#8203;12",
		"[x](y) `c` *b* _i_ ~s~":   "&#91;x&#93;(y) &#96;c&#96; &#42;b&#42; &#95;i&#95; &#126;s&#126;",
		"a|b\\|c":                  "a&#124;b&#92;&#124;c",
		"https://e.vil www.e.vil":  "https&#58;//e.vil www&#46;e.vil",
		"$x$":                      "&#36;x&#36;",
		"a\nb\x1b[31m\u202e\x00\r": "a b\ufffd&#91;31m\ufffd\ufffd\ufffd",
	} {
		if got := prose(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
	raw := regexp.MustCompile("[<>`*_\\[\\]|~$@\\\\]|://|www\\.")
	hostile := everything().Findings[4]
	if got := prose(about(hostile) + hostile.Reason); raw.MatchString(got) {
		t.Errorf("it is left as it was: %s", raw.FindString(got))
	}
}

// TestGitHubKeepsTheStrongest shows errors of the audit first, then the surest, each in the order of the input.
func TestGitHubKeepsTheStrongest(t *testing.T) {
	var r audit.Result
	for i, c := range []finding.Certainty{finding.Possible, finding.Certain, finding.Likely} {
		for n := range 6 {
			r.Findings = append(r.Findings, finding.Finding{
				Rule: fmt.Sprintf("%s-%d", c, n), Level: finding.Deny, Certainty: c, Reason: "r", Object: finding.Object{Kind: "Pod", Name: fmt.Sprint(i)},
			})
		}
	}
	r.Errors = []audit.Error{{Err: errors.New("no end")}}
	var got []string
	for _, m := range regexp.MustCompile(`title=([^:]+)::`).FindAllStringSubmatch(string(told(t, r, GitHub, Options{})), -1) {
		got = append(got, m[1])
	}
	want := "forestall could not judge this certain-0 certain-1 certain-2 certain-3 certain-4 certain-5 likely-0 likely-1 likely-2"
	if strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", strings.Join(got, " "), want)
	}
}
