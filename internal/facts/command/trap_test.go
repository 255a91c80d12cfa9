package command

import "strings"

// trapExamples are scripts that look as if more were known of them.
func trapExamples() []example {
	const notFollowed = "it is not known what "
	posix := func(name, text, reason string) example {
		return example{name: name, command: script(text), program: "sh", ends: inScript(unknown(reason))}
	}
	inBash := func(name, text, reason string) example {
		return example{name: name, command: bash(text), program: "bash", ends: inScript(unknown(reason))}
	}
	return []example{
		posix("a server before the end", "./server; echo stopped", "it is not known whether server ends"),
		posix("keep alive after success only", "./start && tail -f /dev/null", "it is not known whether start ends"),
		posix("wait for the background", "./server & wait", "the script waits for what it started in the background"),
		posix("trap and loop", "trap 'exit 0' TERM; while true; do sleep 1; done", "the script traps signals"),
		posix("loop until ready", "until nslookup db; do sleep 2; done", "it is not known when the condition of a loop changes"),
		posix("loop with a way out", "while true; do if [ -f /x ]; then exit 0; fi; sleep 1; done", "it is not known whether a loop is left"),
		posix("loop with a break", "while true; do ./x && break; sleep 1; done", "it is not known whether x ends"),
		posix("loop under set -e", "set -e; while true; do date >>/logs/out; sleep 5; done", "set -e may end the script early"),
		called("sleep", posix("endless if it starts", "sleep infinity >/logs/out", "a redirection may fail")),
		posix("loop under set -u", `set -u; while true; do echo "$A"; sleep 5; done`, "an expansion may end the script"),
		posix("loop with a division", "while true; do echo $((1/n)); sleep 1; done", "an arithmetic expression may end the script"),
		posix("loop with a number from elsewhere", "while true; do i=$((i+n)); sleep 1; done", "an arithmetic expression may end the script"),
		posix("loop that kills", "while true; do sleep 1; kill 1; done", "the script sends signals"),
		posix("killer in the background", "(sleep 1; kill $PPID) & while true; do sleep 1; done",
			"something in the background may end the script"),
		posix("redefined program", "sleep() { :; }; sleep infinity; sleep() { exit; }", "it is not known which function sleep is"),
		posix("function of another branch", "if [ -f /x ]; then f() { ./server; }; fi; f", "it is not known which function f is"),
		posix("eval", `eval "$CMD"`, notFollowed+"eval does"),
		posix("source", ". /etc/profile; echo done", notFollowed+". does"),
		posix("read", "read line; echo $line", "the script reads standard input"),
		posix("command in a variable", "$CMD; echo done", "the script runs a command that its text does not name"),
		called("sleep", posix("time in a variable", "sleep $DELAY", "what sleep does depends on a variable")),
		posix("endless writer", "yes | head -1", "the end of a pipeline may end what runs before it"),
		posix("substitution of a server", "x=$(./server); echo $x", "it is not known whether server ends"),
		posix("substitution leaves a process", "x=$(sleep 9 & echo a); echo $x", "a command substitution waits for what it leaves behind"),
		posix("pipe held open", "(sleep 9 & echo a) | cat", "cat reads standard input, which may not end"),
		posix("pipe held open behind a timeout", "timeout 5 ./daemon | cat; echo", "cat reads standard input, which may not end"),
		posix("script from a pipe", "echo 'sleep 9' | sh", "sh runs what it reads from standard input"),
		posix("pipe in the file system", "mkfifo /p; cat /p", "it is not known whether mkfifo ends"),
		posix("device by cd", "cd /dev; cat zero", "what cat does depends on a variable"),
		called("cat", posix("device by redirection", "cat </dev/zero", "it is not known whether a redirection blocks")),
		posix("terminal by redirection", "exec 3<>/dev/tcp/db/5432; echo", "it is not known whether a redirection blocks"),
		called("echo", posix("file in a variable", `echo a >"$LOG"`, "it is not known whether a redirection blocks")),
		posix("input of the rest", "exec </tmp/x; cat", "it is not known whether a redirection blocks"),
		posix("&> in sh", "sleep 3600 &>/dev/null", "the script does not parse as the language of its shell"),
		posix("bash in sh", "[[ -f /x ]] && echo a", notFollowed+"[[ does"),
		posix("broken", "if true; then echo", "the script does not parse as the language of its shell"),
		posix("returns from nowhere", "return 0; ./server", notFollowed+"return does"),
		posix("breaks from nowhere", "break; sleep infinity", notFollowed+"break does"),
		posix("breaks from two", "while true; do while true; do break 2; done; done", notFollowed+"break does"),
		posix("recursion", "f() { f; }; f", "it is too long or too deeply nested to follow"),
		posix("explosion", explosion(20), "it is too long or too deeply nested to follow"),
		posix("depth", strings.Repeat("{ ", 200)+"echo"+strings.Repeat("; }", 200), "it is too long or too deeply nested to follow"),
		posix("brackets", strings.Repeat("(", maxBrackets+1), "the script is too deeply nested to follow"),
		posix("length", "echo "+strings.Repeat("x", maxScript), "the script is too long to follow"),
		inBash("process substitution", "exec > >(tee /log); echo", "it uses an expansion that is not followed"),
		inBash("arithmetic error goes on in the next line", "echo $((1/0)) && exit 0\nsleep infinity", "an arithmetic expression may end the script"),
		inBash("fallthrough", "case $1 in a) echo ;& b) ./server; esac", "it uses a case branch that falls through"),
		called("cat", inBash("network", "cat </dev/tcp/db/5432", "it is not known whether a redirection blocks")),
		inBash("C-style loop", "for ((i=0; i<n; i++)); do echo; done", "it is not known how often a loop runs"),
		inBash("select", "select x in a b; do echo; done", "it asks for a choice"),
		inBash("coprocess", "coproc ./server", "it uses a construct that is not followed"),
		inBash("arguments as the command", `exec "$@"`, "it is not known what exec does"),
	}
}

// called sets the program that runs in the end.
func called(program string, e example) example {
	e.program = program
	return e
}

// explosion is a script whose functions call each other 2^n times.
func explosion(n int) string {
	var b strings.Builder
	b.WriteString(function(0) + "() { echo; }\n")
	for i := 1; i <= n; i++ {
		name, callee := function(i), function(i-1)
		b.WriteString(name + "() { " + callee + "; " + callee + "; }\n")
	}
	b.WriteString(function(n))
	return b.String()
}

func function(i int) string { return "f" + string(rune('0'+i/10)) + string(rune('0'+i%10)) }
