package command

// scriptExamples are about scripts that are what they seem to be.
func scriptExamples() []example {
	last := func(command string) string { return `the script ends after its last command, "` + command + `"` }
	stuck := func(command string) string { return `the script does not get past "` + command + `"` }
	posix := func(name, text, program string, ends Ends) example {
		return example{name: name, command: script(text), program: program, ends: inScript(ends)}
	}
	inBash := func(name, text, program string, ends Ends) example {
		return example{name: name, command: bash(text), program: program, ends: inScript(ends)}
	}
	return []example{
		posix("one command", "echo done", "echo", exited(echoes, 0, 0)),
		posix("empty", "", "sh", exited("an empty script ends at once", 0, 0)),
		posix("a comment", "# nothing", "sh", exited("an empty script ends at once", 0, 0)),
		posix("and", "echo running && sleep 3600", "sh", exited(last("echo running && sleep 3600"), 3600, 0)),
		posix("skipped and", "false && sleep 5", "sh", exited(last("false && sleep 5"), 0, 1)),
		posix("skipped or", "true || ./server", "sh", exited(last("true || ./server"), 0, 0)),
		posix("or that may run", "mkdir x || exit 4", "sh", ended(last("mkdir x || exit 4"), 0)),
		posix("exit", "echo a; exit 3; ./server", "sh", exited(`the script ends with "exit 3"`, 0, 3)),
		posix("exec", "cd /app\nexec sleep 5", "sleep", exited("sleep waits 5 seconds and ends", 5, 0)),
		posix("exec of a server", "echo a; exec httpd -f", "httpd", remains("it is not known whether httpd ends", "httpd serves, without end")),
		posix("loop for ever", "while true; do date; sleep 5; done", "sh", neverEnds(stuck("while true; do date; sleep 5; done"))),
		posix("loop around a program", "while :; do /renew.sh; sleep 3600; done; echo never", "sh",
			neverEnds(stuck("while :; do /renew.sh; sleep 3600; done"))),
		posix("loop while sleeping", "while sleep 5; do ./sync; done", "sh", neverEnds(stuck("while sleep 5; do ./sync; done"))),
		posix("until", "until [ 1 = 2 ]; do sleep 1; done", "sh", neverEnds(stuck("until [ 1 = 2 ]; do sleep 1; done"))),
		posix("loop never", "while false; do ./server; done", "sh", exited(last("while false; do ./server; done"), 0, 0)),
		posix("loop once", "while true; do sleep 2; break; done", "sh", ended(last("while true; do sleep 2; break; done"), 2)),
		posix("counting loop", `i=0; while true; do echo "$i: $(date)" >>1.log; i=$((i+1)); sleep 1; done`, "sh",
			neverEnds(stuck(`while true; do echo "$i: $(date)" >>1.l…`))),
		posix("for", "for i in 1 2 3; do echo $i; sleep 2; done", "sh", exited(last("for i in 1 2 3; do echo $i; sleep 2; do…"), 6, 0)),
		posix("for over seq", "for i in $(seq 1 2 9); do sleep 2; done; exit 1", "sh", exited(`the script ends with "exit 1"`, 10, 1)),
		posix("for over anything", `for f in /docker-entrypoint.d/*; do echo "$f"; done`, "sh",
			exited(last(`for f in /docker-entrypoint.d/*; do ech…`), 0, 0)),
		posix("for and sleep over anything", `for f in *; do sleep 1; done`, "sh", unknown("it is not known how often a loop runs")),
		posix("if", "if [ -f /x ]; then sleep 5; else sleep 9; fi; exit 0", "sh", exited(`the script ends with "exit 0"`, 9, 0)),
		posix("if that is certain", "if true; then sleep 5; else ./server; fi", "sh",
			exited(last("if true; then sleep 5; else ./server; fi"), 5, 0)),
		posix("case", "case $1 in a) sleep 5 ;; *) echo x; esac", "sh", exited(last("case $1 in a) sleep 5 ;; *) echo x; esac"), 5, 0)),
		posix("subshell", "(sleep 2; exit 3); (sleep 3)", "sh", exited(last("(sleep 3)"), 5, 0).onlyWaiting()),
		posix("pipeline", "sleep 1 | cat", "sh", exited(last("sleep 1 | cat"), 1, 0)),
		posix("endless end of a pipeline", "./server | sleep infinity", "sh", neverEnds(stuck("./server | sleep infinity"))),
		posix("substitution", `x=$(sleep 2; echo a); echo "$x"`, "sh", exited(last(`echo "$x"`), 2, 0)),
		posix("wait for what does not end", "sleep infinity & wait", "sh", neverEnds(stuck("wait"))),
		posix("wait for what may not be started", "if test -f x; then sleep infinity & fi; wait", "sh",
			unknown("the script waits for what it started in the background")),
		posix("wait for what ends", "sleep 1 & wait", "sh", unknown("the script waits for what it started in the background")),
		posix("function", "f() { sleep 2; }; f; f", "sh", exited(last("f"), 4, 0).onlyWaiting()),
		posix("function with the name of a program", "sleep() { exit 1; }; f() { sleep infinity; }; f", "sh",
			exited(`the script ends with "f"`, 0, 1)),
		posix("background", "sleep 3600 & echo done", "sh", exited(last("echo done"), 0, 0)),
		posix("server in the background", "/usr/sbin/nginx &", "sh",
			exited(`the script ends without waiting for its last command, "/usr/sbin/nginx &"`, 0, 0).inBackground()),
		posix("here document", "cat <<EOF >x\n$(date)\nEOF\necho done", "sh", exited(last("echo done"), 0, 0)),
		posix("set -e", "set -e\nmkdir -p x\nexit 0", "sh", ended(`the script ends with "exit 0"`, 0)),
		posix("set -e before what cannot fail", "set -e; echo a; exec sleep infinity", "sleep", neverEnds("sleep waits, without end")),
		posix("setup and keep alive", "./setup.sh; tail -f /dev/null", "sh", neverEnds("tail follows its files, without end")),
		posix("negation", "! false", "sh", exited(last("! false"), 0, 0)),
		posix("log of the container", "echo a >/dev/stdout 2>&1; exit 0", "sh", exited(`the script ends with "exit 0"`, 0, 0)),
		posix("wait for nothing", "wait; exit 2", "sh", exited(`the script ends with "exit 2"`, 0, 2)),
		posix("looking for a program", "command -v curl >/dev/null || exit 1; exit 0", "sh", ended(`the script ends with "exit 0"`, 0)),
		inBash("brace range", "for i in {1..5}; do sleep 2; done", "bash", exited(last("for i in {1..5}; do sleep 2; done"), 10, 0).onlyWaiting()),
		inBash("extended test", "[[ -n $x ]] && sleep 1; exit 0", "bash", exited(`the script ends with "exit 0"`, 1, 0).onlyWaiting()),
		inBash("endless for", "for ((;;)); do sleep 1; done", "bash", neverEnds(stuck("for ((;;)); do sleep 1; done"))),
		inBash("endless arithmetic", "while ((1)); do sleep 1; done", "bash", neverEnds(stuck("while ((1)); do sleep 1; done"))),
		inBash("time", "time sleep 2; exit 0", "bash", exited(`the script ends with "exit 0"`, 2, 0).onlyWaiting()),
		inBash("everything to a file", "echo a &>/dev/null", "echo", exited(echoes, 0, 0)),
	}
}
