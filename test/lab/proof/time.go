package proof

import "time"

// within is how long the case may take.
func (c Case) within() time.Duration { return c.Within.Duration }

// Quiet is for how long the case looks on while nothing must happen.
func (c Case) Quiet() time.Duration {
	var longest time.Duration
	for _, e := range c.Expect {
		longest = max(longest, e.StillNot.Duration)
	}
	return longest
}

// Expected is about how long the case takes: what must not be seen is waited out,
// what must be seen is mostly there in half of the time that it is given.
func (c Case) Expected() time.Duration { return max(c.Quiet(), c.within()/2) }
