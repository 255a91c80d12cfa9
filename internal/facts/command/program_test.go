package command

// programExamples are about programs that no shell runs.
func programExamples() []example {
	const (
		cats    = "cat prints its input and ends"
		tails   = "tail prints the end of its input and ends"
		follows = "tail follows its files, without end"
		asks    = " reads standard input, which may not end"
	)
	stdin := Input{Stdin: true}
	return []example{
		{name: "echo", command: words("echo hi"), program: "echo", ends: exited(echoes, 0, 0)},
		{name: "absolute path", command: words("/bin/echo hi"), program: "echo", ends: exited(echoes, 0, 0)},
		{name: "local path", command: words("/usr/local/bin/echo"), program: "echo", ends: exited(echoes, 0, 0)},
		{name: "another path", command: words("/opt/bin/echo"), program: "echo", ends: unknown("it is not known whether echo ends")},
		{name: "relative path", command: words("./echo"), program: "echo", ends: unknown("it is not known whether echo ends")},
		{name: "unclean path", command: words("/bin/../x/echo"), program: "echo", ends: unknown("it is not known whether echo ends")},
		{
			name: "unknown program", command: words("/app/server --port 80"), program: "server",
			ends: unknown("it is not known whether server ends"),
		},
		{name: "true", command: words("true"), program: "true", ends: exited("true does nothing and ends", 0, 0)},
		{name: "false", command: words("/bin/false"), program: "false", ends: exited("false fails and ends", 0, 1)},
		{
			name: "touch and sleep in one", command: words("touch /tmp/note.txt sleep 200"), program: "touch",
			ends: ended("touch changes its files and ends", 0),
		},
		{
			name: "chown", command: words("chown -R 472:472 /var/lib/grafana"), program: "chown",
			ends: ended("chown changes its files and ends", 0),
		},
		{name: "cp", command: words("cp -r /seed/. /data"), program: "cp", ends: ended("cp copies its files and ends", 0)},
		{
			name: "cp of a device", command: words("cp /dev/zero /data/x"), program: "cp",
			ends: unknown("it is not known whether /dev/zero lets cp end"),
		},
		{
			name: "cp of everything", command: words("cp -a / /data"), program: "cp",
			ends: unknown("it is not known whether / lets cp end"),
		},
		{
			name: "cp with an unusual option", command: words("cp --reflink=auto a b"), program: "cp",
			ends: unknown("it is not known what cp does with these arguments"),
		},
		{name: "rm with a terminal", command: words("rm -i x"), in: stdin, program: "rm", ends: unknown("rm" + asks)},
		{name: "date", command: words("date"), program: "date", ends: exited("date prints the time and ends", 0, 0)},
		{
			name: "date from a file", command: words("date -f -"), program: "date",
			ends: unknown("it is not known what date does with these arguments"),
		},
		{
			name: "hostname from a file", command: words("hostname -F /dev/stdin"), program: "hostname",
			ends: unknown("it is not known what hostname does with these arguments"),
		},
		{name: "seq", command: words("seq 1 2 9"), program: "seq", ends: exited("seq counts and ends", 0, 0)},
		{
			name: "seq without end", command: words("seq inf"), program: "seq",
			ends: unknown("it is not known what seq does with these arguments"),
		},
		{
			name: "seq that stands still", command: words("seq 1 0 9"), program: "seq",
			ends: unknown("it is not known what seq does with these arguments"),
		},
		{name: "test", command: words("[ 1 -eq 2 ]"), program: "[", ends: exited("[ evaluates an expression and ends", 0, 1)},
		{
			name: "test of a file", command: words("test -f /x"), program: "test",
			ends: ended("test evaluates an expression and ends", 0),
		},

		{name: "sleep", command: words("sleep 3600"), program: "sleep", ends: exited("sleep waits 3600 seconds and ends", 3600, 0)},
		{
			name: "sleep adds up", command: words("sleep 1m 0.5 1h"), program: "sleep",
			ends: exited("sleep waits 3661 seconds and ends", 3661, 0),
		},
		{name: "sleep for a second", command: words("sleep .2"), program: "sleep", ends: exited("sleep waits 1 second and ends", 1, 0)},
		{name: "sleep infinity", command: words("sleep infinity"), program: "sleep", ends: neverEnds("sleep waits, without end")},
		{name: "sleep inf", command: words("sleep 5 inf"), program: "sleep", ends: neverEnds("sleep waits, without end")},
		{
			name: "sleep very long", command: words("sleep 99999999999999999d"), program: "sleep",
			ends: neverEnds("sleep waits for 99999999999999999d, as good as without end"),
		},
		{
			name: "sleep of 30 days", command: words("sleep 2592000"), program: "sleep",
			ends: neverEnds("sleep waits for 2592000, as good as without end"),
		},
		{name: "sleep of less", command: words("sleep 2591999"), program: "sleep", ends: exited("sleep waits 2591999 seconds and ends", 2591999, 0)},
		{
			name: "sleeps of 30 days together", command: words("sleep 20d 10d"), program: "sleep",
			ends: neverEnds("sleep waits for 20d 10d, as good as without end"),
		},
		{
			name: "sleeps of 30 days one after the other", command: script("sleep 20d; sleep 20d"), program: "sh",
			ends: inScript(unknown("it may wait for 30 days or more")),
		},
		{
			name: "limit of a year", command: words("tini timeout 365d yes"), program: "yes", ends: neverEnds("yes prints the same line, without end"),
		},
		{
			name: "stress for a year", command: words("stress --cpu 1 --timeout 31536000"), program: "stress",
			ends: neverEnds("stress burns CPU and memory, without end"),
		},
		{
			name: "a year in an image that does not know infinity", command: words("sleep 365d"), program: "sleep",
			in: Input{Image: Image{name: "busybox", tag: "1.29", entry: &image{SleepInfinityFrom: "1.31"}}}, ends: neverEnds("sleep waits for 365d, as good as without end"),
		},
		{
			name: "sleep of nonsense", command: words("sleep 5 seconds"), program: "sleep",
			ends: unknown("it is not known what sleep does with these arguments"),
		},
		{
			name: "sleep of nothing", command: words("sleep"), program: "sleep",
			ends: unknown("it is not known what sleep does with these arguments"),
		},
		{
			name: "sleep with an option", command: words("sleep --help"), program: "sleep",
			ends: unknown("it is not known what sleep does with these arguments"),
		},

		{name: "tail -f of what is always there", command: words("tail -f /dev/null"), program: "tail", ends: neverEnds(follows)},
		{name: "tail -F waits for its file", command: words("tail -n+1 -F /var/log/1.log"), program: "tail", ends: neverEnds(follows)},
		{
			name: "tail -f may find no file", command: words("tail -fn 100 /var/log/app.log"), program: "tail",
			ends: remains("it is not known whether the files of tail exist", follows),
		},
		{
			name: "tail -f of nothing", command: words("tail -f"), program: "tail",
			ends: unknown("it is not known what tail does with these arguments"),
		},
		{
			name: "tail --pid ends", command: words("tail --pid=1 -f /dev/null"), program: "tail",
			ends: unknown("it is not known what tail does with these arguments"),
		},
		{name: "tail of a file", command: words("tail -5 /var/log/x"), program: "tail", ends: ended(tails, 0)},
		{name: "cat a file", command: words("cat /etc/app.conf"), program: "cat", ends: ended(cats, 0)},
		{
			name: "cat a device", command: words("cat /dev/urandom"), program: "cat",
			ends: unknown("it is not known whether /dev/urandom lets cat end"),
		},
		{
			name: "cat by a detour", command: words("cat /tmp/../dev/zero"), program: "cat",
			ends: unknown("it is not known whether /tmp/../dev/zero lets cat end"),
		},
		{
			name: "cat relative to the root", command: words("cat proc/kmsg"), program: "cat",
			ends: unknown("it is not known whether proc/kmsg lets cat end"),
		},
		{name: "cat nothing", command: words("cat"), program: "cat", ends: exited(cats, 0, 0)},
		{name: "cat an open input", command: words("cat"), in: stdin, program: "cat", ends: unknown("cat" + asks)},
		{name: "yes", command: words("yes"), program: "yes", ends: neverEnds("yes prints the same line, without end")},
		{name: "pause", command: words("/pause"), program: "pause", ends: neverEnds("pause waits for signals, without end")},
		{name: "kill all", command: words("pkill -9 java"), program: "pkill", ends: unknown("pkill may end any process")},

		{
			name: "python without a script", command: words("python3"), program: "python3",
			ends: exited("python3 without a script reads standard input, which is empty, and ends", 0, 0),
		},
		{
			name: "python with a script", command: words("python3 app.py"), program: "python3",
			ends: unknown("it is not known what python3 does with these arguments"),
		},
		{name: "python with a terminal", command: words("python3"), in: stdin, program: "python3", ends: unknown("python3" + asks)},
		{
			name: "node with options in a variable", command: words("node"), program: "node",
			in:   Input{Env: map[string]string{"NODE_OPTIONS": "--require=./server.js"}},
			ends: unknown("a variable changes what node does"),
		},
	}
}
