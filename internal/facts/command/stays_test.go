package command

import (
	"strings"
	"testing"
)

// TestStays tells servers in the foreground from the same programs with other work to do.
func TestStays(t *testing.T) {
	known := table(t)
	for name, want := range map[string]map[string]bool{
		"redis-server": {
			"": true, "--port 6380": true, "--appendonly yes --dir /data": true, "--protected-mode no --bind 0.0.0.0 --save ": true,
			"--daemonize yes": false, "--port 1 --daemonize yes": false, "--version": false, "-v": false, "--test-memory 100": false, "/etc/redis.conf": false, "/s.conf --sentinel": false,
		},
		"nginx": {
			"-g|daemon off;": true, "-c /etc/n.conf -g|daemon off;": true, "-g|daemon off; worker_processes 1;": true, "-g|error_log /dev/stdout; daemon off;": true,
			"": false, "-t": false, "-g|daemon on;": false, "-t -g|daemon off;": false, "-s reload": false, "-V": false,
		},
		"python3": {
			"-m http.server": true, "-m http.server 8000": true, "-u -m http.server --directory /www 80": true,
			"-m http.client": false, "app.py": false, "-m http.server --help": false, "-V": false, "-c pass": false,
		},
		"kubectl":     {"proxy": true, "proxy --port=8001": true, "proxy --port 8001 --address 0.0.0.0": true, "get pods": false, "proxy --help": false, "port-forward x 1": false},
		"memcached":   {"": true, "-m 64": true, "-vv -m 64 -c 1024": true, "-d": false, "-h": false, "-V": false},
		"mongod":      {"": true, "--replSet rs0 --bind_ip_all": true, "--fork --logpath /l": false, "--version": false, "-f /etc/m.conf": false, "--shutdown": false},
		"httpd":       {"-DFOREGROUND": true, "-D FOREGROUND": true, "-f -p 8080 -h /www": true, "-fv": true, "": false, "-t": false, "-f /etc/httpd.conf": false},
		"sshd":        {"-D": true, "-D -e": true, "-eD": true, "-p 2222 -D": true, "": false, "-t": false, "-T": false},
		"crond":       {"-f": true, "-f -l 8": true, "-n": true, "": false, "-V": false},
		"php-fpm":     {"-F": true, "-y /f.conf -F": true, "": false, "-t": false, "-D": false},
		"postgres":    {"": true, "-D /data": true, "-c log_statement=all": true, "--version": false, "--single": false, "-C port": false},
		"uvicorn":     {"main:app --host 0.0.0.0 --port 80": true, "--version": false, "main:app --limit-max-requests 5": false},
		"prometheus":  {"--config.file=/p.yml": true, "--version": false, "--help": false},
		"watch":       {"-n 1 date": true, "date": true, "-g date": false, "-n1 ls -l": false},
		"tcpdump":     {"-i any": true, "-ni eth0": false, "-c 5": false, "-D": false},
		"inotifywait": {"-m /data": true, "-mr -e create /data": true, "/data": false, "-m -t 5 /data": false},
	} {
		for args, want := range want {
			command, last, joined := []string{name}, "", false
			if args, last, joined = strings.Cut(args, "|"); args != "" {
				command = append(command, words(args)...)
			}
			if joined {
				command = append(command, last) // one word with spaces
			}
			if got := Analyze(Input{Command: command, CommandPath: commandPath}, known).Ends.NeverSucceeds; got != want {
				t.Errorf("%q: never succeeds: %v, want %v", command, got, want)
			}
		}
	}
}

// TestStaysInScripts holds what follows for a script: a server that fails lets it go on.
func TestStaysInScripts(t *testing.T) {
	known := table(t)
	for script, want := range map[string]bool{
		"redis-server":                           true,
		"echo a; exec redis-server":              true,
		"echo a && redis-server":                 true,
		"set -e; redis-server":                   true,
		"redis-server; echo done":                false,
		"redis-server || echo":                   false,
		"redis-server || exit 1":                 true,
		"redis-server && echo done":              true,
		"redis-server &":                         false,
		"redis-server & wait":                    false,
		"tail -f /log | sed '/ready/ q'":         false,
		"if [ -e /x ]; then redis-server; fi":    false,
		"tail -f /log/app.log":                   true,
		"! redis-server":                         false,
		"while ! redis-server; do sleep 1; done": false,
		"trap 'exit 0' TERM; redis-server":       false,
	} {
		in := Input{Command: []string{"sh", "-c", script}, CommandPath: commandPath}
		if got := Analyze(in, known).Ends.NeverSucceeds; got != want {
			t.Errorf("%q: never succeeds: %v, want %v", script, got, want)
		}
	}
}
