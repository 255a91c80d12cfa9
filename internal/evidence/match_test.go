package evidence_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/evidence"
	"github.com/forestall/forestall/internal/finding"
)

// builtIn says what confirms the built-in rules.
func builtIn(t *testing.T) evidence.Rules {
	t.Helper()
	engine, err := builtin.Engine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	by := map[string][]finding.Confirmation{}
	for _, r := range engine.Rules() {
		by[r.ID] = r.ConfirmedBy
	}
	return func(id string) []finding.Confirmation { return by[id] }
}

// The symptoms of the table below, of container web unless they say another.
func ended(reason string, exit int32) finding.Symptom {
	return finding.Symptom{Kind: finding.Terminated, Container: "web", Reason: reason, ExitCode: &exit, Pods: 1}
}

func event(container, reason, message string) finding.Symptom {
	return finding.Symptom{Kind: finding.Event, Container: container, Reason: reason, Message: message, Count: 3, Pods: 1}
}

func waiting(reason string) finding.Symptom {
	return finding.Symptom{Kind: finding.Waiting, Container: "web", Reason: reason, Pods: 1}
}

func condition(reason string) finding.Symptom {
	return finding.Symptom{Kind: finding.Condition, Reason: reason, Pods: 1}
}

func over(s finding.Symptom) finding.Symptom {
	s.Over = true
	return s
}

// TestMatch holds predictions against reports: what confirms them, what does not, and what is left over.
func TestMatch(t *testing.T) {
	rules := builtIn(t)
	restarts := finding.Symptom{Kind: finding.Restarts, Container: "web", Count: 5, Pods: 1}
	loop, backOff := waiting("CrashLoopBackOff"), event("web", "BackOff", "")
	unready, late := condition("ContainersNotReady"), condition("ProgressDeadlineExceeded")
	endpoints := finding.Symptom{Kind: finding.Endpoints, Reason: "none", Pods: 1}
	killed := event("web", "Killing", "Container web failed liveness probe, will be restarted")
	liveness := event("web", "Unhealthy", "Liveness probe failed: dial tcp 10.0.0.1:80: connect: connection refused")
	readiness := event("web", "Unhealthy", "Readiness probe failed: dial tcp 10.0.0.1:80: connect: connection refused")
	all := []finding.Symptom{loop, backOff, restarts, unready, late, endpoints}

	for _, tt := range []struct {
		name     string
		finding  finding.Finding
		symptoms []finding.Symptom
		happens  bool
		evidence int
		// troubles are the reasons of what is left, behind the containers.
		troubles []string
	}{
		{
			"killed as predicted, with all that follows",
			finding.Finding{Rule: "memory-demand-exceeds-limit", Container: "web"},
			append([]finding.Symptom{ended("OOMKilled", 137)}, all...), true, 7, nil,
		},
		{
			"killed in another container",
			finding.Finding{Rule: "memory-demand-exceeds-limit", Container: "helper"},
			append([]finding.Symptom{ended("OOMKilled", 137)}, all...), false, 0,
			[]string{"web: OOMKilled, exit code 137"},
		},
		{
			"killed, and not for memory",
			finding.Finding{Rule: "memory-demand-exceeds-limit", Container: "web"},
			append([]finding.Symptom{ended("Error", 137)}, all...), false, 0,
			[]string{"web: Error, exit code 137"},
		},
		{
			"an own error is no end without work",
			finding.Finding{Rule: "command-detaches", Container: "web"},
			append([]finding.Symptom{ended("Error", 1)}, all...), false, 0,
			[]string{"web: Error, exit code 1"},
		},
		{"a rule that tells another", finding.Finding{
			Rule: "memory-quantity-milli", Container: "web", Merged: []finding.Identity{{Rule: "memory-demand-exceeds-limit", Container: "web"}},
		}, append([]finding.Symptom{ended("OOMKilled", 137)}, all...), true, 7, nil},
		{
			"a probe of which events tell",
			finding.Finding{Rule: "probe-port-dead", Container: "web", Field: "spec.containers[name=web].readinessProbe.tcpSocket.port"},
			append([]finding.Symptom{readiness}, unready, late, endpoints), true, 4, nil,
		},
		{
			"another probe of the container",
			finding.Finding{Rule: "probe-port-dead", Container: "web", Field: "spec.containers[name=web].readinessProbe.tcpSocket.port"},
			[]finding.Symptom{liveness, ended("Completed", 0), loop, killed, restarts},
			false, 0,
			[]string{"web: Unhealthy, liveness probe fails"},
		},
		{
			"a probe that kills, with the end that follows",
			finding.Finding{Rule: "probe-port-dead", Container: "web", Field: "spec.containers[name=web].livenessProbe.tcpSocket.port"},
			[]finding.Symptom{liveness, ended("Error", 137), loop, killed, restarts},
			true, 5, nil,
		},
		{
			"a probe that does not kill, and a crash",
			finding.Finding{Rule: "probe-port-dead", Container: "web", Field: "spec.containers[name=web].readinessProbe.tcpSocket.port"},
			[]finding.Symptom{readiness, ended("Error", 1), loop, restarts},
			true, 3,
			[]string{"web: Error, exit code 1"},
		},
		{
			"a probe that answers wrongly",
			finding.Finding{Rule: "probe-port-moved", Container: "web", Field: "spec.containers[name=web].readinessProbe.httpGet.port"},
			[]finding.Symptom{event("web", "Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 500")},
			false, 0,
			[]string{"web: Unhealthy, readiness probe fails"},
		},
		{
			"a roll-out that is late for its start",
			finding.Finding{Rule: "startup-exceeds-progress-deadline", Container: "web"},
			[]finding.Symptom{late},
			true, 1, nil,
		},
		{
			"a roll-out that is late for its image",
			finding.Finding{Rule: "startup-exceeds-progress-deadline", Container: "web"},
			[]finding.Symptom{waiting("ImagePullBackOff"), late},
			false, 0,
			[]string{"web: ImagePullBackOff"},
		},
		{
			"no node for the CPU",
			finding.Finding{Rule: "cpu-quantity-implausible", Container: "web"},
			[]finding.Symptom{event("", "FailedScheduling", "0/3 nodes are available: 3 Insufficient cpu.")},
			true, 1, nil,
		},
		{
			"no node for the memory",
			finding.Finding{Rule: "cpu-quantity-implausible", Container: "web"},
			[]finding.Symptom{event("", "FailedScheduling", "0/3 nodes are available: 3 Insufficient memory.")},
			false, 0,
			[]string{": FailedScheduling, Insufficient memory"},
		},
		{
			"a tag that can move, and an image that is not there",
			finding.Finding{Rule: "image-tag-mutable", Container: "web"},
			[]finding.Symptom{waiting("ImagePullBackOff"), event("web", "Failed", "Failed to pull image")},
			false, 0,
			[]string{"web: ImagePullBackOff"},
		},
		{
			"it was so, and is over",
			finding.Finding{Rule: "memory-ceiling-exceeds-limit", Container: "web"},
			[]finding.Symptom{over(ended("OOMKilled", 137)), over(restarts)},
			true, 2, nil,
		},
		{
			"something else was, and is over",
			finding.Finding{Rule: "memory-ceiling-exceeds-limit", Container: "web"},
			[]finding.Symptom{over(ended("Error", 1)), over(restarts)},
			false, 0, nil,
		},
		{
			"two causes in one container",
			finding.Finding{Rule: "image-tag-mutable", Container: "web"},
			[]finding.Symptom{ended("OOMKilled", 137), waiting("ImagePullBackOff"), restarts},
			false, 0,
			[]string{"web: OOMKilled, exit code 137, and ImagePullBackOff"},
		},
		{
			"nothing but what follows",
			finding.Finding{Rule: "image-tag-mutable", Container: "web"},
			[]finding.Symptom{late},
			false, 0,
			[]string{": ProgressDeadlineExceeded"},
		},
		{
			"a Job that goes on",
			finding.Finding{Rule: "image-tag-mutable", Container: "web"},
			[]finding.Symptom{{Kind: finding.Running, Container: "web", Reason: "Job"}},
			false, 0, nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := tt.finding
			troubles := rules.Match(finding.Object{Name: "shop"}, []*finding.Finding{&f}, tt.symptoms)
			want := map[bool]finding.Status{true: finding.Happening, false: finding.Predicted}[tt.happens]
			if f.Status != want || len(f.Evidence) != tt.evidence {
				t.Errorf("%s with %d pieces of evidence, want %s with %d: %v", f.Status, len(f.Evidence), want, tt.evidence, f.Evidence)
			}
			var got []string
			for _, d := range troubles {
				got = append(got, d.Container+": "+d.Reason)
				if d.Known == "" {
					t.Errorf("nothing is known of %s", d.Reason)
				}
			}
			if diff := cmp.Diff(tt.troubles, got); diff != "" {
				t.Errorf("troubles (-want +got):\n%s", diff)
			}
		})
	}
}
