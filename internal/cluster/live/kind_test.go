package live

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// TestKind: what was read stands while lists and watches fail for a short time, and no
// longer; it stands again after a list, or when the watch goes on.
func TestKind(t *testing.T) {
	var said []string
	k := &kind{
		name: "Service", patience: time.Hour, log: logr.Discard(),
		known: func() { said = append(said, "known") },
		lost:  func(reason string) { said = append(said, reason) },
	}
	late := func() { k.failing = k.failing.Add(-2 * time.Hour) }
	forbidden := apierrors.NewForbidden(schema.GroupResource{Resource: "services"}, "", errors.New("no"))
	refused := errors.New("connection refused")
	k.begin()
	for _, step := range []struct {
		name  string
		do    func()
		said  []string
		known bool
	}{
		{"it fails at once", func() { k.failed(forbidden) }, nil, false},
		{"a watch alone is no list", k.resumed, nil, false},
		{"for long", func() { late(); k.failed(forbidden) }, []string{"they cannot be read: Forbidden"}, false},
		{"it is read", k.read, []string{"known"}, true},
		{"it is read again", k.read, nil, true},
		{"it fails for a moment", func() { k.failed(refused) }, nil, true},
		{"the watch goes on", k.resumed, nil, true},
		{"it fails anew", func() { k.failed(refused) }, nil, true},
		{"for long, too", func() { late(); k.failed(refused) }, []string{"they cannot be read: the API server does not answer"}, false},
		{"the watch goes on after that", k.resumed, []string{"known"}, true},
	} {
		said = nil
		step.do()
		if diff := cmp.Diff(step.said, said); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
		if got := k.unknown() == nil; got != step.known {
			t.Errorf("%s: known: %t", step.name, got)
		}
	}
}

// TestPatienceEnds: the library waits up to a minute between attempts. What was read before does not
// count for so long, and nothing is left waiting.
func TestPatienceEnds(t *testing.T) {
	for _, tt := range []struct {
		name  string
		after func(*kind)
		want  []string
	}{
		{"it stays away", func(*kind) {}, []string{"known", "they cannot be read: the API server does not answer"}},
		{"it comes back in time", (*kind).resumed, []string{"known"}},
		{"the process ends", (*kind).end, []string{"known"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var said []string
				k := &kind{
					name: "Service", patience: time.Minute, log: logr.Discard(),
					known: func() { said = append(said, "known") },
					lost:  func(reason string) { said = append(said, reason) },
				}
				k.begin()
				k.read()
				k.failed(errors.New("connection refused"))
				time.Sleep(time.Minute - time.Second)
				tt.after(k)
				time.Sleep(time.Hour)
				synctest.Wait()
				if diff := cmp.Diff(tt.want, said); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		})
	}
}
