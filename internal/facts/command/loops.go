package command

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// inLoop follows the condition or body of a loop.
func (w *walker) inLoop(follow func() outcome) outcome {
	w.loops++
	o := follow()
	w.loops--
	return o
}

// while is the outcome of while and until.
func (w *walker) while(c *syntax.WhileClause) outcome {
	condition := w.inLoop(func() outcome {
		return w.guarded(func() outcome { return w.list(c.Cond) })
	})
	holds := condition.status == success
	if c.Until {
		holds = condition.status.fails()
	}
	if condition.can(falls) && !holds && (condition.status == success || condition.status.fails()) {
		condition.status = success
		return leaveLoop(condition)
	}
	turn := condition.then(w.inLoop(func() outcome { return w.list(c.Do) }))
	if turns, ok := w.countedWhile(c); ok && !turn.can(continues) {
		o := countedLoop(condition, turn, turns)
		o.status = o.status.both(success) // it may not run at all
		return o
	}
	if holds {
		return endless(turn)
	}
	o := leaveLoop(turn)
	o.ways |= falls | stays
	o.status = status{}
	o.doubt = clause{before: "it is not known when the condition of a loop changes"}
	return o
}

// leaveLoop turns what a loop does with break and continue into going on after it.
func leaveLoop(o outcome) outcome {
	if o.can(breaks | continues) {
		o.ways = o.ways&^(breaks|continues) | falls
		o.status = status{}
	}
	return o
}

// endless is the outcome of a loop whose condition always holds: it goes on
// unless a turn leaves it.
func endless(turn outcome) outcome {
	goesOn := turn.can(falls | continues)
	o := turn
	o.ways &^= falls | breaks | continues
	if goesOn {
		o.ways |= stays
	}
	if turn.can(breaks) {
		o.ways |= falls
		o.status = status{}
	}
	if o.can(stays) && o.ways != stays && o.doubt.isZero() {
		o.doubt = clause{before: "it is not known whether a loop is left"}
	}
	return o
}

// loop is the outcome of for and select.
func (w *walker) loop(c *syntax.ForClause) outcome {
	if c.Select {
		return doubtful(anyhow, "it asks for a choice", "", "")
	}
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		return w.forWords(l, c.Do)
	case *syntax.CStyleLoop:
		if l.Init == nil && l.Cond == nil && l.Post == nil {
			return endless(w.inLoop(func() outcome { return w.list(c.Do) }))
		}
		if turns, ok := w.counted(l); ok {
			return countedLoop(done, w.inLoop(func() outcome { return w.list(c.Do) }), turns)
		}
	}
	return uncertainLoop(w.inLoop(func() outcome { return w.list(c.Do) }))
}

// countedLoop is the outcome of a loop that runs so often at most.
func countedLoop(condition, turn outcome, turns int64) outcome {
	if turns == 0 {
		return leaveLoop(condition.then(done))
	}
	o := leaveLoop(turn)
	o.wait = multiplySeconds(turn.wait, turns)
	return o
}

// uncertainLoop is the outcome of a loop that runs an unknown number of turns.
func uncertainLoop(turn outcome) outcome {
	o := leaveLoop(turn)
	o.ways |= falls | stays | exits | aborts
	o.status, o.exit = status{}, status{}
	o.doubt = clause{before: "it is not known how often a loop runs"}
	return o
}

// forWords is the outcome of a loop over words. A turn that does not wait may
// run any number of times.
func (w *walker) forWords(l *syntax.WordIter, body []*syntax.Stmt) outcome {
	turns, counted := int64(0), l.InPos.IsValid()
	before := done
	for _, item := range l.Items {
		n, effect, ok := w.fields(item)
		turns, counted = min(turns+n, maxSeconds), counted && ok
		before = before.with(effect)
	}
	if counted && turns == 0 {
		return before.then(done)
	}
	turn := w.inLoop(func() outcome { return w.list(body) })
	o := leaveLoop(turn)
	if turn.can(falls | continues) {
		o.wait = multiplySeconds(turn.wait, turns)
	}
	switch {
	case counted:
	case turn.wait > 0:
		return before.then(uncertainLoop(turn))
	default:
		o = o.or(done)
	}
	return before.then(o)
}

func multiplySeconds(seconds, times int64) int64 {
	if seconds == 0 || times == 0 {
		return 0
	}
	if seconds > maxSeconds/times {
		return maxSeconds
	}
	return seconds * times
}

// fields is at most how many words an item of a for loop stands for, with the
// effect of its expansions. It reports false where that cannot be counted.
func (w *walker) fields(item *syntax.Word) (int64, outcome, bool) {
	value, effect := w.word(item)
	if value.known {
		return 1, effect, true
	}
	if n, ok := braceRange(item.Lit()); ok {
		return n, effect, true
	}
	n, ok := w.sequence(item)
	return n, effect, ok
}

// braceRange counts {1..10}. A shell that does not know the form takes it for one word.
func braceRange(text string) (int64, bool) {
	inner, ok := strings.CutPrefix(text, "{")
	inner, ok2 := strings.CutSuffix(inner, "}")
	from, to, ok3 := strings.Cut(inner, "..")
	a, errA := strconv.ParseInt(from, 10, 32)
	b, errB := strconv.ParseInt(to, 10, 32)
	if !ok || !ok2 || !ok3 || errA != nil || errB != nil {
		return 0, false
	}
	return max(a-b, b-a) + 1, true
}

// sequence counts the words of $(seq 1 10).
func (w *walker) sequence(item *syntax.Word) (int64, bool) {
	if len(item.Parts) != 1 {
		return 0, false
	}
	subst, ok := item.Parts[0].(*syntax.CmdSubst)
	if !ok || len(subst.Stmts) != 1 || len(subst.Stmts[0].Redirs) > 0 {
		return 0, false
	}
	call, ok := subst.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) < 2 || w.survey.functions[bareName(call.Args[0])] > 0 {
		return 0, false
	}
	p := w.known.find(bareName(call.Args[0]))
	if p == nil || p.Process == nil || p.Process.Operands != operandsIntegers {
		return 0, false
	}
	operands := make([]word, 0, len(call.Args)-1)
	for _, arg := range call.Args[1:] {
		value, _ := w.word(arg)
		operands = append(operands, value)
	}
	return sequenceLength(operands)
}
