package command

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/facts/fact"
)

const echoes = "echo prints its arguments and ends"

func unknownArgvAt(path, reason string) *Argv {
	return &Argv{Observation: fact.UnknownAt(path, reason)}
}

func argvOf(words ...string) *Argv {
	return &Argv{Observation: fact.PresentAt(commandPath), Words: words}
}

// argvExamples are about which words run.
func argvExamples() []example {
	env := Input{Env: map[string]string{"GREETING": "hello", "MODE": "infinity", "EMPTY": ""}}
	remote := Input{EnvUnknown: map[string]bool{"NODE": true}}
	open := Input{EnvOpen: true}
	const missing = "the value of NODE is not known here"
	return []example{
		{name: "nothing", argv: &Argv{Observation: fact.AbsentAt(commandPath)}, ends: unknown(imageRuns)},
		{
			name: "args only", args: words("--port 80"), argv: unknownArgvAt(argsPath, entrypointRuns),
			ends: unknown(entrypointRuns).at(argsPath),
		},
		{name: "empty name", command: []string{""}, ends: unknown("the name of the program is empty")},
		{
			name: "blank in the name", command: []string{"nginx -g daemon"}, program: "nginx -g daemon",
			ends: unknown("it is not known whether nginx -g daemon ends"),
		},
		{
			name: "command and args", command: words("sleep"), args: words("5"), program: "sleep",
			ends: exited("sleep waits 5 seconds and ends", 5, 0),
		},
		{
			name: "variable", command: words("echo $(GREETING)"), in: env, argv: argvOf("echo", "hello"), program: "echo",
			ends: exited(echoes, 0, 0),
		},
		{
			name: "variable decides", command: words("sleep $(MODE)"), in: env, argv: argvOf("sleep", "infinity"),
			program: "sleep", ends: neverEnds("sleep waits, without end"),
		},
		{
			name: "variable is the program", command: words("$(EMPTY)"), in: env, argv: argvOf(""),
			ends: unknown("the name of the program is empty"),
		},
		{
			name: "variable from elsewhere", command: words("echo $(NODE)"), in: remote, program: "echo",
			argv: unknownArgvAt(commandPath+"[1]", missing), ends: exited(echoes, 0, 0),
		},
		{
			name: "variable from elsewhere decides", command: words("sleep"), args: words("$(NODE)"), in: remote, program: "sleep",
			argv: unknownArgvAt(argsPath+"[0]", missing), ends: unknown("what sleep does depends on a variable"),
		},
		{
			name: "variable from elsewhere is the program", command: words("$(NODE) x"), in: remote,
			argv: unknownArgvAt(commandPath+"[0]", missing), ends: unknown("which program runs depends on a variable"),
		},
		{
			name: "variable from elsewhere in a script", command: script("echo $(NODE)"), in: remote, program: "sh",
			argv: unknownArgvAt(commandPath+"[2]", missing), ends: unknown("the script of sh depends on a variable"),
		},
		{
			name: "envFrom may define it", command: words("echo $(date)"), in: open, program: "echo",
			argv: unknownArgvAt(commandPath+"[1]", "the value of date is not known here"), ends: exited(echoes, 0, 0),
		},
		{
			name: "envFrom cannot define it", command: script("echo $(date -u)"), in: open, program: "echo",
			ends: inScript(exited(echoes, 0, 0)),
		},
		{name: "not defined", command: words("echo $(date)"), program: "echo", ends: exited(echoes, 0, 0)},
		{
			name: "service variable", command: words("echo $(DB_SERVICE_HOST)"), program: "echo",
			argv: unknownArgvAt(commandPath+"[1]", "the value of DB_SERVICE_HOST is not known here"), ends: exited(echoes, 0, 0),
		},
		{
			name: "escaped", command: words("echo $$(NODE)"), in: remote, argv: argvOf("echo", "$(NODE)"), program: "echo",
			ends: exited(echoes, 0, 0),
		},
	}
}

func TestExpand(t *testing.T) {
	in := Input{Env: map[string]string{"A": "a", "B": "$(A)", "E": "", "sp ace": "s"}}
	for text, want := range map[string]string{
		"":                      "",
		"plain":                 "plain",
		"$(A)":                  "a",
		"x$(A)y$(A)":            "xaya",
		"$(B)":                  "$(A)", // values are not expanded again
		"[$(E)]":                "[]",
		"$(sp ace)":             "s",
		"$(MISSING)":            "$(MISSING)",
		"$$":                    "$",
		"$$$":                   "$$",
		"$$$$":                  "$$",
		"$$(A)":                 "$(A)",
		"$$$(A)":                "$a",
		"$$$$(A)":               "$$(A)",
		"$A":                    "$A",
		"${A}":                  "${A}",
		"$(A":                   "$(A",
		"$(A$(A)":               "$(A$(A)", // the name is A$(A
		"$($(A)":                "$($(A)",
		"$()":                   "$()",
		"$":                     "$",
		"a$":                    "a$",
		"$(A)$":                 "a$",
		"$é$(A)":                "$éa",
		"$\xff":                 "$\uFFFD", // the kubelet writes the rune, not the byte
		"foo$$$$$$$(A)bar":      "foo$$$abar",
		"\n$$$(\n":              "\n$$(\n",
		"$?_boo$$":              "$?_boo$",
		"$$($(A)":               "$(a",
		"$(A)) $(A)":            "a) a",
		strings.Repeat("$(", 3): "$($($(",
	} {
		e := expander{in: &in, room: maxBytes}
		if got := e.word(text, "", 0); got.text != want || !got.known {
			t.Errorf("%q expands to %q (known: %v), want %q", text, got.text, got.known, want)
		}
	}
}

func TestText(t *testing.T) {
	for want, command := range map[string][]string{
		"sleep 5":                            {"sleep", "5"},
		"sh -c 'echo a; echo b'":             {"sh", "-c", "echo a; echo b"},
		`sh -c $'set -e\necho a'`:            {"sh", "-c", "set -e\necho a"},
		`echo ''`:                            {"echo", ""},
		`echo "\x00"`:                        {"echo", "\x00"},
		"echo '$(PASSWORD)'":                 {"echo", "$(PASSWORD)"},
		strings.Repeat("x", 80):              {strings.Repeat("x", 80)},
		strings.Repeat("é", 79) + "…":        {strings.Repeat("é", 81)},
		"a " + strings.Repeat("b", 77) + "…": {"a", strings.Repeat("b", 1<<20)},
	} {
		in := Input{Command: command, Env: map[string]string{"PASSWORD": "secret"}}
		if got := Analyze(in, Programs{}).Text; got != want {
			t.Errorf("%.40q reads %q, want %q", command, got, want)
		}
	}
}

func TestBounds(t *testing.T) {
	long := strings.Repeat("x", maxBytes)
	for name, in := range map[string]Input{
		"words":      {Command: make([]string, maxWords+1)},
		"bytes":      {Command: []string{"echo"}, Args: []string{long}},
		"expansion":  {Command: []string{"echo", strings.Repeat("$(A)", 64)}, Env: map[string]string{"A": long[:1<<14]}},
		"after that": {Command: []string{"echo", long, "$(A)"}, Env: map[string]string{"A": "a"}},
	} {
		in.CommandPath = commandPath
		got := Analyze(in, table(t))
		reason := map[string]string{"words": "it has more than 4096 words"}[name]
		if reason == "" {
			reason = "it is longer than 256 KiB"
		}
		observation := fact.UnknownAt(commandPath, reason)
		want := Facts{
			Text: got.Text, Argv: Argv{Observation: observation},
			Ends: Ends{Observation: observation}, Detaches: Detaches{Observation: observation}, Listens: Listens{Observation: observation},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: unexpected facts (-want +got):\n%s", name, diff)
		}
	}
}
