package command

import (
	"testing"

	"github.com/forestall/forestall/internal/facts/fact"
)

// TestPipes holds that what somebody else may have made a named pipe is not taken to have an end.
func TestPipes(t *testing.T) {
	known := table(t)
	for _, test := range []struct {
		command []string
		want    fact.State
	}{
		{words("cat /logs/access"), fact.Unknown},
		{words("cat /logs"), fact.Unknown},
		{words("cat /etc/../logs/access"), fact.Unknown},
		{words("cat access"), fact.Unknown},
		{words("tail -n +1 /logs/access"), fact.Unknown},
		{words("head /logs/access"), fact.Unknown},
		{words("wc -l /logs/access"), fact.Unknown},
		{words("sha256sum /etc/hosts /logs/access"), fact.Unknown},
		{words("cp /logs/access /out"), fact.Unknown},
		{words("sed -e s/a/b/ /logs/access"), fact.Unknown},
		{script("cat /logs/access | sed -e s/a/b/"), fact.Unknown},
		{script("sed -e s/a/b/ < /logs/access"), fact.Unknown},
		{script("cd /logs; cat < access"), fact.Unknown},
		{script("read line < /logs/access"), fact.Unknown},
		{words("cat /etc/hosts"), fact.Present},
		{words("cat /logsome/access"), fact.Present},
		{words("cp -r /app/static /logs/static"), fact.Present},
		{script("echo started > /logs/access"), fact.Present},
		{script("touch /logs/access; mkdir -p /logs/b"), fact.Present},
		{words("tail -F /logs/access"), fact.Absent},
	} {
		in := Input{Command: test.command}
		in.AddPipes("/logs/")
		if ends := Analyze(in, known).Ends; ends.State != test.want {
			t.Errorf("%q: %+v, want %s", test.command, ends, test.want)
		}
	}
}
