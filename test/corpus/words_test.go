package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/finding"
)

// place is a pod in which a failing container may stand, as a manifest in which CONTAINER is that container.
type place struct {
	name, manifest string
	// init says that the container is waited for before the main ones start.
	init bool
	// never says that it is not started again, ends that something puts an end to the restarts.
	never, ends bool
}

const (
	wordsPod = `{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {%s}}`

	wordsDeployment = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {
  selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {%s}}}}`

	wordsJob = `{apiVersion: batch/v1, kind: Job, metadata: {name: a}, spec: {%s template: {spec: {%s}}}}`

	wordsCronJob = `{apiVersion: batch/v1, kind: CronJob, metadata: {name: a}, spec: {
  schedule: "0 4 * * *", jobTemplate: {spec: {template: {spec: {%s}}}}}}`

	wordsWeb = `{name: web, image: "registry.example.com/web:1", resources: {limits: {memory: 64Mi}}}`
)

func places() []place {
	const (
		alone   = "containers: [CONTAINER]"
		beside  = "containers: [" + wordsWeb + ", CONTAINER]"
		initial = "initContainers: [CONTAINER], containers: [" + wordsWeb + "]"
	)
	pod := func(spec string) string { return fmt.Sprintf(wordsPod, spec) }
	deployment := func(spec string) string { return fmt.Sprintf(wordsDeployment, spec) }
	job := func(policy, fields, spec string) string {
		return fmt.Sprintf(wordsJob, fields, "restartPolicy: "+policy+", "+spec)
	}
	return []place{
		{name: "Deployment", manifest: deployment(alone)},
		{name: "Deployment, beside a server", manifest: deployment(beside)},
		{name: "Deployment, init container", manifest: deployment(initial), init: true},
		{name: "Deployment on a node by its name", manifest: deployment("nodeName: node-1, " + alone)},
		{name: "bare Pod, Always", manifest: pod(alone)},
		{name: "bare Pod, OnFailure", manifest: pod("restartPolicy: OnFailure, " + alone)},
		{name: "bare Pod, Never", manifest: pod("restartPolicy: Never, " + alone), never: true},
		{name: "bare Pod, Never, init container", manifest: pod("restartPolicy: Never, " + initial), init: true, never: true},
		{name: "bare Pod with a deadline", manifest: pod("activeDeadlineSeconds: 600, " + alone), ends: true},
		{name: "Job, OnFailure", manifest: job("OnFailure", "", alone), ends: true},
		{name: "Job, OnFailure, beside a server", manifest: job("OnFailure", "", beside), ends: true},
		{name: "Job, OnFailure, init container", manifest: job("OnFailure", "", initial), init: true, ends: true},
		{name: "Job, OnFailure, deadline, no retries", manifest: job("OnFailure", "activeDeadlineSeconds: 3600, backoffLimit: 0,", alone), ends: true},
		{name: "Job, Never", manifest: job("Never", "", alone), never: true, ends: true},
		{name: "Job, Never, init container", manifest: job("Never", "", initial), init: true, never: true, ends: true},
		{name: "Job, Never, on a node by its name", manifest: job("Never", "backoffLimit: 0,", "nodeName: node-1, "+alone), never: true, ends: true},
		{name: "CronJob, Never", manifest: fmt.Sprintf(wordsCronJob, "restartPolicy: Never, "+alone), never: true, ends: true},
		{name: "CronJob, OnFailure", manifest: fmt.Sprintf(wordsCronJob, "restartPolicy: OnFailure, "+alone), ends: true},
	}
}

// sidecars are the places of a sidecar.
func sidecars() []place {
	const spec = "initContainers: [CONTAINER], containers: [" + wordsWeb + "]"
	return []place{
		{name: "Deployment, sidecar", manifest: fmt.Sprintf(wordsDeployment, spec), init: true},
		{name: "Job, OnFailure, sidecar", manifest: fmt.Sprintf(wordsJob, "", "restartPolicy: OnFailure, "+spec), init: true, ends: true},
		{name: "Job, Never, sidecar", manifest: fmt.Sprintf(wordsJob, "", "restartPolicy: Never, "+spec), init: true, ends: true},
	}
}

// TestWords holds what each rule tells of one container, wherever that stands: in testdata/words, to be read by
// people, and by what kubectl prints there (k8s.io/kubernetes pkg/printers/internalversion/printers.go, printPod).
func TestWords(t *testing.T) {
	rules := embedded(t)
	files, err := filepath.Glob(filepath.Join("testdata", "words", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d containers, %v", len(files), err)
	}
	for _, file := range files {
		rule := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(rule, func(t *testing.T) {
			container, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, strings.TrimSuffix(file, ".yaml")+".golden", tellEverywhere(t, rules, rule, container))
		})
	}
}

func tellEverywhere(t *testing.T, rules *builtin.Rules, rule string, container []byte) string {
	t.Helper()
	var all strings.Builder
	said := map[string][]string{}
	var order []string
	for _, p := range append(places(), sidecars()...) {
		for _, f := range findingsAt(t, rules, rule, container, p) {
			p.check(t, f)
			text := fmt.Sprintf("    %s\n    %s\n", f.Reason, f.What)
			if said[text] == nil {
				order = append(order, text)
			}
			said[text] = append(said[text], p.name)
		}
	}
	for _, text := range order {
		fmt.Fprintf(&all, "%s:\n%s", strings.Join(said[text], "; "), text)
	}
	return all.String()
}

// findingsAt is what the rule tells of the container at a place.
func findingsAt(t *testing.T, rules *builtin.Rules, rule string, container []byte, p place) []finding.Finding {
	t.Helper()
	var fields map[string]any
	if err := yaml.Unmarshal(container, &fields); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(p.name, "sidecar") {
		fields["restartPolicy"] = "Always"
	}
	written, err := yaml.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	asJSON, err := yaml.YAMLToJSON(written)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "manifest.yaml")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(p.manifest, "CONTAINER", string(asJSON))), 0o600); err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(judged(t, rules, file, false).Findings, func(f finding.Finding) bool { return f.Rule != rule })
}

// check holds what is told against what kubectl can show at the place.
func (p place) check(t *testing.T, f finding.Finding) {
	t.Helper()
	bare := regexp.MustCompile(`(^|[^:A-Za-z])(OOMKilled|CrashLoopBackOff|RunContainerError|StartError|InvalidImageName|ErrImageNeverPull)\b`)
	text := regexp.MustCompile(`\(StartError,|last state is StartError|\(Completed, exit code 0, in kubectl describe\)`).ReplaceAllString(f.Reason+" "+f.What, "")
	if p.init && bare.MatchString(text) {
		t.Errorf("%s: kubectl shows Init: before each status: %s", p.name, text)
	}
	if p.init && strings.Contains(text, "Completed") {
		t.Errorf("%s: Completed is not shown: %s", p.name, text)
	}
	if p.never && strings.Contains(text, "CrashLoopBackOff") {
		t.Errorf("%s: there is no back-off: %s", p.name, text)
	}
	if p.ends && strings.Contains(text, "started again") && strings.Contains(text, "without end") {
		t.Errorf("%s: there is an end: %s", p.name, text)
	}
}
