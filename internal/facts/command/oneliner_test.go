package command

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOneLiners(t *testing.T) {
	known := table(t)
	unclear := func(name string) Ends {
		return unknown("it is not known what " + name + " does with these arguments").at(commandPath)
	}
	runs := func(name string) Ends { return exited(name+" runs a one-line script and ends", 0, 0).at(commandPath) }
	prints := func(name string) Ends { return exited(name+" prints its version and ends", 0, 0).at(commandPath) }
	for _, e := range []struct {
		command []string
		want    Ends
	}{
		{[]string{"python3", "-c", "print('hello, world')"}, runs("python3")},
		{[]string{"python", "-uc", "import sys; print(\"a\", 1)\nprint()"}, runs("python")},
		{[]string{"python3", "-c", ""}, runs("python3")},
		{[]string{"python3", "-c", "print('a;b')"}, unclear("python3")},
		{[]string{"python3", "-c", "print(f'{wait()}')"}, unclear("python3")},
		{[]string{"python3", "-c", "print('a'); serve()"}, unclear("python3")},
		{[]string{"python3", "-c", "import app"}, unclear("python3")},
		{[]string{"python3", "-c", "while True: print('a')"}, unclear("python3")},
		{[]string{"python3", "-c", "print(1)", "x"}, unclear("python3")},
		{[]string{"python3", "-c"}, unclear("python3")},
		{[]string{"python3", "-i", "-c", "print(1)"}, unclear("python3")},
		{[]string{"python3", "-c", "print(1)" + strings.Repeat(" ", maxOneLiner)}, unclear("python3")},
		{words("python3 -u app.py"), unclear("python3")},
		{words("python3 --version"), prints("python3")},
		{[]string{"node", "-e", "console.log('a', 2);"}, runs("node")},
		{[]string{"node", "--eval=console.log(1)"}, runs("node")},
		{[]string{"node", "-e", "setInterval(f, 1)"}, unclear("node")},
		{words("node server.js"), unclear("node")},
		{words("node -v"), prints("node")},
		{[]string{"perl", "-le", "print 'a'"}, runs("perl")},
		{[]string{"perl", "-e", `print "@{[wait]}"`}, unclear("perl")},
		{[]string{"ruby", "-e", "puts 'a'"}, runs("ruby")},
		{words("java -version"), ended("java prints what it is and ends", 0).at(commandPath)},
		{words("java -jar app.jar"), unclear("java")},
		{words("java"), unclear("java")},
		{script("apt-get update; apt-get install -y curl"), inScript(ended(`the script ends after its last command, "apt-get install -y curl"`, 0))},
		{script("tail -f /dev/null | sed s/a/b/"), inScript(unknown("the end of a pipeline may end what runs before it"))},
		{script("sed s/a/b/ /dev/tty"), inScript(unknown("it is not known whether /dev/tty lets sed end"))},
		{words("tar xzf a.tgz"), ended("tar packs or unpacks files and ends", 0).at(commandPath)},
		{script("echo a; python3 -c 'print(1)'"), inScript(exited(`the script ends after its last command, "python3 -c 'print(1)'"`, 0, 0))},
	} {
		got := Analyze(Input{Command: e.command, CommandPath: commandPath, ArgsPath: argsPath}, known)
		if diff := cmp.Diff(e.want, got.Ends); diff != "" {
			t.Errorf("%q: unexpected fact (-want +got):\n%s", e.command, diff)
		}
	}
}
