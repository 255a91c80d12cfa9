package corpus

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// verdicts are manifests on which a verdict was wrong once, and all that is told of them now. Missing limits and
// tags are another matter.
func verdicts() map[string][]string {
	const (
		ceiling      = "memory-ceiling-exceeds-limit=warn"
		volume       = "memory-volume-exceeds-limit=audit"
		unrunnable   = "command-not-executable=deny"
		endless      = "command-never-ends=deny"
		exits        = "command-exits=deny"
		ends         = "command-exits=audit"
		unmentioned  = "probe-port-unmentioned=audit"
		literal      = "command-literal-shell-syntax=warn"
		floor        = "memory-limit-below-floor=deny"
		milli        = "memory-quantity-milli=deny"
		invalid      = "image-reference-invalid=deny"
		unknownPort  = "probe-port-name-undefined=deny"
		endsNow      = "command-exits=deny"
		probeFails   = "probe-always-fails=deny"
		neverEndsNow = "command-never-ends=audit"
	)
	return map[string][]string{
		"wrong-deny/01-kustomize-patch-probe-name.yaml":          nil,
		"wrong-deny/02-kustomize-patch-java-opts.yaml":           nil,
		"wrong-deny/03-xmx-above-limit-never-reached.yaml":       {ceiling},
		"wrong-deny/04-node-options-ceiling.yaml":                {ceiling},
		"wrong-deny/05-dshm-sizelimit-above-limit.yaml":          {volume},
		"wrong-deny/06-tmp-in-memory-sizelimit.yaml":             {volume},
		"wrong-deny/07-java-opts-not-read.yaml":                  nil,
		"wrong-deny/08-java-opts-on-nginx.yaml":                  nil,
		"wrong-deny/09-node-options-on-nginx-spa.yaml":           nil,
		"wrong-deny/10-kafka-heap-opts-on-exporter.yaml":         nil,
		"wrong-deny/11-java-opts-and-tool-options.yaml":          nil,
		"wrong-deny/12-elasticsearch-ignores-java-opts.yaml":     nil,
		"wrong-deny/13-redis-maxmemory-ceiling.yaml":             {ceiling},
		"wrong-deny/14-replicas-zero.yaml":                       {ends},
		"wrong-deny/15-job-suspended.yaml":                       {neverEndsNow},
		"wrong-deny/16-cat-named-pipe.yaml":                      nil,
		"wrong-deny/17-sed-reads-named-pipe.yaml":                nil,
		"wrong-deny/18-probe-helper-asks-port-of-neighbour.yaml": {unmentioned}, // of the server itself
		"wrong-deny/19-probe-port-in-mounted-config.yaml":        nil,
		"wrong-deny/20-probe-port-of-a-service.yaml":             nil,
		"wrong-deny/21-probe-of-injected-agent.yaml":             nil,
		"wrong-deny/22-liveness-switched-off-by-threshold.yaml":  nil,
		"wrong-deny/23-kustomize-debug-patch.yaml":               nil,
		"wrong-deny/24-kustomize-image-placeholder.yaml":         nil,
		"wrong-deny/25-ko-image.yaml":                            nil,
		"wrong-deny/26-sidecar-that-ends-in-a-job.yaml":          nil,
		"wrong-deny/27-floor-under-another-runtime.yaml":         nil,
		"wrong-deny/28-istio-gateway-template.yaml":              nil,
		"wrong-deny/29-cpu-on-simulated-nodes.yaml":              nil,

		"wrong-warn/01-keycloak-management-port.yaml":    {unmentioned},
		"wrong-warn/02-port-flag-of-the-database.yaml":   nil,
		"wrong-warn/03-controller-health-8081.yaml":      nil,
		"wrong-warn/04-coredns-ready-8181.yaml":          {unmentioned},
		"wrong-warn/05-envoy-admin.yaml":                 {unmentioned},
		"wrong-warn/06-dollar-in-password.yaml":          nil,
		"wrong-warn/07-gomemlimit-on-nginx.yaml":         nil,
		"wrong-warn/08-liveness-patch-without-base.yaml": nil,
		"wrong-warn/09-paused-deployment-deadline.yaml":  nil,
		"wrong-warn/10-batch-pod-with-liveness.yaml":     nil,

		"missed/01-sh-dash-c-in-one-element.yaml":        {unrunnable},
		"missed/02-env-assignment-as-program.yaml":       {unrunnable, unrunnable},
		"missed/03-args-line-of-busybox.yaml":            {unrunnable, unrunnable},
		"missed/04-builtin-as-program.yaml":              {unrunnable, unrunnable},
		"missed/05-home-in-program.yaml":                 {unrunnable, unrunnable},
		"missed/06-path-and-word.yaml":                   {unrunnable, unrunnable, unrunnable, unrunnable},
		"missed/07-sh-c-split-java-npm.yaml":             {unrunnable, unrunnable},
		"missed/08-readiness-that-always-fails.yaml":     {unrunnable, probeFails, probeFails},
		"missed/09-poststart-http-port-name.yaml":        {"post-start-always-fails=deny"},
		"missed/10-server-as-init-container.yaml":        {endless, endless},
		"missed/11-pause-and-nginx-images-in-a-job.yaml": {endless, endless},
		"missed/14-one-shot-programs.yaml":               {endsNow, endsNow, endsNow, endsNow},
		"missed/15-counting-loop.yaml":                   {endsNow, endsNow},
		"missed/17-memcached-and-varnish.yaml":           {ceiling, ceiling},
		"missed/16-restart-rule-never-zero.yaml":         {endsNow},
		"missed/18-stress-with-a-kubernetes-unit.yaml":   {endsNow},
		"missed/12-trap-and-wait-as-init.yaml":           {endless},
		"missed/13-sleep-a-year-as-init.yaml":            {endless},
		"missed/19-unfilled-command.yaml":                {unrunnable, unrunnable},
		"missed/20-probe-port-name-too-long.yaml":        {unknownPort},

		// What they say is held by the rule's own tests, and what fixes make of them by test/fixes.
		"wrong-text/01-fix-loses-args.yaml":                           {unrunnable, unrunnable},
		"wrong-text/11-cpu-100000.yaml":                               {"cpu-quantity-implausible=deny"},
		"wrong-text/12-memory-65536-and-0.5.yaml":                     {floor, milli, milli},
		"wrong-text/13-placeholder-lowercased.yaml":                   {invalid, invalid, invalid},
		"wrong-text/14-fix-needs-a-shell-that-is-not-there.yaml":      {literal, literal},
		"wrong-text/02-fix-writes-port-name-that-api-refuses.yaml":    {unknownPort, unknownPort},
		"wrong-text/03-fix-names-a-udp-port.yaml":                     {unknownPort},
		"wrong-text/15-restarted-for-ever-in-21-billion-seconds.yaml": nil,

		// TestVerdictsTell holds what they say.
		"wrong-text/04-job-is-not-tried-for-ever.yaml":               {unrunnable},
		"wrong-text/05-job-both-running-for-ever-and-oomkilled.yaml": {"memory-demand-exceeds-limit=deny"},
		"wrong-text/06-completed-beside-a-running-server.yaml":       {exits},
		"wrong-text/07-sidecar-status.yaml":                          {exits},
		"wrong-text/08-init-status.yaml":                             {unrunnable},
		"wrong-text/09-trailing-newline-called-command-line.yaml":    {unrunnable},
		"wrong-text/10-node-name-is-not-pending.yaml":                {"cpu-quantity-implausible=deny"},
		"wrong-text/16-without-end-under-a-pod-deadline.yaml":        {exits},
	}
}

// told are those of them of which the words were wrong, and not the verdict.
func told() []string {
	return []string{
		"04-job-is-not-tried-for-ever", "05-job-both-running-for-ever-and-oomkilled", "06-completed-beside-a-running-server",
		"07-sidecar-status", "08-init-status", "09-trailing-newline-called-command-line", "10-node-name-is-not-pending",
		"12-memory-65536-and-0.5", "15-restarted-for-ever-in-21-billion-seconds", "16-without-end-under-a-pod-deadline",
	}
}

// TestVerdictsTell holds all that is said of them, in testdata/told.golden.
func TestVerdictsTell(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "verdicts", "wrong-text")
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		t.Skip("no judged manifests beside this repository")
	}
	rules := embedded(t)
	var all strings.Builder
	for _, file := range told() {
		fmt.Fprintf(&all, "%s\n", file)
		for _, f := range judged(t, rules, filepath.Join(dir, file+".yaml"), false).Findings {
			if f.Rule != countedApart && f.Rule != "image-tag-mutable" {
				fmt.Fprintf(&all, "  %s: %s\n    what: %s\n    why: %s\n    fix: %s\n", f.Container, f.Reason, f.What, f.Why, f.Fix)
			}
		}
	}
	golden(t, filepath.Join("testdata", "told.golden"), all.String())
}

// TestVerdicts judges the manifests where they lie beside this repository. The rules' own testdata has the same causes.
func TestVerdicts(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "verdicts")
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		t.Skip("no judged manifests beside this repository")
	}
	rules := embedded(t)
	for file, want := range verdicts() {
		t.Run(file, func(t *testing.T) {
			var got []string
			for _, f := range findings(t, rules, filepath.Join(dir, filepath.FromSlash(file)), false) {
				if f.Rule != countedApart && f.Rule != "image-tag-mutable" {
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
