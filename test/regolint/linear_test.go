package regolint

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// steps counts what OPA does.
type steps int

func (s *steps) Enabled() bool               { return true }
func (s *steps) Config() topdown.TraceConfig { return topdown.TraceConfig{} }
func (s *steps) TraceEvent(topdown.Event)    { *s++ }

// TestLinear holds that a rule that looks containers up in the pod does so once for
// all of them: four times the containers are not sixteen times the work.
func TestLinear(t *testing.T) {
	few, many := work(t, 25), work(t, 100)
	if many > 5*few {
		t.Errorf("25 containers take %d steps, 100 take %d", few, many)
	}
}

// work asks liveness-kills-slow-start about so many containers that it speaks about.
func work(t *testing.T, containers int) steps {
	t.Helper()
	all, err := parse(os.DirFS(filepath.Join("..", "..", "policies")))
	if err != nil {
		t.Fatal(err)
	}
	var count steps
	options := []func(*rego.Rego){
		rego.Query(`count(data.forestall.rules["liveness-kills-slow-start"].report)`),
		rego.Input(hasty(containers)), rego.QueryTracer(&count),
	}
	for _, m := range all {
		if !m.isTest() {
			options = append(options, rego.ParsedModule(m.Module))
		}
	}
	found, err := rego.New(options...).Eval(t.Context())
	if err != nil || len(found) != 1 || fmt.Sprint(found[0].Expressions[0].Value) != fmt.Sprint(containers) {
		t.Fatalf("%d containers: %v, %v", containers, found, err)
	}
	return count
}

// hasty is an input of containers whose liveness probes wait for a few seconds.
func hasty(n int) map[string]any {
	var seen, written []any
	for i := range n {
		name := fmt.Sprintf("c%d", i)
		seen = append(seen, map[string]any{
			"name": name, "path": name, "restartAlways": map[string]any{"state": "present"},
			"probes": map[string]any{
				"duringStart": map[string]any{"state": "present", "seconds": 9},
				"liveness": map[string]any{
					"path": name + ".livenessProbe", "handler": "httpGet", "target": map[string]any{"state": "present"},
					"periodSeconds": 3, "failureThreshold": 3, "timeoutSeconds": 1,
					"patience": map[string]any{"atLeastSeconds": 6, "atMostSeconds": 9},
				},
			},
		})
		written = append(written, map[string]any{"name": name, "livenessProbe": map[string]any{"httpGet": map[string]any{"port": 80}}})
	}
	params := map[string]any{"liveness-kills-slow-start": map[string]any{"seconds": 10}}
	return map[string]any{"params": params, "containers": seen, "pod": map[string]any{"spec": map[string]any{"containers": written}}}
}
