package command

import "strings"

// wrapper is the outcome of a program that runs the command in its operands.
func (r *run) wrapper(p *program, name string, args []word, at place) outcome {
	line, ok := p.options.parse(args, true)
	if !ok {
		return unclear(name, args)
	}
	operands := line.operands
	if p.Wraps.Assignments {
		operands = r.skipAssignments(operands)
	}
	limit := word{}
	if p.Wraps.Limit && len(operands) > 0 {
		limit, operands = operands[0], operands[1:]
	}
	if len(operands) <= p.Wraps.Skip {
		return withoutCommand(p, name, args, len(operands))
	}
	at.calls++
	at.first = at.first && !p.Wraps.Forks
	inner := r.process(operands[p.Wraps.Skip:], at)
	if !p.Wraps.Limit {
		return inner
	}
	return limited(name, limit, inner, at.first)
}

// skipAssignments drops the leading NAME=value words and remembers the names.
func (r *run) skipAssignments(operands []word) []word {
	for i, w := range operands {
		variable, _, isAssignment := strings.Cut(w.text, "=")
		if !w.known || !isAssignment {
			return operands[i:]
		}
		r.assign(variable)
	}
	return nil
}

// withoutCommand is the outcome of a wrapper that was given nothing to run.
func withoutCommand(p *program, name string, args []word, operands int) outcome {
	if p.Process == nil || operands > 0 {
		return unclear(name, args)
	}
	return named(name, p.Process.outcome(name, len(args) == 0, nil))
}

// limited is the outcome of a command that is stopped after a time. Where it
// may be the first process, the signal may do nothing: the timeout of busybox
// becomes the command that it runs and leaves the watching to another process.
func limited(name string, limit word, inner outcome, first bool) outcome {
	seconds, forever, ok := parseDuration(limit.text)
	switch {
	case !limit.known || !ok:
		return named(inner.program, unclear(name, []word{limit}))
	case forever, seconds == 0, inner.ways == falls && inner.wait < seconds:
		return inner
	case inner.can(escapes), inner.traps:
		return inner
	case first && inner.ways != falls:
		o := quietly(external, "", name, " may not be able to stop the first process of a container")
		o.opens = inner.opens
		return named(inner.program, o)
	case first:
		inner.status = status{}
		return inner
	}
	after := clause{subject: name, after: " stops what it runs after", seconds: seconds}
	// What the command started itself is not stopped with it.
	leaves := inner.leaves || inner.ways != falls
	return outcome{ways: falls, wait: seconds, because: after, program: inner.program, leaves: leaves, opens: inner.opens}
}
