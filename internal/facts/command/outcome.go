package command

import (
	"strconv"

	"github.com/forestall/forestall/internal/facts/fact"
)

// ways is the set of ways in which a piece of a command line may go on. It is
// always an over-estimate: what is not in the set cannot happen.
type ways uint8

const (
	falls     ways = 1 << iota // it ends, and what follows it runs
	exits                      // the shell ends
	breaks                     // the innermost loop ends
	continues                  // the innermost loop goes on with its next turn
	returns                    // the function ends
	aborts                     // an error ends the statement of the script that it is in, some shells go on after it
	stays                      // it runs until it is stopped
	escapes                    // it may end or change processes around it, too
)

// anyhow is what a shell may do when it runs text that is not at hand.
const anyhow = falls | exits | breaks | continues | returns | aborts | stays

// external is what a program that is not known may do.
const external = falls | stays

// status is an exit status; the zero value is one that is not known.
type status struct {
	known bool
	code  int
	// nonzero says of one that is not known that it is not 0.
	nonzero bool
}

var (
	success = status{known: true}
	failure = status{nonzero: true}
)

func exactly(code int) status { return status{known: true, code: code} }

// fails reports whether it is known not to be 0.
func (s status) fails() bool { return s.nonzero || s.known && s.code != 0 }

// both is the status of something that has either of two.
func (s status) both(other status) status {
	switch {
	case s == other:
		return s
	case s.fails() && other.fails():
		return failure
	}
	return status{}
}

// clause is a part of a sentence, put together only when somebody reads it.
type clause struct {
	before, subject, after string
	seconds                int64 // appended as a number of seconds, where positive
	whole                  bool  // it says by itself that it ends or does not
}

func (c clause) isZero() bool { return c == clause{} }

func (c clause) String() string {
	s := c.before + shorten(c.subject) + c.after
	switch {
	case c.seconds == 1:
		s += " 1 second"
	case c.seconds > 1:
		s += " " + strconv.FormatInt(c.seconds, 10) + " seconds"
	}
	return s
}

// outcome is what running a piece of a command line comes to.
type outcome struct {
	ways       ways
	status     status // of what falls
	exit       status // of the shell, where it exits
	wait       int64  // at most this many seconds of deliberate waiting
	leaves     bool   // it may leave a process behind
	background bool   // it puts its last command in the background
	traps      bool   // it may handle the signal that asks it to stop
	opens      bool   // it may open a port; like ways an over-estimate
	because    clause // why it ends or stays, where it is certain
	doubt      clause // why it is not certain
	stoppable  bool   // it is a server that its clients can stop
	rejects    string // an argument that the last program does not know
	serves     bool   // it is a server that is known to listen
	port       int32  // where it listens, 0 where that is not known
	program    string // the base name of what finally runs
	path       string // the field it was read from, where that is not the command
}

// done is the outcome of nothing at all.
var done = outcome{ways: falls, status: success}

// doubtful is an outcome that is not known, and why. What is not known may open a port, too.
func doubtful(w ways, before, subject, after string) outcome {
	o := quietly(w, before, subject, after)
	o.opens = true
	return o
}

// quietly is an outcome that is not known, of something that opens no port.
func quietly(w ways, before, subject, after string) outcome {
	return outcome{ways: w, doubt: clause{before: before, subject: subject, after: after}}
}

// can reports whether one of the ways is possible.
func (o outcome) can(w ways) bool { return o.ways&w != 0 }

// remains reports whether it runs until it is stopped, or fails.
func (o outcome) remains() bool {
	return o.can(stays) && o.ways&^(falls|exits|stays) == 0 &&
		(!o.can(falls) || o.status.fails()) && (!o.can(exits) || o.exit.fails())
}

// then is the outcome of o followed by next.
func (o outcome) then(next outcome) outcome {
	if !o.can(falls) {
		return o
	}
	next.exit = pick(o.can(exits), o.exit, next.can(exits), next.exit)
	next.ways |= o.ways &^ falls
	next.wait = addSeconds(o.wait, next.wait)
	next.leaves = next.leaves || o.leaves
	next.traps = next.traps || o.traps
	next.opens = next.opens || o.opens
	if !o.doubt.isZero() {
		next.doubt = o.doubt
	}
	return next
}

// with is the outcome of o and another expansion of the same command. A command
// without a name has the status of its last command substitution; with more
// than one that may fail it is not known which that is.
func (o outcome) with(next outcome) outcome {
	both := o.then(next)
	if o.can(falls) && o.status != success {
		both.status = o.status.both(next.status)
	}
	return both
}

// or is the outcome of either o or other.
func (o outcome) or(other outcome) outcome {
	o.status = pick(o.can(falls), o.status, other.can(falls), other.status)
	o.exit = pick(o.can(exits), o.exit, other.can(exits), other.exit)
	o.ways |= other.ways
	o.wait = max(o.wait, other.wait)
	o.leaves = o.leaves || other.leaves
	o.background = o.background && other.background
	o.traps = o.traps || other.traps
	o.opens = o.opens || other.opens
	if o.doubt.isZero() {
		o.doubt = other.doubt
	}
	return o
}

func pick(hasA bool, a status, hasB bool, b status) status {
	switch {
	case hasA && hasB:
		return a.both(b)
	case hasA:
		return a
	default:
		return b
	}
}

// contained is the outcome as another process sees it: however the process
// leaves its own text, it ends.
func (o outcome) contained() outcome {
	const ended = exits | breaks | continues | returns | aborts
	if o.can(ended) {
		if o.can(ended &^ exits) {
			o.exit = status{}
		}
		o.status = pick(o.can(falls), o.status, true, o.exit)
		o.ways = o.ways&^ended | falls
	}
	o.exit = status{}
	return o
}

// ends turns the outcome of a process into the observation.
func (o outcome) ends(path string) Ends {
	if o.path != "" {
		path = o.path
	}
	switch {
	case o.ways == falls && o.wait >= foreverSeconds:
		// Sleeps that add up: on one of its ways it runs on, on another it may end at once.
		return Ends{Observation: fact.UnknownAt(path, "it may wait for 30 days or more")}
	case o.ways == falls:
		e := Ends{
			Observation: fact.PresentAt(path), AfterSeconds: o.wait, Because: o.because.String(),
			Background: o.background, Rejects: o.rejects,
		}
		if o.status.known {
			e.ExitCode = &o.status.code
		}
		if !o.because.whole {
			e.Because += " and ends"
		}
		return e
	case o.ways == stays:
		e := Ends{Observation: fact.AbsentAt(path), Because: o.because.String()}
		if !o.because.whole {
			e.Because += ", without end"
		}
		return e
	}
	reason := o.doubt.String()
	if o.doubt.isZero() {
		reason = "it depends on what a command returns"
	}
	e := Ends{Observation: fact.UnknownAt(path, reason)}
	if o.remains() && !o.because.isZero() {
		e.NeverSucceeds, e.Stoppable, e.Because = true, o.stoppable, o.because.String()
		if !o.because.whole {
			e.Because += ", without end"
		}
	}
	return e
}

func addSeconds(a, b int64) int64 { return min(a+b, maxSeconds) }
