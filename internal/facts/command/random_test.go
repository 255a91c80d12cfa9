package command

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// generator writes random scripts out of harmless pieces. What the pieces do is
// known to the shells and partly to the analysis, which is the point.
type generator struct {
	*rand.Rand
	bash bool
}

func (g generator) pick(choices ...string) string { return choices[g.IntN(len(choices))] }

// script writes a script with a function or two before its statements.
func (g generator) script() string {
	var b strings.Builder
	b.WriteString(g.pick("", "", "", "set -e\n", "set -u\n", "set -eu\n"))
	if g.bash {
		b.WriteString(g.pick("", "", "set -o pipefail\n"))
	}
	if g.IntN(3) == 0 {
		b.WriteString("f() { " + g.list(2, "f") + "; }\n")
	}
	for range 1 + g.IntN(4) {
		b.WriteString(g.stmt(3, "") + g.pick("\n", "\n", "; ", " &\n"))
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func (g generator) list(depth int, in string) string {
	stmts := make([]string, 1+g.IntN(3))
	for i := range stmts {
		stmts[i] = g.stmt(depth, in)
	}
	return strings.Join(stmts, g.pick("; ", "\n"))
}

// stmt writes a statement; in says what is around it: f for a function, l for a loop.
func (g generator) stmt(depth int, in string) string {
	if depth == 0 || g.IntN(3) == 0 {
		return g.simple(in)
	}
	list := func() string { return g.list(depth-1, in) }
	one := func() string { return g.stmt(depth-1, in) }
	loop := func() string { return g.list(depth-1, in+"l") }
	switch g.IntN(16) {
	case 0:
		return "(" + list() + ")"
	case 1:
		return "{ " + list() + "; }"
	case 2:
		return "if " + list() + "; then " + list() + "; fi"
	case 3:
		return "if " + list() + "; then " + list() + "; else " + list() + "; fi"
	case 4, 5:
		return "while " + g.pick("true", ":", "[ 1 ]", "sleep 0.02", "! false") + "; do sleep 0.02; " + loop() + "; done"
	case 6:
		return "until " + g.pick("false", "[ 1 = 2 ]", "true", one()) + "; do sleep 0.02; " + loop() + "; done"
	case 7:
		return "for i in " + g.pick("1 2", "", "$(seq 1 2)", "a") + "; do " + loop() + "; done"
	case 8:
		return "case " + g.pick("a", "$x", "$(echo b)") + " in a) " + list() + ";; b) " + list() + ";; esac"
	case 9, 10:
		return g.operand(one()) + " && " + g.operand(one())
	case 11, 12:
		return g.operand(one()) + " || " + g.operand(one())
	case 13:
		return "! " + g.operand(one())
	case 14:
		return g.operand(one()) + " | " + g.operand(one())
	default:
		return "x=$(" + list() + ")"
	}
}

func (g generator) operand(s string) string { return "{ " + s + "\n}" }

func (g generator) simple(in string) string {
	choices := []string{
		"echo a", "true", "false", ":", "sleep 0.02", "[ 1 ]", "[ 1 = 2 ]", "test 2 -gt 1", "x=1", "x=$(exit 3)",
		"x=$(false) y=$(true)", "cat", "export A=b", "unset x", "cd /", "wait", "exit " + strconv.Itoa(g.IntN(4)),
		"exec echo hi", "exec sleep 0.02", "exec ./missing", "./missing", "echo a >/nonexistent/x", ": >/nonexistent/x",
		"echo $((1/0))", "echo ${X?unset}", "echo $UNSET", "i=$((i+1))", "sh -c 'exit 3'", "sh -c 'echo a; false'",
		"env A=1 true", "timeout 1 false", "timeout 0.2 sleep 5", "printf a", "echo \"$(false)\"", "echo a >/dev/null 2>&1",
		"readonly r=1", "r=2", "eval 'exit 3'", "set -e", "set +e", "shift", "trap 'exit 9' EXIT", "kill -9 $$$$", "read x",
		"command -v true", "exec >/dev/null", "sleep 0.02 &", "cat <<E\n$(echo a)\nE\n", "seq 1 3", "ls /", "true $(cd /)",
		"true && false || echo a", "false || false", "false | true", "true | (exit 3)", "f() { false; }", "f() (exit 2)",
		"unset -f f", "unset f", "cd /nonexistent || exit 1", ": ${x:=y}", "export X=$(false)", "set -- a b", "shift 5",
		"sh -c 'kill -9 $PPID'", "eval 'set -e'", "eval false", "$(exit 3)", "$(echo true)", "''", "\\true", "'false'",
		"\"set\" -e", "command set -e", "$x true", "exit $?", "exit 300", "exit", "return", "break 2", "ls *", "fa\\lse",
		"x=$(exit)", "false >/dev/null", "set -o errexit", "set -u", "x=\"$(false)$((1))\"", "true 2>&1 3>&1", "exec 3>&1",
		"{ exit 2; } | cat", "echo | while :; do break; done", "while read l; do false; done </dev/null", "test", "[ ]",
		"false & wait $!", "while false; do :; done", "until true; do :; done", "if false; then :; fi", "for i in; do :; done",
		"for i in 1 2; do continue; false; done", "sh -c 'set -e; false; echo a'", "sh -ec 'false; echo a'", "sh -c",
		"timeout 0 true", "timeout 5 sleep 0.02", "nohup true", "nice true", "env", "env true", "env X=1 sh -c 'exit 4'",
		"sh </dev/null", "echo false | sh", "cat /nonexistent", "tail -f /nonexistent", "head -1 /dev/null", "cat </dev/null",
		"! true", "! false", "! { exit 3; }", "(exit 2) && true", "{ false; true; }", "exec false", "exec true", "(exec false)",
	}
	if g.bash {
		choices = append(choices, "printf -v y a", "declare -r rr=1", "x[1/0]=2", "set -o pipefail", "shopt -s lastpipe",
			"echo a |& cat", "r=3 true", "function g { return 1; }", "g", "export -f f", "for ((i=0; i<2; i++)); do :; done",
			"for ((;;)); do sleep 0.02; break; done", "echo $'a'", "true <(echo a)", "let i=0", "echo ${!x}", "[[ -z '' ]]", "[[ 1",
			"[[ 1 ]]", "[[ a = b ]]", "((1))", "((0))", "((i++))", "declare z=1", "local q=1",
			"echo a &>/dev/null", "for i in {1..3}; do sleep 0.01; done", "cat <<<hi", "readonly r2=1", "time true")
	}
	switch {
	case strings.HasSuffix(in, "l"):
		choices = append(choices, "break", "continue", "break", "break 1")
	case strings.Contains(in, "f"):
		choices = append(choices, "return", "return 2", "return 0")
	default:
		choices = append(choices, "f", "f", "break", "return 1")
	}
	if g.IntN(2) == 0 {
		return g.pick(choices[:22]...)
	}
	return g.pick(choices...)
}
