package proof

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const head = "apiVersion: lab.forestall.dev/v1\nkind: Proof\n"

func TestDecode(t *testing.T) {
	got, err := Decode([]byte(head + `
fails:
  - name: echo
    manifest: fail-echo.yaml
    standIns: {"shop/web:1": {image: "lab/server:1", env: {PORT: "8081"}}}
    podsMemory: 400Mi
    within: 1m
    expect:
      - pod: {labels: {app: echo}}
        terminated: {reason: Completed, exitCode: 0}
      - phase: Succeeded
        stillNot: 30s
`))
	if err != nil {
		t.Fatal(err)
	}
	want := Proof{TypeMeta: metav1.TypeMeta{APIVersion: APIVersion, Kind: Kind}, Fails: []Case{{
		Name: "echo", Manifest: "fail-echo.yaml", PodsMemory: "400Mi",
		StandIns: map[string]StandIn{"shop/web:1": {Image: "lab/server:1", Env: map[string]string{"PORT": "8081"}}},
		Within:   metav1.Duration{Duration: time.Minute},
		Expect: []Expectation{
			{Pod: &PodSelector{Labels: map[string]string{"app": "echo"}}, Terminated: &Terminated{Reason: "Completed", ExitCode: new(0)}},
			{Phase: "Succeeded", StillNot: metav1.Duration{Duration: 30 * time.Second}},
		},
	}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if bytes, err := got.Fails[0].Memory(); err != nil || bytes != 400<<20 {
		t.Errorf("memory: %d, %v", bytes, err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	const sound = "name: a, manifest: a.yaml, within: 1m, expect: [{phase: Failed}]"
	for _, tt := range []struct{ name, text, want string }{
		{"another version", "apiVersion: v2\nkind: Proof\nunproved: x", "it is a Proof of v2"},
		{"an unknown field", head + "fail: []", `unknown field "fail"`},
		{"an unknown field of an expectation", head + "fails: [{expect: [{pahse: x}]}]", `unknown field "pahse"`},
		{"nothing", head, "it has either cases under fails, or says under unproved why not"},
		{"both", head + "unproved: x\nfails: [{" + sound + "}]", "it has either cases"},
		{"two of a name", head + "fails: [{" + sound + "}, {" + sound + "}]", `two cases are named "a"`},
		{"a patch that fails", head + "fails: [{patched: true, " + sound + "}]", "what was patched belongs under works"},
		{"a bad name", head + "fails: [{name: A, manifest: a.yaml, within: 1m, expect: [{phase: x}]}]", "its name is lower-case"},
		{"another folder", head + "fails: [{name: a, manifest: ../a.yaml, within: 1m, expect: [{phase: x}]}]", "no file of the same folder"},
		{"no time", head + "fails: [{name: a, manifest: a.yaml, expect: [{phase: x}]}]", "within is missing"},
		{"no size", head + "fails: [{podsMemory: much, " + sound + "}]", `podsMemory "much" is no size`},
		{"no expectation", head + "fails: [{name: a, manifest: a.yaml, within: 1m}]", "nothing is expected"},
		{"an empty expectation", head + "fails: [{name: a, manifest: a.yaml, within: 1m, expect: [{container: x}]}]", "expect[0] says nothing"},
		{"a time beyond the end", head + "fails: [{name: a, manifest: a.yaml, within: 1m, expect: [{phase: x, stillNot: 2m}]}]", "stillNot is no part of within"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Decode([]byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestLoadWantsManifests(t *testing.T) {
	dir := t.TempDir()
	text := head + "fails: [{name: a, manifest: gone.yaml, within: 1m, expect: [{phase: Failed}]}]"
	if err := os.WriteFile(filepath.Join(dir, "proof.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "case a: ") {
		t.Errorf("got %v", err)
	}
}

// TestBuiltInProofs reads the proof of every rule.
func TestBuiltInProofs(t *testing.T) {
	rules := filepath.Join("..", "..", "..", "policies", "forestall", "rules")
	folders, err := os.ReadDir(rules)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if !f.IsDir() {
			continue
		}
		if _, err := Load(filepath.Join(rules, f.Name(), "testdata")); err != nil {
			t.Errorf("rule %s: %v", f.Name(), err)
		}
	}
}
