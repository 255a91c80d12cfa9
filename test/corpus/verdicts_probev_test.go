package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// attackedVerdicts is a folder of manifests on which a verdict was wrong once, beside this repository.
var attackedVerdicts = filepath.Join("..", "..", "..", "shared", "verdicts")

// verdictsOnProbes are those about probes, ports and Services, with all that is told of them besides memory limits.
func verdictsOnProbes() map[string][]string {
	return map[string][]string{
		"wrong-deny/18-probe-helper-asks-port-of-neighbour.yaml": {"probe-port-unmentioned=audit"}, // of the server itself
		"wrong-deny/19-probe-port-in-mounted-config.yaml":        nil,
		"wrong-deny/20-probe-port-of-a-service.yaml":             nil,
		"wrong-deny/21-probe-of-injected-agent.yaml":             nil,
		"wrong-deny/22-liveness-switched-off-by-threshold.yaml":  nil,
		"wrong-deny/28-istio-gateway-template.yaml":              nil,

		"wrong-warn/01-keycloak-management-port.yaml":   {"probe-port-unmentioned=audit"},
		"wrong-warn/02-port-flag-of-the-database.yaml":  nil,
		"wrong-warn/03-controller-health-8081.yaml":     nil,
		"wrong-warn/04-coredns-ready-8181.yaml":         {"probe-port-unmentioned=audit"},
		"wrong-warn/05-envoy-admin.yaml":                {"probe-port-unmentioned=audit"},
		"wrong-warn/09-paused-deployment-deadline.yaml": nil,
		"wrong-warn/10-batch-pod-with-liveness.yaml":    nil,

		"missed/20-probe-port-name-too-long.yaml": {"probe-port-name-undefined=deny"},

		// What they say is held by the rule's own tests.
		"wrong-text/02-fix-writes-port-name-that-api-refuses.yaml":    {"probe-port-name-undefined=deny", "probe-port-name-undefined=deny"},
		"wrong-text/03-fix-names-a-udp-port.yaml":                     {"probe-port-name-undefined=deny"},
		"wrong-text/15-restarted-for-ever-in-21-billion-seconds.yaml": nil,
	}
}

func TestVerdictsOnProbes(t *testing.T) {
	if _, err := os.Stat(attackedVerdicts); errors.Is(err, os.ErrNotExist) {
		t.Skip("no manifests of wrong verdicts beside this repository")
	}
	rules := embedded(t)
	for file, want := range verdictsOnProbes() {
		t.Run(file, func(t *testing.T) {
			var got []string
			for _, f := range findings(t, rules, filepath.Join(attackedVerdicts, file), false) {
				if f.Rule != countedApart {
					got = append(got, f.Rule+"="+string(f.Level))
				}
			}
			slices.Sort(got)
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
