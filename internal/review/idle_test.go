package review_test

import (
	"strings"
	"testing"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

const (
	deploymentOf = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {SPEC template: {spec: {containers: [{name: web, image: "web:1", command: [sleep 1000], resources: {limits: {memory: 64Mi}}}]}}}}`
	setOf        = `{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {SPEC template: {spec: {containers: [{name: web, image: "web:1", command: [sleep 1000], resources: {limits: {memory: 64Mi}}}]}}}}`
	daemonSetOf  = `{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: web}, spec: {SPEC template: {spec: {containers: [{name: web, image: "web:1", command: [sleep 1000], resources: {limits: {memory: 64Mi}}}]}}}}`
	jobOf        = `{apiVersion: batch/v1, kind: Job, metadata: {name: web}, spec: {SPEC template: {spec: {restartPolicy: Never, containers: [{name: web, image: "web:1", command: [sleep 1000], resources: {limits: {memory: 64Mi}}}]}}}}`
	simulatedOf  = `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {SPEC containers: [{name: web, image: "web:1", command: [sleep 1000], resources: {limits: {memory: 64Mi}}}]}}`
	templateOf   = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {template: {spec: {SPEC containers: [{name: web, image: "web:1", command: [sleep 1000], resources: {limits: {memory: 64Mi}}}]}}}}`
	cronJobOf    = `{apiVersion: batch/v1, kind: CronJob, metadata: {name: web}, spec: {schedule: "@daily", SPEC jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: web, image: "web:1", command: [sleep 1000], resources: {limits: {memory: 64Mi}}}]}}}}}}`
)

// TestIdle: what runs nothing fails at nothing, and is judged when it starts.
func TestIdle(t *testing.T) {
	r := reviewer(t, review.Settings{})
	for _, tt := range []struct {
		name, object, spec, old string
		operation               review.Operation
		level                   finding.Level
		says                    string
	}{
		{"no replicas", deploymentOf, "replicas: 0,", "", review.Create, finding.Audit, "replicas is 0"},
		{"no replicas, in an audit", deploymentOf, "replicas: 0, selector: {matchLabels: {app: web}},", "", review.Audit, finding.Audit, "replicas is 0"},
		{"no replicas of a StatefulSet", setOf, "replicas: 0,", "", review.Create, finding.Audit, "replicas is 0"},
		{"paused", deploymentOf, "paused: true,", "", review.Create, finding.Audit, "it is paused"},
		{"simulated", simulatedOf, "nodeSelector: {type: kwok},", "", review.Create, finding.Audit, "its nodes are simulated"},
		{"it goes to real nodes", templateOf, "", "nodeSelector: {type: kwok},", review.Update, finding.Deny, ""},
		{"a suspended CronJob", cronJobOf, "suspend: true,", "", review.Create, finding.Audit, "it is suspended"},
		{"no parallelism", jobOf, "parallelism: 0,", "", review.Create, finding.Audit, "parallelism is 0"},
		{"no completions", jobOf, "completions: 0,", "", review.Create, finding.Audit, "completions is 0"},
		{"a suspended Job, which a queue starts", jobOf, "suspend: true,", "", review.Create, finding.Deny, ""},
		{"fields that the kind does not have", daemonSetOf, "replicas: 0, paused: true, parallelism: 0,", "", review.Create, finding.Deny, ""},
		{"parallelism of a Deployment", deploymentOf, "parallelism: 0,", "", review.Create, finding.Deny, ""},
		{"one replica", deploymentOf, "replicas: 1,", "", review.Create, finding.Deny, ""},
		{"it starts", deploymentOf, "replicas: 1,", "replicas: 0,", review.Update, finding.Deny, ""},
		{"it is resumed", deploymentOf, "", "paused: true,", review.Update, finding.Deny, ""},
		{"a CronJob is resumed", cronJobOf, "", "suspend: true,", review.Update, finding.Deny, ""},
		{"it is paused and not run", deploymentOf, "replicas: 0, paused: true,", "replicas: 0,", review.Update, finding.Audit, "it is paused"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			old := ""
			if tt.operation == review.Update {
				old = strings.Replace(tt.object, "SPEC", tt.old, 1)
			}
			d, err := r.Review(t.Context(), subject(t, tt.operation, strings.Replace(tt.object, "SPEC", tt.spec, 1), old))
			if err != nil || len(d.Findings) != 1 {
				t.Fatalf("%+v, %v", d, err)
			}
			f := d.Findings[0]
			said := strings.HasPrefix(f.What, "nothing now, since it runs nothing ("+tt.says+"). Once it runs: kubectl shows")
			if existing := tt.operation == review.Update && tt.level == finding.Audit; f.Level != tt.level || f.Existing != existing || said != (tt.says != "") {
				t.Errorf("%s, existing: %t: %s", f.Level, f.Existing, f.What)
			}
		})
	}
}
