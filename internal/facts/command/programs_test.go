package command

import (
	"strings"
	"testing"
)

func TestParsePrograms(t *testing.T) {
	const valid = `
groups:
  - programs: [one]
    source: https://example.com/one
    process: {does: ends, ends: true}
`
	if _, err := ParsePrograms([]byte(valid)); err != nil {
		t.Fatal(err)
	}
	group := func(fields string) string {
		return valid + "  - {programs: [two], source: \"https://example.com/two\", " + fields + "}\n"
	}
	for name, test := range map[string]struct{ yaml, err string }{
		"not YAML":               {"groups: [", "reading the table of programs: "},
		"unknown table field":    {"group: []", `unknown field "group"`},
		"unknown field":          {group("listen: 80"), `group 2 (two): json: unknown field "listen"`},
		"unknown field in block": {group("process: {does: x, end: true}"), `unknown field "end"`},
		"listed twice":           {group("process: {does: x, ends: true}") + strings.TrimPrefix(valid, "\ngroups:\n"), `group 3 (one): "one" is listed twice`},
		"boolean name":           {"groups: [{programs: [true]}]", "cannot unmarshal bool"},
		"no programs":            {"groups: [{source: x}]", "group 1 (): programs is empty"},
		"path for a name":        {"groups: [{programs: [/bin/x], source: 'https://x', process: {does: x, ends: true}}]", `"/bin/x" is not the name`},
		"relative path":          {group("paths: [bin/x], process: {does: x, ends: true}"), `path "bin/x" is not absolute and clean`},
		"no source":              {"groups: [{programs: [x], source: man}]", `source "man" is not an https address`},
		"no block":               {group("options: []"), "it needs one of process, wraps, shell, serves, stays, once, detaches and listens"},
		"shell and process":      {group("shell: {language: posix}, process: {does: x, ends: true}"), "process and shell cannot stand side by side"},
		"wrapper without list":   {group("wraps: {}"), "a wrapper needs options"},
		"option":                 {group("options: [x], wraps: {}"), `option "x" is not of the form`},
		"option with a value":    {group("options: [--n=1], wraps: {}"), `option "--n=1" is not of the form`},
		"no ends":                {group("process: {does: x}"), "ends is not given"},
		"no does":                {group("process: {ends: true}"), "does is not given"},
		"stdin":                  {group("process: {does: x, ends: true, stdin: tty}"), `stdin "tty" is not data or program`},
		"operands":               {group("options: [], process: {does: x, ends: true, operands: file}"), `operands "file" is not known`},
		"operands without list":  {group("process: {does: x, ends: true, operands: opened}"), `operands "opened" needs options`},
		"program without list":   {group("process: {does: x, ends: true, stdin: program}"), `stdin "program" needs options`},
		"files":                  {group("process: {does: x, ends: true, files: [/x]}"), `files needs operands "opened"`},
		"exit code":              {group("process: {does: x, ends: true, exitCode: 256}"), "exitCode 256 is not between"},
		"when":                   {group("options: [-a], process: {does: x, ends: true, when: [{given: [-b]}]}"), `when: "-b" is not one of the options`},
		"when without behaviour": {group("options: [-a], process: {does: x, ends: true, when: [{given: [-a]}]}"), "when -a: ends is not given"},
		"limit":                  {group("options: [], wraps: {limit: true, skip: 1}"), "limit cannot stand with"},
		"skip":                   {group("options: [], wraps: {skip: -1}"), "skip -1 is negative"},
		"listens":                {group("listens: true"), "listens can only be false"},
		"quiet wrapper":          {group("options: [], wraps: {}, listens: false"), "listens can only be false"},
		"server and process":     {group("serves: {port: 80}, process: {does: x, ends: true}"), "process and serves or detaches cannot stand side by side"},
		"port":                   {group("serves: {port: 65536}"), "port 65536 is not between"},
		"option of a port":       {group("serves: {portOptions: [port]}"), `option "port" is not of the form`},
		"daemon and process":     {group("detaches: {does: x, instead: z}, process: {does: x, ends: true}"), "process and serves or detaches cannot stand side by side"},
		"daemon without advice":  {group("detaches: {does: x}"), "detaches needs does and instead"},
		"empty argument":         {group(`detaches: {does: x, instead: z, not: [" "]}`), "an argument of detaches is empty"},
		"relative configuration": {group("detaches: {does: x, instead: z, config: [etc/x]}"), `config "etc/x" is not absolute and clean`},
		"relative directory":     {group("directories: [etc], detaches: {does: x, instead: z}"), `path "etc" is not absolute and clean`},
		"statement in process":   {group("options: [-c=], process: {does: x, ends: true, statement: a}"), "statement can only stand in when"},
		"statement of a flag":    {group("options: [-c], process: {does: x, ends: true, when: [{given: [-c], does: x, ends: true, statement: a}]}"), "statement needs an option with a value"},
		"pattern":                {group("options: [-c=], process: {does: x, ends: true, when: [{given: [-c], does: x, ends: true, statement: '('}]}"), "statement: error parsing regexp"},
		"timeout":                {group("options: [-t], process: {does: x, ends: true, timeout: [-t]}"), `timeout: "-t" is not one of the options with a value`},
		"language":               {group("shell: {language: fish}"), `language "fish" is not posix or bash`},
	} {
		if _, err := ParsePrograms([]byte(test.yaml)); err == nil || !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: error %v, want %q in it", name, err, test.err)
		}
	}
}

func TestOptions(t *testing.T) {
	o := newOptions([]string{"-a", "-b", "-n=", "--long", "--value=", "-name=", "-NUMBER"})
	for line, want := range map[string]string{
		"":            " | ",
		"x":           " | x",
		"-a x -b y":   "-a -b | x y",
		"-ab x":       "-a -b | x",
		"-abn5 x":     "-a -b -n | x",
		"-n 5 x":      "-n | x",
		"-n=5":        "-n | ",
		"--long x":    "--long | x",
		"--value=5 x": "--value | x",
		"--value 5 x": "--value | x",
		"-name 5 x":   "-name | x",
		"-20 x":       "-NUMBER | x",
		"-a -- -b":    "-a | -b",
		"-a - x":      "-a | - x",
		"-c":          "no",
		"-ac":         "no",
		"--other":     "no",
		"--long=5":    "no",
		"-n":          "no",
		"--value":     "no",
	} {
		got := "no"
		if p, ok := o.parse(literal(line), false); ok {
			got = strings.Join(p.given, " ") + " | " + texts(p.operands)
		}
		if strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	if p, ok := o.parse(literal("-a x -b"), true); !ok || texts(p.operands) != "x -b" {
		t.Errorf("a wrapper's operands are %q (%v)", texts(p.operands), ok)
	}
}

func literal(line string) []word {
	var list []word
	for _, w := range words(line) {
		list = append(list, word{text: w, known: true})
	}
	return list
}

func texts(list []word) string {
	var all []string
	for _, w := range list {
		all = append(all, w.text)
	}
	return strings.Join(all, " ")
}
