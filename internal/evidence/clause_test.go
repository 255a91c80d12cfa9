package evidence_test

import (
	"testing"

	"github.com/forestall/forestall/internal/evidence"
	"github.com/forestall/forestall/internal/finding"
)

func TestClause(t *testing.T) {
	restarts := finding.Symptom{Kind: finding.Restarts, Container: "web", Count: 1, Pods: 3}
	for _, tt := range []struct {
		want     string
		symptoms []finding.Symptom
		pods     int
	}{
		{"", nil, 3},
		{"OOMKilled, exit code 137, 1 restart, in 3 of 12 pods", []finding.Symptom{ended("OOMKilled", 137), restarts}, 12},
		{"OOMKilled, exit code 137, runs again", []finding.Symptom{over(ended("OOMKilled", 137))}, 1},
		{"ImagePullBackOff, in 1 of 2 pods", []finding.Symptom{waiting("ImagePullBackOff")}, 2},
		{"Unhealthy, readiness probe fails x3", []finding.Symptom{event("web", "Unhealthy", "Readiness probe failed: connection refused")}, 1},
		{"Killing, startup probe failed x3", []finding.Symptom{event("web", "Killing", "Container web failed startup probe, will be restarted")}, 1},
		{"FailedScheduling, Insufficient cpu x3", []finding.Symptom{event("", "FailedScheduling", "0/3 nodes are available: 3 Insufficient cpu.")}, 1},
		{"FailedScheduling, Insufficient memory, Insufficient cpu x3", []finding.Symptom{
			event("", "FailedScheduling", "0/3 nodes are available: 1 Insufficient cpu, 3 Insufficient memory."),
		}, 1},
		{"no ready endpoint", []finding.Symptom{over(finding.Symptom{Kind: finding.Endpoints, Reason: "none"})}, 0},
		{"endpoints without a port", []finding.Symptom{{Kind: finding.Endpoints, Reason: "noPorts"}}, 0},
		{"does not end", []finding.Symptom{{Kind: finding.Running, Container: "web", Reason: "Init"}}, 1},
	} {
		if got := evidence.Clause(tt.symptoms, tt.pods); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
