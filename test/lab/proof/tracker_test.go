package proof

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/test/lab/observe"
)

func tracked() Case {
	seconds := func(n time.Duration) metav1.Duration { return metav1.Duration{Duration: n * time.Second} }
	return Case{Name: "web", Within: seconds(60), Expect: []Expectation{
		{Phase: "Pending"}, {Phase: "Running"}, {Phase: "Succeeded", StillNot: seconds(10)},
	}}
}

func in(phase string) observe.State {
	return observe.State{Pods: []observe.Pod{{Name: "web", Phase: phase}}}
}

func TestTracker(t *testing.T) {
	tracker := NewTracker(tracked())
	for _, step := range []struct {
		phase string
		after time.Duration
		done  bool
	}{
		{"Running", 0, false}, // not in its order
		{"Pending", time.Second, false},
		{"Running", 2 * time.Second, false}, // the time of the third is not over
		{"Running", 10 * time.Second, true},
	} {
		if done := tracker.See(in(step.phase), step.after); done != step.done {
			t.Errorf("after %s: done is %t", step.after, done)
		}
	}
	got, err := tracker.Result()
	want := []Sighting{
		{"phase Pending", time.Second}, {"phase Running", 2 * time.Second}, {"not seen: phase: Succeeded", 10 * time.Second},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}

func TestTrackerFails(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		see        func(*Tracker)
	}{
		{"what did not happen", "not seen within 1m0s:\n    phase: Running\nobserved last:\n", func(t *Tracker) {
			t.See(in("Pending"), time.Second)
			t.See(in("Pending"), time.Minute)
		}},
		{"what must not happen", "after 3s it was seen, which must not be within 10s: phase Succeeded", func(t *Tracker) {
			t.See(in("Pending"), time.Second)
			t.See(in("Running"), 2*time.Second)
			t.See(in("Succeeded"), 3*time.Second)
		}},
		{"an early end", "it was not observed for long enough", func(t *Tracker) {
			t.See(in("Pending"), time.Second)
			t.See(in("Running"), 2*time.Second)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tracker := NewTracker(tracked())
			tt.see(tracker)
			if _, err := tracker.Result(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}
