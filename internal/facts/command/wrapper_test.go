package command

// wrapperExamples are about programs and shells that run another command.
func wrapperExamples() []example {
	const (
		noScript = "a shell without a script reads standard input, which is empty, and ends"
		sleeps5  = "sleep waits 5 seconds and ends"
		notClear = " does with these arguments"
	)
	return []example{
		{name: "env", command: words("env"), program: "env", ends: exited("env prints the environment and ends", 0, 0)},
		{name: "env with a command", command: words("env -i -u HOME A=b C=d sleep 5"), program: "sleep", ends: exited(sleeps5, 5, 0)},
		{
			name: "env with an unusual option", command: words("env -S bash"), program: "",
			ends: unknown("it is not known what env" + notClear),
		},
		{name: "env only sets", command: words("env A=b"), program: "env", ends: ended("env prints the environment and ends", 0)},
		{
			name: "env changes bash", command: words("env BASH_ENV=/etc/rc bash"), program: "bash",
			ends: unknown("a variable changes what bash does"),
		},
		{name: "nohup", command: words("nohup sleep 5"), program: "sleep", ends: exited(sleeps5, 5, 0)},
		{name: "nohup of nothing", command: words("nohup"), ends: unknown("it is not known what nohup" + notClear)},
		{name: "nice", command: words("nice -n 5 sleep 5"), program: "sleep", ends: exited(sleeps5, 5, 0)},
		{name: "stdbuf", command: words("stdbuf -oL -e0 sleep 5"), program: "sleep", ends: exited(sleeps5, 5, 0)},
		{name: "tini", command: words("/sbin/tini -g -- sleep 5"), program: "sleep", ends: exited(sleeps5, 5, 0)},
		{
			name: "tini changes exit codes", command: words("tini -e 143 -- sleep 5"), program: "",
			ends: unknown("it is not known what tini" + notClear),
		},
		{name: "dumb-init", command: words("dumb-init -- sleep 5"), program: "sleep", ends: exited(sleeps5, 5, 0)},
		{name: "gosu", command: words("gosu app sleep 5"), program: "sleep", ends: exited(sleeps5, 5, 0)},
		{name: "gosu of nothing", command: words("gosu app"), ends: unknown("it is not known what gosu" + notClear)},
		{name: "busybox", command: words("busybox sleep 5"), program: "sleep", ends: exited(sleeps5, 5, 0)},
		{
			name: "wrappers in wrappers", command: words("tini -- nohup nice env A=b stdbuf -oL sleep 5"), program: "sleep",
			ends: exited(sleeps5, 5, 0),
		},
		{
			name: "too many wrappers", command: words("nice nice nice nice nice nice nice nice nice sleep 5"),
			ends: unknown("it is too long or too deeply nested to follow"),
		},

		{name: "timeout of what is shorter", command: words("timeout 10 sleep 5"), program: "sleep", ends: exited(sleeps5, 5, 0)},
		{
			name: "timeout as the first process", command: words("timeout 10 sleep infinity"), program: "sleep",
			ends: unknown("timeout may not be able to stop the first process of a container"),
		},
		{name: "timeout as the first process of what ends", command: words("timeout 3 sleep 5"), program: "sleep", ends: ended(sleeps5, 5)},
		{
			name: "timeout behind tini", command: words("tini -- timeout -k 5 1m /app/server"), program: "server",
			ends: ended("timeout stops what it runs after 60 seconds and ends", 60),
		},
		{name: "timeout of nothing", command: words("timeout 5"), ends: unknown("it is not known what timeout" + notClear)},
		{
			name: "timeout without a limit", command: words("tini timeout 0 sleep infinity"), program: "sleep",
			ends: neverEnds("sleep waits, without end"),
		},
		{name: "old busybox timeout", command: words("timeout -t 5 sleep 9"), ends: unknown("it is not known what timeout" + notClear)},
		{
			name: "timeout in a script", command: script("timeout 5 ./job; echo over"), program: "sh",
			ends: inScript(exited(`the script ends after its last command, "echo over"`, 5, 0)),
		},
		{
			name: "timeout at the end of a script", command: script("echo a; exec timeout 5 ./job"), program: "job",
			ends: inScript(unknown("timeout may not be able to stop the first process of a container")),
		},
		{
			name: "timeout of what traps signals", command: script(`timeout 5 sh -c "trap : TERM; sleep 9"; echo`), program: "sh",
			ends: inScript(unknown("the script traps signals")),
		},

		{name: "bash", command: words("bash"), program: "bash", ends: exited(noScript, 0, 0)},
		{name: "sh by path with options", command: words("/bin/sh -x -e"), program: "sh", ends: exited(noScript, 0, 0)},
		{name: "bash as a login shell", command: words("bash --login"), program: "bash", ends: exited(noScript, 0, 0)},
		{
			name: "bash with a terminal", command: words("bash"), in: Input{Stdin: true}, program: "bash",
			ends: unknown("bash runs what it reads from standard input"),
		},
		{name: "interactive bash", command: words("bash -i"), program: "bash", ends: unknown("it is not known what bash" + notClear)},
		{
			name: "bash changed by a variable", command: words("bash"), in: Input{EnvUnknown: map[string]bool{"BASH_ENV": true}},
			program: "bash", ends: unknown("a variable changes what bash does"),
		},
		{
			name: "script file", command: words("/bin/sh /run.sh"), program: "sh",
			ends: unknown("it is not known what the script file of sh does"),
		},
		{name: "-c without a script", command: words("sh -c"), program: "sh", ends: ended("sh is given -c without a script and ends", 0)},
		{
			name: "only the first word is the script", command: []string{"sh", "-c", "echo", "hi"}, program: "echo",
			ends: inScript(exited(echoes, 0, 0)),
		},
		{
			name: "script in args", command: words("/bin/bash"), args: []string{"-c", "echo hi"}, program: "echo",
			ends: exited(echoes, 0, 0).at(argsPath + "[1]"),
		},
		{
			name: "combined options", command: []string{"bash", "-euxo", "pipefail", "-c", "echo hi"}, program: "echo",
			ends: exited(echoes, 0, 0).at(commandPath + "[4]"),
		},
		{
			name: "options apart", command: []string{"sh", "-e", "-u", "-c", "--", "echo hi"}, program: "echo",
			ends: exited(echoes, 0, 0).at(commandPath + "[5]"),
		},
		{
			name: "not every sh has pipefail", command: []string{"sh", "-o", "pipefail", "-c", "exec sleep infinity"}, program: "sleep",
			ends: unknown("not every sh takes these options").at(commandPath + "[4]"),
		},
		{
			name: "option that does not run the script", command: []string{"bash", "-n", "-c", "sleep 5"}, program: "bash",
			ends: unknown("it is not known what bash" + notClear),
		},
		{
			name: "env and bash", command: []string{"/usr/bin/env", "bash", "-lc", "sleep 5"}, program: "sleep",
			ends: exited(sleeps5, 5, 0).at(commandPath + "[3]"),
		},
		{name: "shell in a shell", command: script(`sh -c "exec sleep 5"`), program: "sleep", ends: inScript(exited(sleeps5, 5, 0))},
	}
}
