package audit

import (
	"fmt"
	"sync/atomic"
)

// Progress is called with how far a run has come, often and from several goroutines. A total of 0
// is not known.
type Progress func(stage Stage, done, total int)

// Stage is a part of a run and what is counted in it.
type Stage string

// The stages of a run.
const (
	Reading   Stage = "reading documents"
	Reviewing Stage = "reviewing objects"
	Repairing Stage = "repairing documents"
)

// counter counts what is done in one stage.
type counter struct {
	to    Progress
	stage Stage
	total int
	done  atomic.Int64
}

// more counts one more.
func (c *counter) more() {
	if n := int(c.done.Add(1)); c.to != nil {
		c.to(c.stage, n, c.total)
	}
}

// Interrupted is the error of a run that was cut short.
type Interrupted struct {
	Stage Stage
	// Done of Total is how far it came; a Total of 0 is not known.
	Done, Total int
	Err         error
}

// Error tells where the run was.
func (e *Interrupted) Error() string {
	return fmt.Sprintf("%s, after %d of %d: %v", e.Stage, e.Done, e.Total, e.Err)
}

// Unwrap returns what cut it short.
func (e *Interrupted) Unwrap() error { return e.Err }

// interrupted says how far the stage came.
func (c *counter) interrupted(err error) error {
	return &Interrupted{Stage: c.stage, Done: int(c.done.Load()), Total: c.total, Err: err}
}
