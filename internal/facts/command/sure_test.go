package command

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/facts/fact"
)

// TestSure holds what is written in the place of a command line, and of what only the text tells.
func TestSure(t *testing.T) {
	known := table(t)
	literal := Input{Env: map[string]string{"PORT": "80", "OPTS": "-a -b"}, EnvUnknown: map[string]bool{"POD": true}}
	for _, tt := range []struct {
		name    string
		command []string
		args    []string
		in      Input
		role    Role
		other   []string // the command of a probe beside it
		meant   []string
		define  []Downward
		shell   fact.State
		sure    bool
		step    bool
	}{
		{name: "words", command: []string{"sleep 1000"}, meant: words("sleep 1000"), sure: true},
		{name: "words and args", command: []string{"python app.py"}, args: words("--port 80"), meant: words("python app.py --port 80"), sure: true},
		{
			name: "args behind a script", shell: fact.Unknown, command: []string{"cd /app && python app.py"}, args: words("--port 80"),
			meant: []string{"sh", "-c", `cd /app && python app.py "$@"`, "sh", "--port", "80"}, sure: true,
		},
		{
			name: "args behind a script that redirects", shell: fact.Unknown, command: []string{"exec /run --a=$HOSTNAME >/log 2>&1 ;"}, args: words("x"),
			meant: []string{"sh", "-c", `exec /run --a=$HOSTNAME >/log 2>&1 "$@" ;`, "sh", "x"}, sure: true,
		},
		{name: "args behind a loop", command: []string{"while true; do ./run; done"}, args: words("x")},
		{name: "args behind a pipe", command: []string{"./run | tee /log"}, args: words("x")},
		{name: "args behind what waits for another", command: []string{"cd /a && ./run & wait"}, args: words("x")},
		{name: "args behind one of two", command: []string{"./run || ./other"}, args: words("x")},
		{
			name: "args that a script reads", shell: fact.Unknown, command: []string{"./run $1 && sleep 1"}, args: words("x"),
			meant: []string{"sh", "-c", "./run $1 && sleep 1", "sh", "x"}, sure: true,
		},
		{
			name: "args behind the script of a shell", command: []string{"bash", "cd /app && ./run"}, args: words("--fast"),
			meant: []string{"bash", "-c", `cd /app && ./run "$@"`, "sh", "--fast"}, sure: true,
		},
		{name: "args that the script of a shell reads", command: []string{"sh", `date && exec "$@"`, "sh", "sleep", "1"}},
		{name: "joined", command: []string{"sh", "-c ./run"}, args: words("x"), meant: []string{"sh", "-c", `./run "$@"`, "sh", "x"}, sure: true},
		{
			name: "an assignment in quotes", shell: fact.Unknown, command: []string{`A="b c" ./run`}, args: words("x"),
			meant: []string{"sh", "-c", `A="b c" ./run "$@"`, "sh", "x"}, sure: true,
		},
		{name: "an assignment and nothing else", command: []string{"A=b"}},
		{name: "a comment", command: []string{"./run # now && then"}, args: words("x"), meant: words("./run x"), sure: true},
		{name: "a here-document", shell: fact.Unknown, command: []string{"cat <<E && b\nx\nE\n"}, args: words("x"), meant: []string{"sh", "-c", "cat <<E && b \"$@\"\nx\nE", "sh", "x"}, sure: true},
		{name: "line breaks of Windows", shell: fact.Unknown, command: []string{"cd /app\r\n./run\r\n"}, meant: []string{"sh", "-c", "cd /app\n./run"}, sure: true},
		{name: "a quote too many", command: []string{"echo don't && sleep 1"}},
		{name: "bash", shell: fact.Unknown, command: []string{"source /env && ./run"}, meant: []string{"bash", "-c", "source /env && ./run"}},
		{name: "a password", command: []string{"mysql -pPa$WORD1 -e x"}, meant: []string{"mysql", "-pPa$WORD1", "-e", "x"}},
		{
			name: "a password beside another command", command: words("mysql -pPa$WORD1 && sleep 1"), in: Input{ImageText: "mysql:8"},
			meant: []string{"sh", "-c", "mysql '-pPa$WORD1' && sleep 1"},
		},
		{
			name: "args behind a shell in one word", command: []string{"sh -c 'cd /app && ./run'"}, args: words("x"),
			meant: []string{"sh", "-c", `cd /app && ./run "$@"`, "sh", "x"}, sure: true,
		},
		{name: "a script in pieces in one word", command: []string{"sh -c sleep 5"}, meant: []string{"sh", "-c", "sleep 5"}, sure: true},
		{name: "a price", command: []string{"/run --price=US$5 --now"}, meant: []string{"/run", "--price=US$5", "--now"}},
		{name: "a dollar for Kubernetes", command: []string{"/run --pw=a$$b --now"}, shell: fact.Unknown, meant: []string{"sh", "-c", "/run --pw=a$$b --now"}},
		{name: "JSON", command: []string{`/run --json {"a":1}`}, shell: fact.Unknown, meant: []string{"sh", "-c", `/run --json {"a":1}`}},
		{name: "an address", shell: fact.Unknown, command: []string{"curl http://a/?b=c&d=e"}, meant: []string{"sh", "-c", "curl http://a/?b=c&d=e"}},
		{name: "a reference", command: []string{"/run --port=$(PORT) --host=:$(PORT)"}, in: literal, meant: words("/run --port=$(PORT) --host=:$(PORT)"), sure: true},
		{name: "a reference that is many words", shell: fact.Unknown, command: []string{"/run $(OPTS)"}, in: literal, meant: []string{"sh", "-c", "/run $(OPTS)"}, sure: true},
		{
			name: "a reference in a hook", shell: fact.Unknown, command: []string{"/run --port=$(PORT)"}, in: literal, role: RolePreStop,
			meant: []string{"sh", "-c", "/run --port=$(PORT)"}, sure: true,
		},
		{name: "words of a loop", shell: fact.Unknown, command: words("while true; do ./run; sleep 5; done"), meant: []string{"sh", "-c", "while true; do ./run; sleep 5; done"}, sure: true},
		{name: "words of half a loop", command: words("while true; do ./run"), meant: nil},
		{name: "an operator", shell: fact.Unknown, command: words("etcdctl get && sleep 1"), meant: []string{"sh", "-c", "etcdctl get && sleep 1"}},
		{name: "an operator and a shell", command: words("redis-cli ping && sleep 1"), in: Input{ImageText: "redis:8"}, meant: []string{"sh", "-c", "redis-cli ping && sleep 1"}, sure: true},
		{
			name: "a shell in a probe", command: words("/app/run x && sleep 1"), other: words("sh -c true"),
			meant: []string{"sh", "-c", "/app/run x && sleep 1"}, sure: true,
		},
		{
			name: "a variable without a shell", command: words("etcd --name=$HOSTNAME"), in: Input{ImageText: "quay.io/coreos/etcd:v3.5.16"},
			meant: words("etcd --name=$(HOSTNAME)"), define: []Downward{{"HOSTNAME", "metadata.name"}},
		},
		{
			name: "a line without a shell", shell: fact.Absent, command: []string{"java -Dnode=$HOSTNAME -jar /app.jar"}, in: Input{ImageText: "gcr.io/distroless/java21-debian12"},
			meant: []string{"sh", "-c", "java -Dnode=$HOSTNAME -jar /app.jar"},
		},
		{name: "a variable that is defined", command: words("etcd --port=$PORT"), in: literal, meant: words("etcd --port=$(PORT)"), sure: true},
		{
			name: "a variable in a hook", shell: fact.Unknown, command: words("curl :$PORT"), in: literal, role: RolePreStop,
			meant: []string{"sh", "-c", "exec curl :$PORT"},
		},
		{name: "a migration", command: []string{"python manage.py migrate"}, meant: words("python manage.py migrate"), sure: true, step: true},
		{
			name: "a migration first", shell: fact.Unknown, command: []string{"python manage.py migrate && gunicorn app"},
			meant: []string{"sh", "-c", "python manage.py migrate && gunicorn app"}, sure: true,
		},
		{name: "only options", command: words("--migrate"), meant: words("--migrate"), step: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := tt.in
			in.Command, in.Args, in.CommandPath, in.ArgsPath = tt.command, tt.args, commandPath, argsPath
			role := tt.role
			if role == "" {
				role = RoleCommand
			}
			lines := []Line{{Role: role, Input: in}}
			if tt.other != nil {
				lines = append(lines, Line{Role: RoleLivenessProbe, Input: Input{Command: tt.other, CommandPath: "probe"}})
			}
			slips := FindSlips("spec", lines, known)
			found := append(slips.Unrunnable.Found, slips.Literal.Found...)
			if len(found) != 1 {
				t.Fatalf("%d slips: %+v", len(found), found)
			}
			if diff := cmp.Diff(tt.meant, found[0].Meant); diff != "" {
				t.Errorf("meant (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.define, found[0].Define); diff != "" || found[0].Shell != tt.shell {
				t.Errorf("shell %q, to be defined (-want +got):\n%s", found[0].Shell, diff)
			}
			if found[0].Sure != tt.sure || found[0].Step != tt.step {
				t.Errorf("sure %v, step %v", found[0].Sure, found[0].Step)
			}
		})
	}
}
