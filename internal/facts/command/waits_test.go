package command

import "testing"

// TestOnlyWaits holds what is said to do nothing but wait: nothing is lost where that ends.
func TestOnlyWaits(t *testing.T) {
	known := table(t)
	for _, test := range []struct {
		command []string
		want    bool
	}{
		{words("sleep 30"), true},
		{words("tini -- sleep 30"), true},
		{words("timeout 60 sleep 30"), true},
		{script("sleep 30"), true},
		{script("exec sleep 30"), true},
		{script("sleep 30; exit 3"), true},
		{script("for i in 1 2 3; do sleep 10; done"), true},
		{script("sleep 30 > /dev/null 2>&1"), true},
		{words("sleep 0"), false},
		{words("sleep infinity"), false},
		{words("true"), false},
		{script("exit 1"), false},
		{script("echo migrating; sleep 2"), false},
		{script("sleep 2; cp /a /b"), false},
		{script("sleep 2; server"), false},
		{script("redis-server --daemonize yes; sleep 2"), false},
		{script("nginx & sleep 2"), false},
		{script("sleep 2 > /tmp/started"), false},
		{script(": > $FILE; sleep 2"), false},
		{script("x=$(cat /a); sleep 2"), false},
		{script("cat < /a; sleep 2"), false},
		{bash("cat <<< a; sleep 2"), false},
		{bash("time cp /a /b; sleep 2"), false},
	} {
		ends := Analyze(Input{Command: test.command}, known).Ends
		if ends.OnlyWaits != test.want {
			t.Errorf("%q: %v, %+v", test.command, ends.OnlyWaits, ends)
		}
	}
}
