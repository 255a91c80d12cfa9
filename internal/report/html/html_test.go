package html

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/review"
)

var update = flag.Bool("update", false, "write the golden files")

func written(t *testing.T, r audit.Result, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Tell(New(&b, o)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func exitCode(n int32) *int32 { return &n }

func day(hour int) time.Time { return time.Date(2026, 11, 22, hour, 30, 0, 0, time.UTC) }

func found(rule, namespace, name string, l finding.Level, status finding.Status) finding.Finding {
	return finding.Finding{
		Rule: rule, Level: l, Certainty: finding.Certain, Failure: "CrashLoopBackOff", Cause: "command",
		Object:    finding.Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: namespace, Name: name},
		Container: "web", Path: "spec.template.spec.containers[0].command", Field: "spec.template.spec.containers[name=web].command",
		Reason: "the script ends", What: "it is started again, without end.", Why: "restartPolicy is Always.", Fix: "run a server.",
		Status: status,
	}
}

// clusterResult has one of everything that a cluster's audit can tell.
func clusterResult() audit.Result {
	happening := found("command-exits", "shop", "web", finding.Deny, finding.Happening)
	happening.Pods = 12
	happening.Evidence = []finding.Symptom{
		{Kind: finding.Waiting, Container: "web", Reason: "CrashLoopBackOff", Count: 41, Pods: 12, Last: day(9)},
		{Kind: finding.Terminated, Container: "web", Reason: "Completed", ExitCode: exitCode(0)},
	}
	patched := found("memory-limit-missing", "bank", "api", finding.Deny, finding.Predicted)
	patched.Patched = true
	patched.Patch = []finding.Operation{{Op: "add", Path: "/spec/template/spec/containers/0/resources", Value: map[string]any{"limits": map[string]any{"memory": "256Mi"}}}}
	return audit.Result{
		Summary: audit.Summary{
			Objects: 4, Judged: 3, Findings: audit.Levels{Deny: 1, Warn: 1}, Patched: 1, Ignored: 1, Warnings: 1, Errors: 1, Troubles: 1,
			NotJudged: []audit.NotJudged{{APIVersion: "v1", Kind: "ConfigMap", Reason: review.NoPodTemplate, Objects: 1}},
			Cluster: &audit.Cluster{
				Name: "prod", Context: "prod-admin", Server: "https://10.0.0.1:6443", Version: "v1.36.3", Namespaces: []string{"bank", "shop"},
				As: "deny", Pods: 14, Unread: []string{"events: Forbidden"},
				Rules: []audit.RuleEvidence{{Rule: "command-exits", Findings: 2, Happening: 1}, {Rule: "memory-limit-missing", Findings: 1}},
				Nodes: []audit.Node{
					{Name: "node-a", ReadySince: day(8), Flaps: 3, SystemOOMs: 1, Pressure: []string{"MemoryPressure"}, Pods: 40, Unlimited: 2, Memory: 16 << 30, Limits: 40 << 30},
					{Name: "node-b", Ready: true, Pods: 12, Memory: 16 << 30, Limits: 12 << 30},
				},
			},
		},
		Findings: []finding.Finding{happening, patched, found("command-exits", "bank", "web", finding.Warn, finding.Predicted)},
		Ignored:  []finding.Ignored{{Finding: found("command-exits", "shop", "job", finding.Deny, ""), IgnoreReason: "it is meant so"}},
		Troubles: []finding.Trouble{{
			Object: finding.Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "cart"}, Container: "cart", Pods: 2,
			Reason: "ContainerCannotRun, exit code 128", Known: "the runtime could not start the command.",
			Evidence: []finding.Symptom{{Kind: finding.Terminated, Reason: "ContainerCannotRun", ExitCode: exitCode(128)}},
		}},
		Warnings: []audit.Warning{{Message: "an annotation does not count"}},
		Errors:   []audit.Error{{Rule: "probe-port-dead", Err: errors.New("it took too long")}},
	}
}

func catalogue() []policy.Rule {
	return []policy.Rule{{
		ID: "command-exits", Title: "Command ends at once", Description: "A command that ends is started again.",
		Custom: policy.Custom{Remediation: "Run a server in the foreground."},
	}}
}

// TestPage holds all of the page apart from its style and script against golden files.
func TestPage(t *testing.T) {
	for name, r := range map[string]audit.Result{
		"cluster": clusterResult(),
		"nothing": {Summary: audit.Summary{Files: 1, Objects: 1, Judged: 1}},
		"unfinished": {
			Summary: audit.Summary{Files: 1, Errors: 1},
			Errors:  []audit.Error{{Source: finding.Source{File: "web.yaml", Line: 3}, Err: errors.New("reading YAML: no end")}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := written(t, r, Options{Rules: catalogue(), Version: "v1.2.3", Now: day(10)})
			fixed, err := loadAssets()
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range []string{string(fixed.Style), string(fixed.Script)} {
				if strings.Count(got, ">"+part+"</") != 1 {
					t.Errorf("the page does not hold this once, as it is, so that its hash counts: %.60q", part)
				}
				got = strings.Replace(got, part, "…", 1)
			}
			got = regexp.MustCompile(`sha256-[^=]*=&#39;`).ReplaceAllString(got, "sha256-…&#39;")
			file := filepath.Join("testdata", name+".html")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("page (-want +got), -update writes it:\n%s", diff)
			}
		})
	}
}

// hostile is text that would become markup, end a script or a comment, or turn the direction of text.
const hostile = "</script><!--<script>document.title='run'</script>\u2028\u2029<img src=x onerror=alert(1)>\"'`{{.}}\u202e\x00\xff"

// TestHostile puts that text everywhere, and finds it nowhere as it is.
func TestHostile(t *testing.T) {
	bad := found(hostile, hostile, hostile, finding.Deny, finding.Happening)
	bad.Container, bad.Path, bad.Reason, bad.What, bad.Why, bad.Fix, bad.Failure = hostile, hostile, hostile, hostile, hostile, hostile, hostile
	bad.Object.Kind, bad.Source.File = hostile, hostile
	bad.Evidence = []finding.Symptom{{Kind: finding.Event, Reason: hostile, Message: hostile, Container: hostile}}
	bad.Patch = []finding.Operation{{Op: "add", Path: hostile, Value: hostile}}
	bad.Merged = []finding.Identity{{Rule: hostile, Field: hostile}}
	page := written(t, audit.Result{
		Summary: audit.Summary{Cluster: &audit.Cluster{
			Name: hostile, Context: hostile, Server: hostile, Version: hostile, Namespaces: []string{hostile}, Selector: hostile, As: hostile, Unread: []string{hostile},
			Rules: []audit.RuleEvidence{{Rule: hostile, Findings: 1}}, Nodes: []audit.Node{{Name: hostile, Pressure: []string{hostile}}},
		}, NotJudged: []audit.NotJudged{{APIVersion: hostile, Kind: hostile, Reason: hostile, Detail: hostile, First: finding.Source{File: hostile}}}},
		Findings: []finding.Finding{bad},
		Ignored:  []finding.Ignored{{Finding: bad, IgnoreReason: hostile}},
		Troubles: []finding.Trouble{{Object: bad.Object, Container: hostile, Reason: hostile, Known: hostile}},
		Warnings: []audit.Warning{{Message: hostile, Source: bad.Source}},
		Errors:   []audit.Error{{Err: errors.New(hostile), Rule: hostile, Source: bad.Source}},
	}, Options{Version: hostile, Rules: []policy.Rule{{ID: hostile, Title: hostile, Description: hostile, Custom: policy.Custom{Remediation: hostile}}}})
	for _, no := range []string{"<!--", "<img", "<script>document", "\x00", "\xff"} {
		if strings.Contains(page, no) {
			t.Errorf("%q stands in the page", no)
		}
	}
	counts := map[string]int{}
	for _, tag := range []string{"<script", "</script>", "<style", "</style>"} {
		counts[tag] = strings.Count(page, tag)
	}
	if diff := cmp.Diff(map[string]int{"<script": 2, "</script>": 2, "<style": 1, "</style>": 1}, counts); diff != "" {
		t.Errorf("elements (-want +got):\n%s", diff)
	}
	outside, inside, _ := strings.Cut(page, `<script type="application/json"`)
	if strings.ContainsAny(inside, "\u2028\u2029") {
		t.Error("the data holds a line separator, which ends a line of JavaScript")
	}
	if strings.Contains(outside, "\u202e") {
		t.Error("text turns its direction outside of the data, where the script of the page cannot replace it")
	}
	if got := dataOf(t, page); got.Texts[1] != strings.ToValidUTF8(hostile, "\ufffd") {
		t.Errorf("the data holds %q", got.Texts[1])
	}
}

func dataOf(t *testing.T, page string) data {
	t.Helper()
	_, rest, _ := strings.Cut(page, `id="data">`)
	text, _, _ := strings.Cut(rest, "</script>")
	var d data
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestData reads the data back as the script of the page does.
func TestData(t *testing.T) {
	got := dataOf(t, written(t, clusterResult(), Options{Rules: catalogue()}))
	r := clusterResult()
	want := data{
		Rules: []rule{
			{
				ID: "command-exits", Title: "Command ends at once", Description: "A command that ends is started again.",
				Failure: "CrashLoopBackOff", Certainty: finding.Certain, Remediation: "Run a server in the foreground.",
			},
			{ID: "memory-limit-missing", Failure: "CrashLoopBackOff", Certainty: finding.Certain},
		},
		Objects: []finding.Object{r.Findings[0].Object, r.Findings[1].Object, r.Findings[2].Object, r.Troubles[0].Object},
		Texts: []string{
			"", "web", "spec.template.spec.containers[0].command", "the script ends", "it is started again, without end.", "restartPolicy is Always.",
			"run a server.", "cart", "ContainerCannotRun, exit code 128", "the runtime could not start the command.",
		},
		Findings: []row{
			{Rule: 0, Object: 0, Level: "deny", Status: "happening", Pods: 12, Container: 1, Path: 2, Reason: 3, What: 4, Why: 5, Fix: 6, Evidence: r.Findings[0].Evidence},
			{Rule: 1, Object: 1, Level: "deny", Status: "predicted", Patched: true, Container: 1, Path: 2, Reason: 3, What: 4, Why: 5, Fix: 6, Patch: r.Findings[1].Patch},
			{Rule: 0, Object: 2, Level: "warn", Status: "predicted", Container: 1, Path: 2, Reason: 3, What: 4, Why: 5, Fix: 6},
		},
		Troubles: []trouble{{Object: 3, Container: 7, Pods: 2, Reason: 8, Known: 9, Evidence: r.Troubles[0].Evidence}},
		Cluster:  true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
}

// TestVerdict is the first sentence of a page.
func TestVerdict(t *testing.T) {
	many := func(n int, rule string) []finding.Finding {
		var all []finding.Finding
		for i := range n {
			all = append(all, found(rule, "shop", fmt.Sprint(rule, i), finding.Deny, ""))
		}
		return all
	}
	inCluster := func(r audit.Result) audit.Result {
		r.Cluster = &audit.Cluster{Nodes: []audit.Node{{Name: "node-a"}}}
		r.Judged = 20
		return r
	}
	happening := found("command-exits", "shop", "web", finding.Warn, finding.Happening)
	trouble := finding.Trouble{Object: finding.Object{Name: "cart"}}
	for name, c := range map[string]struct {
		result audit.Result
		want   string
	}{
		"nothing read": {audit.Result{}, "Nothing was there to be judged."},
		"clean":        {audit.Result{Summary: audit.Summary{Judged: 2}}, "Nothing was found."},
		"not shown":    {audit.Result{Summary: audit.Summary{Judged: 2, NotShown: 1}}, "No object would be refused."},
		"errors":       {audit.Result{Summary: audit.Summary{Judged: 2, Errors: 1}}, "No object would be refused, as far as could be judged."},
		"one":          {audit.Result{Summary: audit.Summary{Judged: 1}, Findings: many(1, "a")}, "1 of 1 judged object would be refused."},
		"one reason":   {audit.Result{Summary: audit.Summary{Judged: 9}, Findings: many(7, "a")}, "7 of 9 judged objects would be refused, all of them by a."},
		"main reason":  {audit.Result{Summary: audit.Summary{Judged: 9}, Findings: append(many(4, "a"), many(2, "b")...)}, "6 of 9 judged objects would be refused, 4 of them by a."},
		"nothing new": {
			inCluster(audit.Result{Summary: audit.Summary{Baseline: &audit.Earlier{File: "old.json", Findings: audit.Levels{Deny: 3}}}}),
			"No object would be refused for something new. Only what is new is told: old.json holds 3 more.",
		},
		"thousands":      {audit.Result{Summary: audit.Summary{Judged: 12345}, Findings: many(1234, "a")}, "1,234 of 12,345 judged objects would be refused, all of them by a."},
		"assumed":        {audit.Result{Summary: audit.Summary{Judged: 9, Assumed: &audit.Assumed{As: "deny in shop", Denied: 1, Patched: 2}}}, "Nothing was found. With mode deny in shop: 1 object would be denied, and 2 repaired."},
		"many reasons":   {audit.Result{Summary: audit.Summary{Judged: 9}, Findings: append(many(3, "a"), many(3, "b")...)}, "6 of 9 judged objects would be refused."},
		"quiet cluster":  {inCluster(audit.Result{}), "Nothing is seen to fail now. Nothing was found."},
		"as predicted":   {inCluster(audit.Result{Findings: []finding.Finding{happening}}), "1 object fails now, as predicted. No object would be refused."},
		"not predicted":  {inCluster(audit.Result{Troubles: []finding.Trouble{trouble}}), "1 object fails now, without a prediction. No object would be refused."},
		"both":           {inCluster(audit.Result{Findings: []finding.Finding{happening}, Troubles: []finding.Trouble{trouble}}), "1 object fails now as predicted, 1 without a prediction. No object would be refused."},
		"not observed":   {audit.Result{Summary: audit.Summary{Judged: 1, Cluster: &audit.Cluster{}}}, "Nothing was found."},
		"unread cluster": {audit.Result{Summary: audit.Summary{Judged: 1, Cluster: &audit.Cluster{Unread: []string{"pods: Forbidden"}}}}, "No object would be refused, as far as could be judged."},
	} {
		if got := strings.Join(counted(&c.result).verdict(), " "); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestFolder is the folder that need not stand before each file.
func TestFolder(t *testing.T) {
	for _, c := range []struct {
		files []string
		want  string
	}{
		{nil, ""},
		{[]string{"a/b.yaml"}, ""},
		{[]string{"a/b.yaml", "a/c.yaml"}, "a/"},
		{[]string{"/m/a/b.yaml", "/m/ab/c.yaml"}, "/m/"},
		{[]string{"/a/b.yaml", "/c/b.yaml"}, ""},
		{[]string{"a/b.yaml", "b.yaml"}, ""},
		{[]string{"-", "a/b.yaml"}, ""},
	} {
		var r audit.Result
		for _, f := range c.files {
			r.Findings = append(r.Findings, finding.Finding{Source: finding.Source{File: f}})
		}
		if got := folder(&r); got != c.want {
			t.Errorf("of %q: got %q, want %q", c.files, got, c.want)
		}
	}
}

// TestCharts counts, and keeps a long tail in one row.
func TestCharts(t *testing.T) {
	var r audit.Result
	for i := range 12 {
		r.Findings = append(r.Findings, found(fmt.Sprintf("rule-%02d", i), "", "web", finding.Deny, ""))
	}
	r.Findings = append(r.Findings, found("rule-03", "", "web", finding.Audit, ""))
	got := byRule(&r)
	if len(got.Bars) != maxBars || got.More != 3 || byNamespace(&r) != nil {
		t.Fatalf("charts: %+v, %+v", got, byNamespace(&r))
	}
	want := []bar{
		{Name: "rule-03", Link: "#rule=rule-03", Total: 2, Parts: []part{{Kind: "deny", Count: 1, X: "0.00", Width: "50.00"}, {Kind: "audit", Count: 1, X: "50.00", Width: "50.00"}}},
		{Name: "3 others", Total: 3, Parts: []part{{Kind: "deny", Count: 3}}},
	}
	if diff := cmp.Diff(want, []bar{got.Bars[0], got.Bars[maxBars-1]}); diff != "" {
		t.Errorf("first and last row (-want +got):\n%s", diff)
	}
}

// TestMemory is an amount of memory as people read it.
func TestMemory(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1 Ki", 1536 << 20: "1.5 Gi", 16 << 30: "16 Gi", 1 << 62: "4 Ei"} {
		if got := memory(n); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}

// TestSize notes what a finding takes in the page, and fails where it takes several times as much as it did.
func TestSize(t *testing.T) {
	page := func(n int) int {
		var r audit.Result
		for i := range n {
			f := found("command-exits", fmt.Sprintf("team-%d", i%40), fmt.Sprintf("service-%05d", i), finding.Deny, finding.Predicted)
			f.Source = finding.Source{File: fmt.Sprintf("manifests/service-%05d.yaml", i), Line: i}
			f.Why = fmt.Sprintf("container \"service-%05d\" ends, and restartPolicy is Always.", i)
			r.Findings = append(r.Findings, f)
		}
		return len(written(t, r, Options{}))
	}
	const few, many = 1000, 3000
	each := (page(many) - page(few)) / (many - few)
	t.Logf("%d bytes for each finding, %d for a page without any", each, page(0))
	if each > 1000 {
		t.Errorf("a finding takes %d bytes", each)
	}
}

// TestScripts holds that every script of the folder is in the page, once.
func TestScripts(t *testing.T) {
	names, err := filepath.Glob("page/*.js")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, name := range names {
		want = append(want, filepath.Base(name))
	}
	if diff := cmp.Diff(want, slices.Sorted(slices.Values(scripts()))); diff != "" {
		t.Errorf("scripts (-in the folder +in the page):\n%s", diff)
	}
}
