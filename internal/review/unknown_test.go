package review_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// TestUnknownNeverDenies: what the store has not read is neither held against an object nor
// taken for a cap that is not there; and once it is read, it counts.
func TestUnknownNeverDenies(t *testing.T) {
	const rule, reason = "memory-limit-missing", "the API server does not answer"
	in := func(path string, level finding.Level) []found {
		return []found{{Rule: rule, Container: "web", Field: path + "containers[name=web].resources.limits.memory", Level: level}}
	}
	limited := func(s *cluster.Store) {
		s.LimitRanges.Known("")
		s.LimitRanges.Put(&cluster.LimitRange{
			Namespace: "default", Name: "most", Default: &cluster.LimitRangeDefault{LimitRange: "most", Text: "1Gi"},
		})
	}
	namespace := func(mode string) func(*cluster.Store) {
		return func(s *cluster.Store) { s.Namespaces.Put(&cluster.Namespace{Name: "default", Mode: mode}) }
	}
	read := func(s *cluster.Store) { s.LimitRanges.Known(""); namespace("")(s) }
	for _, tt := range []struct {
		name, object string
		op           review.Operation
		know         func(*cluster.Store)
		want         []found
	}{
		{name: "all is read", object: deployment, op: review.Create, know: read, want: in("spec.template.spec.", finding.Deny)},
		{name: "LimitRanges are unread", object: deployment, op: review.Create, know: namespace("")},
		{name: "LimitRanges are unread, an audit", object: pod, op: review.Audit, know: namespace("")},
		{name: "a LimitRange", object: deployment, op: review.Create, know: limited},
		{
			name: "LimitRanges stand no more", object: deployment, op: review.Create,
			know: func(s *cluster.Store) { read(s); s.LimitRanges.Unknown(reason) },
		},
		{
			name: "LimitRanges stand again", object: deployment, op: review.Create,
			know: func(s *cluster.Store) { read(s); s.LimitRanges.Unknown(reason); s.LimitRanges.Known("") },
			want: in("spec.template.spec.", finding.Deny),
		},
		{
			name: "a pod, to which the API server's plugin has given what there is", object: pod, op: review.Create,
			know: namespace(""), want: in("spec.", finding.Deny),
		},
		{
			name: "a namespace that was made a moment ago", object: pod, op: review.Create,
			know: func(*cluster.Store) {}, want: in("spec.", finding.Warn),
		},
		{
			name: "a namespace before all were listed", object: pod, op: review.Create,
			know: func(s *cluster.Store) { s.Namespaces.Unknown(""); namespace("")(s) }, want: in("spec.", finding.Warn),
		},
		{
			name: "a namespace that is seen, with a cap", object: pod, op: review.Create,
			know: namespace("audit"), want: in("spec.", finding.Audit),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &cluster.Store{}
			s.Namespaces.Known("the namespace has not been seen yet")
			tt.know(s)
			r, err := builtin.Reviewer(t.Context(), review.Settings{}, s)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(verdict{Findings: tt.want}, judge(t, r, subject(t, tt.op, tt.object, ""))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestWithoutACluster: nobody can be asked, so LimitRanges are unknown, and no namespace has a
// cap.
func TestWithoutACluster(t *testing.T) {
	r, err := builtin.Reviewer(t.Context(), review.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for object, findings := range map[string]int{deployment: 0, pod: 1} {
		got := judge(t, r, subject(t, review.Create, object, ""))
		if len(got.Findings) != findings || findings > 0 && got.Findings[0].Level != finding.Deny {
			t.Errorf("%s: %+v", object, got)
		}
	}
}
