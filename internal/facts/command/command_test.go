package command

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func examples() []example {
	return slices.Concat(argvExamples(), programExamples(), wrapperExamples(), scriptExamples(), trapExamples())
}

func TestAnalyze(t *testing.T) {
	known := table(t)
	for _, e := range examples() {
		t.Run(e.name, func(t *testing.T) {
			got := Analyze(e.input(), known)
			got.Listens, got.Detaches = Listens{}, Detaches{} // have tests of their own
			if diff := cmp.Diff(e.want(), got); diff != "" {
				t.Errorf("%q: unexpected facts (-want +got):\n%s", e.command, diff)
			}
		})
	}
}

// TestNothingKnown shows what the zero table gives: no claims.
func TestNothingKnown(t *testing.T) {
	for _, e := range examples() {
		facts := Analyze(e.input(), Programs{})
		if facts.Ends.State != "unknown" || facts.Ends.Reason == "" || facts.Listens.State != "unknown" || facts.Listens.Reason == "" {
			t.Errorf("%q: %+v without knowing a program", e.command, facts)
		}
	}
}

func BenchmarkAnalyze(b *testing.B) {
	known := table(b)
	for name, in := range map[string]Input{
		"program": {Command: []string{"/app/server", "--port", "80", "--host=$(HOST)"}, Env: map[string]string{"HOST": "0.0.0.0"}},
		"sleep":   {Command: []string{"sleep", "infinity"}},
		"script":  {Command: []string{"/bin/sh", "-c"}, Args: []string{"set -e\nmkdir -p /data\nwhile true; do date; sleep 5; done"}},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Analyze(in, known)
			}
		})
	}
}
