package command

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/forestall/forestall/internal/facts/fact"
)

// slipExample is a command line and the slip in it; one without a form has none.
type slipExample struct {
	name    string
	command []string
	args    []string
	in      Input
	role    Role
	want    Slip
}

// hidden is the slip of a program with a hidden character in its name.
func hidden(where, word string, meant ...string) Slip {
	return Slip{Form: formHidden, Path: commandPath + "[0]", Word: word, Hidden: where, Meant: meant}
}

func unrunnableExamples() []slipExample {
	return []slipExample{
		{
			name: "command line in one word", command: []string{"sleep 1000"},
			want: Slip{Form: formLine, Path: commandPath + "[0]", Word: "sleep 1000", Meant: words("sleep 1000")},
		},
		{
			name: "with a path", command: []string{"/bin/sleep 1000"},
			want: Slip{Form: formLine, Path: commandPath + "[0]", Word: "/bin/sleep 1000", Meant: words("/bin/sleep 1000")},
		},
		{
			name: "shell in one word", command: []string{`sh -c "echo hi; sleep 10"`},
			want: Slip{
				Form: formLine, Path: commandPath + "[0]", Word: `sh -c "echo hi; sleep 10"`,
				Meant: []string{"sh", "-c", "echo hi; sleep 10"},
			},
		},
		{
			name: "needs a shell", command: []string{"cd /app && ./run"}, args: []string{"x"},
			want: Slip{
				Form: formLine, Path: commandPath + "[0]", Word: "cd /app && ./run",
				Meant: []string{"sh", "-c", `cd /app && ./run "$@"`, "sh", "x"},
			},
		},
		{
			name: "options after a program that is not known", command: []string{"/app/server --port 80"},
			want: Slip{
				Form: formLine, Path: commandPath + "[0]", Word: "/app/server --port 80", Meant: words("/app/server --port 80"),
			},
		},
		{
			name: "sign of a YAML block", command: []string{"sh -c | /tmp/check.sh"}, role: RoleLivenessProbe,
			want: Slip{
				Form: formLine, Path: commandPath + "[0]", Word: "sh -c | /tmp/check.sh", Meant: words("sh -c /tmp/check.sh"),
			},
		},
		{
			name: "line break at the end", command: []string{"/opt/My App/run\n"},
			want: hidden("ends in a line break", "/opt/My App/run\n", "/opt/My App/run"),
		},
		{
			name: "space at the end", command: []string{"/entrypoint.sh "}, args: []string{"-v"},
			want: hidden("ends in a space", "/entrypoint.sh ", "/entrypoint.sh", "-v"),
		},
		{
			name: "tab at the beginning", command: []string{"\tnginx"},
			want: hidden("begins with a tab", "\tnginx", "nginx"),
		},
		{
			name: "byte order mark", command: []string{"\ufeff/entrypoint.sh"},
			want: hidden("begins with a byte order mark", "\ufeff/entrypoint.sh", "/entrypoint.sh"),
		},
		{
			name: "non-breaking space at the end", command: []string{"nginx\u00a0"},
			want: hidden("ends in a non-breaking space", "nginx\u00a0", "nginx"),
		},
		{
			name: "without width", command: []string{"/entry\u200bpoint.sh"},
			want: hidden("holds a character that is not shown", "/entry\u200bpoint.sh", "/entrypoint.sh"),
		},
		{
			name: "line behind a line break", command: []string{"sleep\u00a010\n"},
			want: Slip{Form: formLine, Path: commandPath + "[0]", Word: "sleep\u00a010", Meant: words("sleep 10")},
		},
		{
			name: "value of a variable", command: []string{"$(RUN)"}, in: Input{Env: map[string]string{"RUN": "sleep 5"}},
			want: Slip{Form: formLine, Path: commandPath + "[0]", Word: "$(RUN)", Meant: []string{"sh", "-c", "$(RUN)"}},
		},
		{
			name: "only flags", command: words("--cpu 1"),
			want: Slip{Form: formOption, Path: commandPath + "[0]", Word: "--cpu", Meant: words("--cpu 1")},
		},
		{
			name: "empty", command: []string{""}, args: []string{"run"},
			want: Slip{Form: formEmpty, Path: commandPath + "[0]", Meant: []string{"run"}},
		},
		{
			name: "script as a file", command: []string{"/bin/sh", "echo hi; sleep 10"},
			want: Slip{
				Form: formScript, Path: commandPath + "[1]", Word: "echo hi; sleep 10", Program: "sh",
				Meant: []string{"/bin/sh", "-c", "echo hi; sleep 10"},
			},
		},
		{
			name: "file and its option as a file", command: []string{"bash", "-x"}, args: []string{"/app/run.sh --fast"},
			want: Slip{
				Form: formScript, Path: argsPath + "[0]", Word: "/app/run.sh --fast", Program: "bash",
				Meant: words("bash -x /app/run.sh --fast"),
			},
		},
		{
			name: "script in pieces", command: words("/bin/sh -c grep ready /tmp/*/state"), role: RoleReadinessProbe,
			want: Slip{
				Form: formSplit, Path: commandPath + "[2]", Word: "grep", Program: "sh",
				Meant: []string{"/bin/sh", "-c", "grep ready /tmp/*/state"},
			},
		},
		{name: "path with a space", command: []string{"/opt/My App/run", "--fast"}},
		{name: "path with a space for a shell", command: []string{"sh", "/opt/My App/run.sh"}},
		{name: "file with a space and a known name", command: []string{"sh", "test runner.sh"}},
		{name: "Windows", command: []string{`C:\Program Files\App\app.exe -x`}},
		{name: "only args", args: []string{"sleep 1000"}},
		{name: "not known", command: []string{"$(RUN) -x"}, in: Input{EnvUnknown: map[string]bool{"RUN": true}}},
		{
			name: "script joined to its option", command: []string{"sh", "-c sleep 3600"},
			want: Slip{Form: formJoined, Path: commandPath + "[1]", Word: "-c sleep 3600", Program: "sh", Meant: []string{"sh", "-c", "sleep 3600"}},
		},
		{
			name: "assignment", command: words("NODE_ENV=production node server.js"),
			want: Slip{Form: formAssignment, Path: commandPath + "[0]", Word: "NODE_ENV=production", Meant: words("env NODE_ENV=production node server.js")},
		},
		{
			name: "assignment in one element", command: []string{"NODE_ENV=production node server.js"},
			want: Slip{
				Form: formAssignment, Path: commandPath + "[0]", Word: "NODE_ENV=production node server.js",
				Meant: words("env NODE_ENV=production node server.js"),
			},
		},
		{
			name: "word of the shell", command: words("exec /app/server --port 80"),
			want: Slip{Form: formBuiltin, Path: commandPath + "[0]", Word: "exec", Meant: words("/app/server --port 80")},
		},
		{
			name: "another word of the shell", command: words("source /env.sh"),
			want: Slip{Form: formBuiltin, Path: commandPath + "[0]", Word: "source", Meant: []string{"bash", "-c", "source /env.sh"}},
		},
		{name: "home", command: words("$HOME/bin/server"), want: Slip{Form: formReference, Path: commandPath + "[0]", Word: "$HOME/bin/server"}},
		{name: "tilde", command: words("~/run.sh"), want: Slip{Form: formReference, Path: commandPath + "[0]", Word: "~/run.sh"}},
		{name: "not filled in", command: words("${CMD}"), want: Slip{Form: formReference, Path: commandPath + "[0]", Word: "${CMD}"}},
		{name: "placeholder", command: words("<command>"), want: Slip{Form: formReference, Path: commandPath + "[0]", Word: "<command>"}},
		{
			name: "bare name and words", command: []string{"caddy run"},
			want: Slip{Form: formLine, Path: commandPath + "[0]", Word: "caddy run", Meant: words("caddy run")},
		},
		{
			name: "script and a word", command: []string{"./start.sh production"},
			want: Slip{Form: formLine, Path: commandPath + "[0]", Word: "./start.sh production", Meant: words("./start.sh production")},
		},
		{
			name: "program and a word", command: []string{"/app/server serve"},
			want: Slip{Form: formLine, Path: commandPath + "[0]", Word: "/app/server serve", Meant: words("/app/server serve")},
		},
		{
			name: "java without its arguments", command: words("sh -c java -jar /app.jar"),
			want: Slip{Form: formSplit, Path: commandPath + "[2]", Word: "java", Program: "sh", Meant: []string{"sh", "-c", "java -jar /app.jar"}},
		},
		{name: "relative directory with a space", command: []string{"My App/run"}},
		{name: "file with a space", command: []string{"/opt/App Server"}},
		{name: "what some distributions have", command: words("cd /app")},
		{name: "a name with =", command: words("/opt/a=b/run")},
		{name: "what Kubernetes replaces", command: words("$(RUN)/x"), in: Input{Env: map[string]string{"RUN": "$A"}}},
		{name: "positional parameters", command: []string{"sh", "-c", `exec "$@"`, "--", "sleep 5"}},
		{name: "a script of one word with a name", command: []string{"sh", "-c", "/app/run.sh", "run"}},
		{name: "works without operands", command: words("sh -c ls -l")},
		{name: "stdin", command: []string{"sh", "-s", "a b"}},
	}
}

func literalExamples() []slipExample {
	return []slipExample{
		{
			name: "and", command: words("mkdir -p /data && /app/server --port 80"),
			want: Slip{
				Form: formOperator, Path: commandPath + "[3]", Word: "&&", Program: "mkdir",
				Meant: []string{"sh", "-c", "mkdir -p /data && /app/server --port 80"},
			},
		},
		{
			name: "behind a wrapper, in args", command: words("tini -- /app/server"), args: []string{"2>&1", "a b"},
			want: Slip{
				Form: formOperator, Path: argsPath + "[0]", Word: "2>&1", Program: "server",
				Meant: []string{"sh", "-c", "tini -- /app/server 2>&1 'a b'"},
			},
		},
		{
			name: "pipe", command: words("echo hi | tee /tmp/x"),
			want: Slip{
				Form: formOperator, Path: commandPath + "[2]", Word: "|", Program: "echo", Meant: []string{"sh", "-c", "echo hi | tee /tmp/x"},
			},
		},
		{
			name: "variable that Kubernetes can replace", command: words("pg_isready -h $POD_IP"),
			in: Input{EnvUnknown: map[string]bool{"POD_IP": true}}, role: RoleCommand,
			want: Slip{
				Form: formVariable, Path: commandPath + "[2]", Word: "$POD_IP", Program: "pg_isready", Meant: words("pg_isready -h $(POD_IP)"),
			},
		},
		{
			name: "options in the value of another", command: []string{"bundle", "exec", "puma", "-C config/puma.rb -e production"},
			want: Slip{
				Form: formGlued, Path: commandPath + "[3]", Word: "-C config/puma.rb -e production", Program: "puma",
				Meant: []string{"-C", "config/puma.rb", "-e", "production"},
			},
		},
		{name: "a value with a space before it", command: []string{"puma", "-C config/puma.rb"}},
		{name: "a number, of which only the beginning is read", command: []string{"puma", "-w 2 -t 5:5"}},
		{name: "another program", command: []string{"/app/server", "-C config.rb -e production"}},
		{
			name: "variable in braces for a script", command: words("node server.js --port=${PORT}"), in: Input{Env: map[string]string{"PORT": "80"}},
			want: Slip{
				Form: formVariable, Path: commandPath + "[2]", Word: "--port=${PORT}", Program: "node",
				Meant: words("node server.js --port=$(PORT)"),
			},
		},
		{name: "placeholder that Spring replaces", command: words("java -jar a.jar --server.port=${PORT}"), in: Input{Env: map[string]string{"PORT": "80"}}},
		{
			name: "variable in a probe", command: words("mysqladmin ping -p${PASSWORD}"),
			in: Input{EnvUnknown: map[string]bool{"PASSWORD": true}}, role: RoleLivenessProbe,
			want: Slip{
				Form: formVariable, Path: commandPath + "[2]", Word: "-p${PASSWORD}", Program: "mysqladmin",
				Meant: []string{"sh", "-c", `exec mysqladmin ping -p${PASSWORD}`},
			},
		},
		{
			name: "substitution", command: words("gunicorn --workers $(nproc) app"),
			want: Slip{
				Form: formSubstitution, Path: commandPath + "[2]", Word: "$(nproc)", Program: "gunicorn",
				Meant: []string{"sh", "-c", `exec gunicorn --workers "$(nproc)" app`},
			},
		},
		{
			name: "option and value in one word", command: []string{"/bin/argocd-image-updater", "run", "--mail ops@example.com"},
			want: Slip{
				Form: formGlued, Path: commandPath + "[2]", Word: "--mail ops@example.com", Program: "argocd-image-updater",
				Meant: []string{"--mail", "ops@example.com"},
			},
		},
		{
			name: "folded block", args: []string{`--keys "user:*,job:*" \`}, in: Input{ImageText: "oliver006/redis_exporter:v1"},
			want: Slip{Form: formGlued, Path: argsPath + "[0]", Word: `--keys "user:*,job:*" \`, Meant: []string{"--keys", "user:*,job:*"}},
		},
		{
			name: "variable that nobody defines", command: words("java $OPTIONS -jar a.jar"), role: RoleCommand,
			want: Slip{
				Form: formVariable, Path: commandPath + "[1]", Word: "$OPTIONS", Program: "java",
				Meant: []string{"sh", "-c", `exec java $OPTIONS -jar a.jar`},
			},
		},
		{
			name: "a variable in a password that is defined", command: words("redis-server --requirepass Pa$WORD1"), role: RoleCommand,
			in: Input{Env: map[string]string{"WORD1": "x"}},
			want: Slip{
				Form: formVariable, Path: commandPath + "[2]", Word: "Pa$WORD1", Program: "redis-server",
				Meant: words("redis-server --requirepass Pa$(WORD1)"),
			},
		},
		{
			name: "other directories", command: words("mkdir /data && mkdir /data/b"),
			want: Slip{
				Form: formOperator, Path: commandPath + "[2]", Word: "&&", Program: "mkdir",
				Meant: []string{"sh", "-c", "mkdir /data && mkdir /data/b"},
			},
		},
		{name: "a dollar in a password", command: words("redis-server --requirepass Pa$WORD1")},
		{name: "a password that begins with a dollar", command: words("redis-server --requirepass $ECRET99")},
		{name: "a dollar in a password, in one word", command: words("mysqladmin ping --password=$ECRET99")},
		{name: "a dollar in a text", command: words("echo US$AMOUNT")},
		{name: "directories one after the other", command: words("mkdir -p a && mkdir -p b")},
		{name: "texts one after the other", command: words("echo a ; echo b && echo c")},
		{name: "what takes an option and its value", command: []string{"envoy", "-c", "/etc/envoy.yaml", "--base-id 1"}},
		{name: "a server that takes them", command: []string{"redis-server", "--requirepass x"}},
		{name: "a program that is not known", command: []string{"/app/server", "run", "--mail ops@example.com"}},
		{name: "the program of an image that is not known", args: []string{"--mail ops@example.com"}, in: Input{ImageText: "app:1"}},
		{name: "value of another option", command: []string{"spark-submit", "--conf", "--add-opens java.base/java.lang"}},
		{name: "spaces in a value", command: []string{"/app/server", "--message=hello there"}},
		{name: "echo", command: []string{"echo", "--a b"}},
		{name: "shell", command: []string{"sh", "-c", "echo $HOME && ls", "&&"}},
		{name: "script that may evaluate", command: []string{"/app/start.sh", "a", "&&", "b"}},
		{name: "shell of a device", command: words("adb shell test -d /sdcard && echo yes")},
		{name: "entrypoint", args: []string{"a", "&&", "$HOME"}},
		{name: "find", command: []string{"find", "/tmp", "-exec", "rm", "{}", ";"}},
		{name: "awk", command: []string{"awk", "{print $NF}", "/tmp/x"}},
		{name: "nginx", command: []string{"nginx", "-g", "daemon off;"}},
		{name: "envsubst", command: []string{"envsubst", "$HOME"}},
		{name: "a separator", command: []string{"csvtool", "-t", "|", "col", "1"}},
		{name: "a dollar in SQL", command: []string{"psql", "-c", "do $BODY$ begin end $BODY$"}},
		{name: "program text", command: []string{"node", "-e", "console.log(`${HOME}`)"}},
		{name: "placeholder that the program resolves", command: []string{"java", "-jar", "a.jar", "--url=${URL}"}},
		{name: "unknown program", command: []string{"/app/server", "--url=${URL}", "$HOME"}},
		{name: "escaped", command: []string{"echo", "$$HOME"}},
		{name: "not capitals", command: []string{"mongosh", "x", "{$set: 1}", "$home"}},
		{name: "a shell behind the program", command: []string{"kubectl", "exec", "x", "--", "sh", "-c", "echo $HOME"}},
		{name: "reference", command: []string{"echo", "$(HOME)", "$(NOT_DEFINED)"}},
	}
}

// TestFindSlips holds what is found and what was meant; TestSure holds whether that may be written.
func TestFindSlips(t *testing.T) {
	known := table(t)
	for list, examples := range map[string][]slipExample{"unrunnable": unrunnableExamples(), "literal": literalExamples()} {
		for _, e := range examples {
			t.Run(list+"/"+e.name, func(t *testing.T) {
				in := e.in
				in.Command, in.Args, in.CommandPath, in.ArgsPath = e.command, e.args, commandPath, argsPath
				none := SlipList{Observation: fact.AbsentAt("spec.containers[0]")}
				want := Slips{Unrunnable: none, Literal: none}
				if e.want.Form != "" {
					found := SlipList{Observation: fact.PresentAt("spec.containers[0]"), Found: []Slip{e.want}}
					found.Found[0].Role, found.Found[0].Args = e.role, len(e.command) > 0 && len(e.args) > 0
					if list == "unrunnable" {
						want.Unrunnable = found
					} else {
						want.Literal = found
					}
				}
				got := FindSlips("spec.containers[0]", []Line{{Role: e.role, Input: in}}, known)
				if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Slip{}, "Shell", "Sure", "Step")); diff != "" {
					t.Errorf("%q %q: unexpected slips (-want +got):\n%s", e.command, e.args, diff)
				}
			})
		}
	}
}

func BenchmarkFindSlips(b *testing.B) {
	known := table(b)
	lines := []Line{
		{Role: RoleCommand, Input: Input{Command: []string{"/app/server", "--port", "80", "--host=$(HOST)"}, Env: map[string]string{"HOST": "::"}}},
		{Role: RoleReadinessProbe, Input: Input{Command: []string{"sh", "-c", "test -f /tmp/ready"}}},
	}
	b.ReportAllocs()
	for b.Loop() {
		FindSlips("spec.containers[0]", lines, known)
	}
}
