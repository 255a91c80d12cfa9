// Package integrations_test has the files run that tie forestall to the tools of a team: the GitHub Action, the plugin of kubectl, and hooks of
// pre-commit.
package integrations_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// action is what is looked at of action.yml.
type action struct {
	Inputs  map[string]struct{ Description, Default string }
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []step
	}
}

type step struct {
	ID, Uses, Shell, Run string
	With, Env            map[string]string
}

// repository is the root of it.
func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func parsed(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository(t), file))
	if err == nil {
		err = yaml.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// job is a place where steps of the action run, as a runner has them.
type job struct {
	dir string
	env []string
}

func newJob(t *testing.T) job {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"work", "temp"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return job{dir: dir, env: append(os.Environ(),
		"RUNNER_TEMP="+dir+"/temp", "GITHUB_OUTPUT="+dir+"/output", "GITHUB_STEP_SUMMARY="+dir+"/summary")}
}

// run runs a step with bash as a runner does (https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#exit-codes-and-error-action-preference).
func (j job) run(t *testing.T, a action, s step, inputs map[string]string) (stdout, stderr string, exit int) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.Env = filepath.Join(j.dir, "work"), &out, &errs, j.env
	expression := regexp.MustCompile(`\$\{\{ (\S+) \}\}`)
	for name, value := range s.Env {
		value = expression.ReplaceAllStringFunc(value, func(text string) string {
			of := expression.FindStringSubmatch(text)[1]
			if of == "github.action_path" {
				return repository(t)
			}
			input, ok := strings.CutPrefix(of, "inputs.")
			if _, known := a.Inputs[input]; !ok || !known {
				t.Fatalf("%s is no input", of)
			}
			if given, ok := inputs[input]; ok {
				return given
			}
			return a.Inputs[input].Default
		})
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	err := cmd.Run()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		exit = ended.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), exit
}

func (j job) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(j.dir, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(text)
}

func (j job) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(j.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const pod = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers: [{name: web, image: "registry.example.com/web:1.2.3"}]
`

// TestAction runs the steps of the action.
func TestAction(t *testing.T) {
	var a action
	parsed(t, "action.yml", &a)
	if a.Runs.Using != "composite" || len(a.Runs.Steps) != 3 {
		t.Fatalf("%d steps in a %s action", len(a.Runs.Steps), a.Runs.Using)
	}
	setup, build, audit := a.Runs.Steps[0], a.Runs.Steps[1], a.Runs.Steps[2]
	if !regexp.MustCompile(`^actions/setup-go@[0-9a-f]{40}$`).MatchString(setup.Uses) {
		t.Errorf("%s is not pinned to a commit", setup.Uses)
	}
	for _, s := range a.Runs.Steps {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("an expression in a script is run: %s", s.Run)
		}
	}
	j := newJob(t)
	if out, errs, exit := j.run(t, a, build, nil); exit != 0 {
		t.Fatalf("exit code %d\n%s%s", exit, out, errs)
	}
	for _, c := range []struct {
		name   string
		inputs map[string]string
		exit   int
		output string
		// stdout and summary are how these begin.
		stdout, summary string
	}{
		{"deny", nil, 1, "exit-code=1\n", "::error file=manifests/a pod.yaml,line=5,title=memory-limit-missing::", "## forestall\n\n**1 finding would be denied.**"},
		{"none", map[string]string{"fail-on": "none", "sarif": "a.sarif", "annotate": "false", "summary": "false"}, 0, "exit-code=0\nsarif=a.sarif\n", "LOCATION", ""},
		{"paths", map[string]string{"path": "manifests/a pod.yaml\nother\n", "args": " --exclude  memory-limit-missing\n --complete "}, 0, "exit-code=0\n", "2 files, 2 objects", "## forestall\n\nNothing is predicted"},
		{"hostile", map[string]string{"path": "$(touch pwned)`touch pwned`;touch pwned"}, 2, "exit-code=2\n", "::error file=$(touch pwned)", "## forestall\n\n**Not everything"},
		{"glob", map[string]string{"args": "*"}, 2, "exit-code=2\n", "::error file=*,title=", ""},
		{"usage", map[string]string{"fail-on": "never"}, 2, "exit-code=2\n", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			one := newJob(t)
			if err := os.Rename(filepath.Join(j.dir, "temp", "forestall"), filepath.Join(one.dir, "temp", "forestall")); err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := os.Rename(filepath.Join(one.dir, "temp", "forestall"), filepath.Join(j.dir, "temp", "forestall")); err != nil {
					t.Fatal(err)
				}
			}()
			one.write(t, "work/manifests/a pod.yaml", pod)
			one.write(t, "work/other/b.yaml", pod)
			inputs := map[string]string{"path": "manifests"}
			for name, value := range c.inputs {
				inputs[name] = value
			}
			stdout, stderr, exit := one.run(t, a, audit, inputs)
			if exit != c.exit || !strings.HasPrefix(stdout, c.stdout) || !strings.HasPrefix(one.read(t, "summary"), c.summary) {
				t.Errorf("exit code %d, stdout:\n%s\nstderr:\n%s\nsummary:\n%s", exit, stdout, stderr, one.read(t, "summary"))
			}
			if diff := cmp.Diff(c.output, one.read(t, "output")); diff != "" {
				t.Errorf("outputs (-want +got):\n%s", diff)
			}
			if _, err := os.Stat(filepath.Join(one.dir, "work", "pwned")); err == nil {
				t.Error("an input was run")
			}
			if file := c.inputs["sarif"]; file != "" && !json.Valid([]byte(one.read(t, "work/"+file))) {
				t.Errorf("%s is no JSON", file)
			}
		})
	}
}
