package command

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/facts/fact"
)

// waits is a command that only waits, deaf to signals.
func waits(path, text string) KeepAlive {
	return KeepAlive{Observation: fact.PresentAt(path), Waits: text, Deaf: true}
}

func (k KeepAlive) hiding(text string, background bool) KeepAlive {
	k.Hides, k.Background = text, background
	return k
}

func (k KeepAlive) hearing() KeepAlive {
	k.Deaf = false
	return k
}

func TestFindKeepAlive(t *testing.T) {
	known := table(t)
	script2 := commandPath + "[2]"
	none, noneInScript := KeepAlive{Observation: fact.AbsentAt(commandPath)}, KeepAlive{Observation: fact.AbsentAt(script2)}
	for _, e := range []struct {
		command []string
		want    KeepAlive
	}{
		{words("sleep infinity"), waits(commandPath, "sleep infinity")},
		{words("sleep 365d"), waits(commandPath, "sleep 365d")},
		{words("tail -n0 -F /var/log/x"), waits(commandPath, "tail -n0 -F /var/log/x")},
		{words("tini -- tail -f /dev/null"), waits(commandPath, "tail -f /dev/null").hearing()},
		{script("sleep infinity"), waits(script2, "sleep infinity")},
		{script("exec tail -f /dev/null"), waits(script2, "exec tail -f /dev/null")},
		{script("while true; do sleep 30; done"), waits(script2, "while true; do sleep 30; done")},
		{script("trap : TERM; sleep infinity & wait"), waits(script2, "sleep infinity").hearing()},
		{script("/app/server & tail -f /dev/null"), waits(script2, "tail -f /dev/null").hiding("/app/server", true)},
		{script("(cd /app; ./run) & :; sleep infinity"), waits(script2, "sleep infinity").hiding("(cd /app; ./run)", true)},
		{script("service web start && tail -f /var/log/web"), waits(script2, "tail -f /var/log/web").hiding("service web start", false)},
		{script("a & b; sleep infinity"), waits(script2, "sleep infinity").hiding("a", true)},
		{script("server & sleep infinity & wait"), waits(script2, "sleep infinity").hiding("server", true)},
		{script("mkdir -p /a; echo x && tail -f /a/b"), waits(script2, "tail -f /a/b")},
		{script("(/app/run &) && tail -f /dev/null"), waits(script2, "tail -f /dev/null").hiding("(/app/run &)", true)},
		{script("if test -f x; then a & fi; sleep infinity"), waits(script2, "sleep infinity").hiding("if test -f x; then a & fi", true)},
		{script("iptables -A x; /app/run; sleep infinity"), noneInScript},
		{script("wg-quick up wg0 && tail -f /dev/null"), noneInScript},
		{script("sync; tail -f /dev/null"), waits(script2, "tail -f /dev/null")},
		{script("git clone x /y && curl -s z && sleep infinity"), waits(script2, "sleep infinity")},
		{script("nginx; tail -f /dev/null"), waits(script2, "tail -f /dev/null").hiding("nginx", false)},
		{words("sleep 3600"), none},
		{words("/app/server"), none},
		{script("/app/server & tail --pid=$! -f /x"), noneInScript},
		{script("/app/server & while kill -0 $!; do sleep 1; done"), noneInScript},
		{script("while :; do /scripts/sync; sleep 86400; done"), noneInScript},
		{script("sleep infinity & exec /app/server"), noneInScript},
		{script("sleep infinity &"), noneInScript},
		{script("/app/server & wait"), noneInScript},
		{script("tail -n 5 /x"), noneInScript},
		{script("until false; do sleep 1; done"), noneInScript},
		{script("if"), KeepAlive{Observation: fact.AbsentAt(script2)}},
		{script("if sleep"), KeepAlive{Observation: fact.UnknownAt(script2, "the script does not parse as the language of its shell")}},
		{words("sh /app/run.sh"), KeepAlive{Observation: fact.UnknownAt(commandPath, "the script is not at hand")}},
		{nil, KeepAlive{Observation: fact.UnknownAt(commandPath, imageRuns)}},
	} {
		got := FindKeepAlive(Input{Command: e.command, CommandPath: commandPath, ArgsPath: argsPath}, known)
		if diff := cmp.Diff(e.want, got); diff != "" {
			t.Errorf("%q: unexpected fact (-want +got):\n%s", e.command, diff)
		}
	}
}

// TestOldSleep is about images whose sleep does not know infinity, so that nothing is kept alive.
func TestOldSleep(t *testing.T) {
	known := images(t)
	for image, want := range map[string]fact.State{"busybox:1.29": fact.Absent, "busybox:1.37": fact.Present, "alpine:3.9": fact.Absent} {
		for _, command := range [][]string{words("sleep infinity"), script("server & sleep infinity")} {
			in := Input{Command: command, CommandPath: commandPath, ArgsPath: argsPath, Image: known.Find(image)}
			if got := FindKeepAlive(in, table(t)).State; got != want {
				t.Errorf("%s runs %q: %s, want %s", image, command, got, want)
			}
		}
	}
}
