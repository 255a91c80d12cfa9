package command

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/facts/fact"
)

const mayListen = "it is not known whether all that it runs opens no port"

func quiet(path, because string) Listens {
	return Listens{Observation: fact.AbsentAt(path), Because: because}
}

func serving(path, because string, port int32) Listens {
	return Listens{Observation: fact.PresentAt(path), Because: because, Port: port}
}

func TestListens(t *testing.T) {
	known := table(t)
	const inScript = commandPath + "[2]"
	unclear := Listens{Observation: fact.UnknownAt(commandPath, mayListen)}
	unclearScript := Listens{Observation: fact.UnknownAt(inScript, mayListen)}
	for name, test := range map[string]struct {
		command []string
		want    Listens
	}{
		"stress":             {words("stress --vm 1 --vm-bytes 64M"), quiet(commandPath, "stress only burns CPU and memory")},
		"stress for a while": {words("stress -c 1 -t 60s"), quiet(commandPath, "stress only burns CPU and memory for 60 seconds")},
		"stress, unknown":    {words("stress --what"), quiet(commandPath, "it only runs stress, which opens no port")},
		"stress-ng":          {words("stress-ng --cpu 1 --timeout=1m"), quiet(commandPath, "stress-ng only burns CPU and memory for 60 seconds")},
		"stress-ng sockets":  {words("stress-ng --sock 1 --timeout 1m"), unclear},
		"sleep":              {words("sleep infinity"), quiet(commandPath, "sleep only waits")},
		"tail":               {words("tail -f /dev/null"), quiet(commandPath, "tail only follows its files")},
		"tail of a file":     {words("tail -f /var/log/x"), quiet(commandPath, "tail only follows its files")},
		"behind wrappers":    {words("tini -- env A=b timeout 5 sleep 9"), quiet(commandPath, "it only runs sleep, which opens no port")},
		"bare shell":         {words("sh"), quiet(commandPath, "a shell without a script reads standard input, which is empty")},
		"grep":               {words("grep -r x /"), quiet(commandPath, "it only runs grep, which opens no port")},
		"unknown":            {words("server"), unclear},
		"wrapped":            {words("timeout 5 nc -l 80"), unclear},
		"python":             {words("python3 app.py"), unclear},
		"bare python":        {words("python3"), quiet(commandPath, "python3 without a script reads standard input, which is empty")},
		"init":               {words("init"), unclear},

		"loop":             {script("while true; do date; sleep 5; done"), quiet(inScript, "it only runs true, date and sleep, which open no port")},
		"many":             {script("date; ls; echo a; sleep 1; cat a"), quiet(inScript, "none of the programs that it runs opens a port")},
		"nothing":          {script(":"), quiet(inScript, "the script runs no program")},
		"waits":            {script("sleep 3 & trap - TERM; wait"), unclearScript},
		"wait":             {script("sleep 3 & wait"), quiet(inScript, "it only runs sleep, which opens no port")},
		"kill":             {script("sleep 3 & kill $!"), quiet(inScript, "it only runs sleep, which opens no port")},
		"pipeline":         {script("tail -f a | grep b"), quiet(inScript, "it only runs tail and grep, which open no port")},
		"background":       {script("server & sleep 9"), unclearScript},
		"in a pipeline":    {script("sleep 9 | server"), unclearScript},
		"before one":       {script("server | sleep 9"), unclearScript},
		"in an endless":    {script("sleep infinity | server"), unclearScript},
		"substitution":     {script("x=$(server); sleep 9"), unclearScript},
		"in a word":        {script("echo ${x:-$(server)}"), unclearScript},
		"in a test":        {bash("[[ $(server) ]]"), unclearScript},
		"in arithmetic":    {script("echo $(($(server)+1))"), unclearScript},
		"redirection":      {script("echo >$(server)"), unclearScript},
		"document":         {script("cat <<E\n$(server)\nE"), unclearScript},
		"branch":           {script("if test -f a; then server; else sleep 9; fi"), unclearScript},
		"other branch":     {script("if test -f a; then sleep 9; else server; fi"), unclearScript},
		"case":             {script("case $x in a) server;; esac"), unclearScript},
		"loop of servers":  {script("for i in a b; do server; done"), unclearScript},
		"condition":        {script("while server; do sleep 1; done"), unclearScript},
		"and":              {script("ls a && server"), unclearScript},
		"or":               {script("ls a || server"), unclearScript},
		"function":         {script("f() { server; }; f"), unclearScript},
		"not called":       {script("f() { server; }; sleep 1"), quiet(inScript, "it only runs sleep, which opens no port")},
		"never reached":    {script("sleep infinity; server"), quiet(inScript, "it only runs sleep, which opens no port")},
		"eval":             {script("eval server"), unclearScript},
		"sourced":          {script(". ./a; sleep 9"), unclearScript},
		"variable":         {script("$A; sleep 9"), unclearScript},
		"stopped":          {script("timeout 9 server; sleep 9"), unclearScript},
		"shell in a shell": {script("sh -c 'server'; sleep 9"), unclearScript},
		"piped to a shell": {script("echo server | sh; sleep 9"), unclearScript},
		"does not parse":   {script("if"), unclearScript},

		"server":            {words("redis-server"), serving(commandPath, "redis-server is a server", 6379)},
		"server's port":     {words("redis-server --port 7000"), serving(commandPath, "redis-server is a server", 7000)},
		"inline":            {words("memcached --port=7000"), serving(commandPath, "memcached is a server", 7000)},
		"with a file":       {words("redis-server /a"), serving(commandPath, "redis-server is a server", 0)},
		"no port":           {words("redis-server --port 0"), unclear},
		"other work":        {words("nginx -t"), unclear},
		"server in a shell": {script("ls; exec nginx -g 'daemon off;'"), serving(inScript, "nginx is a server", 0)},
		"perhaps":           {script("test -f a || exit 1; exec redis-server"), unclearScript},
		"if only":           {script("ls a && redis-server"), unclearScript},
	} {
		in := Input{Command: test.command, CommandPath: commandPath, ArgsPath: argsPath}
		if diff := cmp.Diff(test.want, Analyze(in, known).Listens); diff != "" {
			t.Errorf("%s: %q: unexpected fact (-want +got):\n%s", name, test.command, diff)
		}
	}
}
