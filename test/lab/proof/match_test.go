package proof

import (
	"testing"

	"github.com/forestall/forestall/test/lab/observe"
)

// observed is a pod in back-off, its Service without endpoints, and a Job that is done.
func observed() observe.State {
	return observe.State{
		Pods: []observe.Pod{{
			Name: "web", Labels: map[string]string{"app": "web"}, Phase: "Running",
			Conditions: []observe.Condition{{Type: "Ready", Status: "False", Reason: observe.Reason{Reason: "ContainersNotReady", Message: "unready: [web]"}}},
			Containers: []observe.Container{
				{
					Name: "web", Restarts: 2, Waiting: &observe.Reason{Reason: "CrashLoopBackOff", Message: "back-off 20s restarting"},
					Ended: []observe.Ended{{Reason: observe.Reason{Reason: "Completed"}, ExitCode: 0}},
				},
				{
					Name: "log", Running: true,
					Ended: []observe.Ended{{Reason: observe.Reason{Reason: "OOMKilled"}, ExitCode: 137}},
				},
			},
			Events: []observe.Event{{Type: "Warning", Reason: observe.Reason{Reason: "BackOff", Message: "Back-off restarting"}}},
		}, {Name: "new", Phase: "Pending"}, {Name: "old", Phase: "Failed", Reason: "Evicted", Message: "low on memory"}},
		Deployments: []observe.Deployment{{Name: "web", ReplicaSets: 2, Conditions: []observe.Condition{
			{Type: "Progressing", Status: "False", Reason: observe.Reason{Reason: "ProgressDeadlineExceeded"}},
		}}},
		Jobs:     []observe.Job{{Name: "once", Conditions: []observe.Condition{{Type: "Complete", Status: "True"}}}},
		Services: []observe.Service{{Name: "web", NotReady: 1}},
	}
}

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		name string
		e    Expectation
		want string // empty: no match
	}{
		{"a phase", Expectation{Phase: "Running"}, "phase Running"},
		{"a pod without containers yet", Expectation{Phase: "Pending"}, "phase Pending"},
		{"an eviction", Expectation{Reason: "Evicted"}, "Evicted: low on memory"},
		{"another pod", Expectation{Pod: &PodSelector{Name: "api"}, Phase: "Running"}, ""},
		{"another label", Expectation{Pod: &PodSelector{Labels: map[string]string{"app": "api"}}, Phase: "Running"}, ""},
		{"waiting", Expectation{Waiting: &Reason{Reason: "CrashLoopBackOff", Message: "20s"}}, "waiting, CrashLoopBackOff: back-off 20s restarting"},
		{"another message", Expectation{Waiting: &Reason{Reason: "CrashLoopBackOff", Message: "40s"}}, ""},
		{"an end", Expectation{Terminated: &Terminated{ExitCode: new(137)}}, "terminated, OOMKilled, exit code 137"},
		{"another exit code", Expectation{Terminated: &Terminated{Reason: "Completed", ExitCode: new(1)}}, ""},
		{
			"all of one container",
			Expectation{Running: new(true), Terminated: &Terminated{Reason: "OOMKilled"}},
			"terminated, OOMKilled, exit code 137; running",
		},
		{"not of two", Expectation{Running: new(true), RestartsAtLeast: 1}, ""},
		{"another container", Expectation{Container: "log", RestartsAtLeast: 1}, ""},
		{"a condition", Expectation{Condition: &Condition{Type: "Ready", Status: "False"}}, "condition Ready=False, ContainersNotReady: unready: [web]"},
		{"another reason", Expectation{Condition: &Condition{Type: "Ready", Status: "False", Reason: "PodCompleted"}}, ""},
		{"an event", Expectation{Event: &Reason{Reason: "BackOff"}}, "event, BackOff: Back-off restarting"},
		{"a Service", Expectation{Service: &Service{Name: "web", Ready: new(0)}}, "Service web: 0 endpoints ready, 1 not ready"},
		{"a Service without ports", Expectation{Service: &Service{Name: "web", Ports: new(0)}}, "Service web: 0 endpoints ready, 1 not ready, reached on no port"},
		{"a Service with ports", Expectation{Service: &Service{Name: "web", Ports: new(1)}}, ""},
		{"a Service with endpoints", Expectation{Service: &Service{Name: "web", Ready: new(1)}}, ""},
		{
			"a Deployment",
			Expectation{Deployment: &Deployment{Name: "web", Condition: Condition{Type: "Progressing", Status: "False", Reason: "ProgressDeadlineExceeded"}}},
			"Deployment web: Progressing=False, ProgressDeadlineExceeded",
		},
		{"ReplicaSets", Expectation{Deployment: &Deployment{Name: "web", ReplicaSetsAtLeast: 2}}, "Deployment web: 2 ReplicaSets"},
		{"more ReplicaSets", Expectation{Deployment: &Deployment{Name: "web", ReplicaSetsAtLeast: 3}}, ""},
		{"a Deployment that goes on", Expectation{Deployment: &Deployment{Name: "web", Condition: Condition{Type: "Progressing", Status: "True"}}}, ""},
		{"a Job", Expectation{Job: &Job{Name: "once", Condition: "Complete"}}, "Job once: Complete"},
		{"a Job that did not fail", Expectation{Job: &Job{Name: "once", Condition: "Failed"}}, ""},
		{
			"pods and a Job",
			Expectation{Phase: "Failed", Job: &Job{Name: "once", Condition: "Complete"}},
			"phase Failed; Job once: Complete",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := tt.e.Match(observed())
			if got != tt.want || ok != (tt.want != "") {
				t.Errorf("got %q, %t; want %q", got, ok, tt.want)
			}
		})
	}
}
