package main

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"regexp"
	"strings"

	"github.com/forestall/forestall/policies"
)

// grammar makes pieces of manifests by chance.
type grammar struct {
	*rand.Rand
	// known are the words of the data beside the rules: names of programs, options, variables, images.
	known []string
}

func newGrammar(seed uint64) (*grammar, error) {
	g := &grammar{Rand: rand.New(rand.NewPCG(seed, seed))}
	word := regexp.MustCompile(`[A-Za-z0-9_./=-]{2,40}`)
	for _, file := range []string{policies.ProgramsFile, policies.ImagesFile, policies.MemoryFile} {
		text, err := fs.ReadFile(policies.FS, file)
		if err != nil {
			return nil, fmt.Errorf("reading the words of %s: %w", file, err)
		}
		for line := range strings.SplitSeq(string(text), "\n") {
			if !strings.HasPrefix(strings.TrimSpace(line), "#") {
				g.known = append(g.known, word.FindAllString(line, -1)...)
			}
		}
	}
	return g, nil
}

func (g *grammar) chance(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g *grammar, all ...T) T { return all[g.IntN(len(all))] }

// some are 1 to n things.
func some[T any](g *grammar, n int, one func() T) []T {
	all := make([]T, 1+g.IntN(n))
	for i := range all {
		all[i] = one()
	}
	return all
}

// word is a word of a command line.
func (g *grammar) word() string {
	switch g.IntN(12) {
	case 0, 1, 2, 3:
		return pick(g, g.known...)
	case 4:
		return pick(g, "--", "-c", "-Xmx1g", "-XX:MaxRAMPercentage=50", "--port=8080", "--port", ":80", "0.0.0.0:80", "localhost:1", "-p", "&", "&&", "|", ">", "2>&1", "infinity", "1e9")
	case 5:
		return pick(g, "$(A)", "$(PORT)", "$$(A)", "$A", "${A}", "$(", "$", "$$")
	case 6:
		return g.script(2)
	case 7:
		return fmt.Sprint(g.IntN(70_000))
	case 8:
		return g.noise()
	case 9:
		return g.word() + pick(g, " ", "=", ",", ":", "\n", "/") + g.word()
	case 10:
		return pick(g, "python3", "node", "java", "sh", "bash", "nginx", "stress", "redis-server", "tini", "timeout", "env", "sleep", "tail", "exec", "xargs", "nohup", "gunicorn", "curl", "wget", "nc")
	}
	return pick(g, "a", "b", "", "\\", "'", `"`, "*", "~", "{a,b}", "[a-z]", "#", "=", "{{ a }}", "é", "\u2028")
}

// noise repeats few characters.
func (g *grammar) noise() string {
	piece := pick(g, "a", "0", "9", ".", "-", "_", "/", ":", "@", "$", "(", ")", "{", "}", "[", "]", "<", ">", "\\", "'", `"`, "`", "*", "?", "!", "~", "#", "%", "=", "+", " ", "\t", "\n", ",", ";", "&", "|",
		"$(", "${", "$((", "))", "a:", "a/", "a.", "__", "1.", "8080 ", ":80 ", "A", "é", "\x7f", "é́", "${a", "%a", "{{", "a@")
	return strings.Repeat(piece, 1+g.IntN(1<<g.IntN(9)))
}

// constructs are those of a shell: S stands for a script, W for a word, V for a simple word, A for arithmetic, N for
// noise, and Q for a script in single quotes.
func constructs() []string {
	return []string{
		"(«S»)", "{ «S»; }", "f() { «S»; }; f; f; f", "while «S»; do «S»; done", "for a in «W» «W»; do «S»; done",
		"if «S»; then «S»; elif «S»; then «S»; else «S»; fi", "case «W» in «V») «S»;; *) «S»;; esac", "cat <<E\n«S»\nE\n",
		"cat <<'E' | «S»\n«N»\nE\n", "«S» && «S»", "«S» || «S»", "«S» | «S»", "«S» & «S»", "! «S»", "sh -c «Q»", "bash -c «Q»",
		"exec sh -c «Q»", "env sh -c «Q»", "timeout 5 sh -c «Q»", "trap «Q» TERM EXIT", "[[ «W» == «W» ]]", "[[ «W» =~ «W» ]]", "[[ «W» && «W» ]]",
		"(( «A» ))", "for ((i=0; «A»; i++)); do «S»; done", "set -e; «S»", "set -euo pipefail; «S»", "«S» > «W»", "«S» 2>&1 < «W»", "«S» <<< «W»",
		"[ «W» = «V» ]", "[ «W» -a «V» ]", "time «S»", "a=«W» «S»", "«S»; «S»; «S»", "«S»\n«S»\n«S»\n«S»",
	}
}

// script is one for a shell, with constructs within each other.
func (g *grammar) script(depth int) string {
	if depth <= 0 {
		return g.simple()
	}
	pieces := map[string]func() string{
		"S": func() string { return g.script(depth - 1) },
		"W": func() string { return g.shellWord(depth - 1) },
		"V": func() string { return g.shellWord(0) },
		"A": func() string { return g.arithmetic(depth) },
		"N": g.noise,
		"Q": func() string { return "'" + strings.ReplaceAll(g.script(depth-1), "'", `"`) + "'" },
	}
	var b strings.Builder
	for part := range strings.SplitSeq(pick(g, constructs()...), "«") {
		name, rest, found := strings.Cut(part, "»")
		if found {
			b.WriteString(pieces[name]())
		} else {
			rest = part
		}
		b.WriteString(rest)
	}
	return b.String()
}

func (g *grammar) simple() string {
	line := pick(g, "a", "sleep 1", "sleep infinity", "exec a", "wait", "tail -f /dev/null", "echo a", "true", "false", "exit 1", "cd /a", "export A=1", "eval a", ". /a", "nginx", "f", "g", "seq 1 9", "kill 1", "nohup a &", "read a", "test a", "printf a", "java -Xmx1g", "return", "break", "continue", "shift", "set --", "local a=1", "declare -A a=([b]=c)", "coproc a")
	for range g.IntN(4) {
		line += " " + g.shellWord(1)
	}
	return line
}

// shellWord is one word as a shell reads it.
func (g *grammar) shellWord(depth int) string {
	if depth <= 0 {
		return pick(g, "a", "1", "*", "$A", "${A}", "'a'", `"a"`, "~", "{1..9}", "{a,b}", "$1", "$@", "$?", "$!", "$$", `\a`, "-a", "[a-z]*", "80", "localhost:80")
	}
	switch g.IntN(12) {
	case 0:
		return "$(" + g.script(depth-1) + ")"
	case 1:
		return "`" + strings.ReplaceAll(g.script(depth-1), "`", "") + "`"
	case 2:
		return "$((" + g.arithmetic(depth) + "))"
	case 3:
		return `"` + strings.Join(some(g, 5, func() string { return g.shellWord(depth - 1) }), "") + `"`
	case 4:
		return "${A" + pick(g, ":-", ":=", ":?", ":+", "%", "%%", "#", "##", "/", "//", ":", "^", ",,", "@") + g.shellWord(depth-1) + "}"
	case 5:
		return "<(" + g.script(depth-1) + ")"
	case 6:
		return "{" + strings.Join(some(g, 5, func() string { return g.shellWord(0) }), ",") + "}"
	case 7:
		return "${a[" + g.arithmetic(depth-1) + "]}"
	case 8:
		return "$'" + g.shellWord(0) + "'"
	case 9:
		return "@(" + g.shellWord(0) + "|" + g.shellWord(depth-1) + ")"
	}
	return g.shellWord(depth-1) + g.shellWord(depth-1)
}

func (g *grammar) arithmetic(depth int) string {
	if depth <= 0 {
		return pick(g, "1", "a", "a[1]", "08", "0x1", "$A", "i++", "9999999999999999999")
	}
	switch g.IntN(5) {
	case 0:
		return "(" + g.arithmetic(depth-1) + ")"
	case 1:
		return g.arithmetic(depth-1) + " ? " + g.arithmetic(depth-1) + " : " + g.arithmetic(depth-1)
	case 2:
		return pick(g, "-", "!", "~", "++") + g.arithmetic(depth-1)
	case 3:
		return "$(( " + g.arithmetic(depth-1) + " ))"
	}
	return g.arithmetic(depth-1) + pick(g, "+", "*", "**", "&&", "||", ",", "=", "<<") + g.arithmetic(depth-1)
}
