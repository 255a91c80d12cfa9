package integrations_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/test/apiserver"
	"github.com/forestall/forestall/test/apiserver/apiservertest"
)

// TestKubectlPlugin has the real kubectl find the plugin, run it, and complete its command line.
func TestKubectlPlugin(t *testing.T) {
	cluster := apiservertest.Start(t)
	dir := t.TempDir()
	plugin := filepath.Join(dir, "kubectl-forestall")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", plugin, "./cmd/forestall")
	build.Dir = repository(t)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.Symlink(plugin, filepath.Join(dir, "kubectl_complete-forestall")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args  []string
		input string
		exit  int
		want  string
	}{
		{args: []string{"plugin", "list"}, want: "(?m)^" + regexp.QuoteMeta(plugin) + "$"},
		{args: []string{"forestall", "audit", "-f", "-"}, input: pod, exit: 1, want: "(?m)^<stdin>:5 +deny +memory-limit-missing +Pod/web, web"},
		{args: []string{"forestall", "audit", "--help"}, want: `(?m)^  kubectl forestall audit `},
		{args: []string{"forestall", "no-such"}, exit: 2, want: `Run 'kubectl forestall --help' for usage`},
		{args: []string{"forestall", "audit", "--cluster"}, want: `0 deny`},
		{args: []string{"__complete", "forestall", "expl"}, want: "(?m)^explain\t"},
		{args: []string{"__complete", "forestall", "audit", "--fail-on", ""}, want: "(?m)^none$"},
	} {
		var out, errs bytes.Buffer
		cmd := cluster.KubectlCommand(t.Context(), c.args...)
		for i, v := range cmd.Env {
			if path, ok := strings.CutPrefix(v, "PATH="); ok {
				cmd.Env[i] = "PATH=" + dir + string(os.PathListSeparator) + path
			}
		}
		cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader(c.input), &out, &errs
		exit := apiserver.ExitCode(cmd.Run(), &errs)
		if exit != c.exit || !regexp.MustCompile(c.want).MatchString(out.String()+errs.String()) {
			t.Errorf("kubectl %s: exit code %d, want %d and %s\n%s%s", strings.Join(c.args, " "), exit, c.exit, c.want, out.String(), errs.String())
		}
	}
}

// TestKrewManifest: a release fills in nothing but the version and the sums.
func TestKrewManifest(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository(t), "plugins", "krew", "forestall.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	filled := regexp.MustCompile(`SHA256_\w+`).ReplaceAllString(strings.ReplaceAll(string(text), "VERSION", "v0.1.0"), strings.Repeat("0", 64))
	var plugin struct {
		APIVersion, Kind string
		Metadata         struct{ Name string }
		Spec             struct {
			Version, Homepage, ShortDescription, Description, Caveats string
			Platforms                                                 []struct {
				Selector struct {
					MatchLabels struct{ OS, Arch string }
				}
				URI, Sha256, Bin string
				Files            []struct{ From, To string }
			}
		}
	}
	if err := yaml.UnmarshalStrict([]byte(filled), &plugin); err != nil {
		t.Fatal(err)
	}
	if plugin.APIVersion != "krew.googlecontainertools.github.com/v1alpha2" || plugin.Kind != "Plugin" || plugin.Metadata.Name != "forestall" ||
		plugin.Spec.Version != "v0.1.0" || len(plugin.Spec.ShortDescription) > 50 {
		t.Errorf("%+v", plugin)
	}
	seen := map[string]bool{}
	for _, p := range plugin.Spec.Platforms {
		os, ending, packed := p.Selector.MatchLabels.OS, "", ".tar.gz"
		if os == "windows" {
			ending, packed = ".exe", ".zip"
		}
		name := os + "_" + p.Selector.MatchLabels.Arch
		uri := "https://github.com/forestall/forestall/releases/download/v0.1.0/forestall_v0.1.0_" + name + packed
		if seen[name] || p.URI != uri || p.Sha256 != strings.Repeat("0", 64) || p.Bin != "kubectl-forestall"+ending ||
			len(p.Files) != 2 || p.Files[0].From != "forestall"+ending || p.Files[0].To != p.Bin {
			t.Errorf("%s: %+v", name, p)
		}
		seen[name] = true
	}
	if len(seen) != 5 {
		t.Errorf("%d platforms", len(seen))
	}
}

// TestPreCommitHooks: what the hooks run exists.
func TestPreCommitHooks(t *testing.T) {
	var hooks []struct {
		ID, Name, Entry, Language string
		Types                     []string `json:"types_or"`
	}
	parsed(t, ".pre-commit-hooks.yaml", &hooks)
	j := newJob(t)
	j.write(t, "work/pod.yaml", pod)
	if len(hooks) != 2 {
		t.Fatalf("%d hooks", len(hooks))
	}
	for i, want := range []int{1, 0} { // the audit denies; nothing is configured that could be repaired
		words := strings.Fields(hooks[i].Entry)
		if hooks[i].Language != "golang" || words[0] != "forestall" {
			t.Errorf("%+v", hooks[i])
		}
		cmd := exec.CommandContext(t.Context(), "go", append([]string{"run", "./cmd/forestall"}, append(words[1:], filepath.Join(j.dir, "work", "pod.yaml"))...)...)
		cmd.Dir = repository(t)
		out, err := cmd.CombinedOutput()
		if (err == nil) != (want == 0) || strings.Contains(string(out), "Run 'forestall") {
			t.Errorf("%s: %v\n%s", hooks[i].Entry, err, out)
		}
	}
}
