package policy

// evaluationStack is more than evaluating a rule takes of the stack, in bytes.
const evaluationStack = 128 << 10

// growStack gives the goroutine the stack that an evaluation takes, at once. Each request has a
// goroutine of its own, whose stack would grow step by step and be copied each time, in the middle
// of a deep recursion: that was a quarter of what it costs to ask the rules
// (BenchmarkHandler/failing in package webhook).
//
//go:noinline
func growStack() {
	var room [evaluationStack]byte
	keep(&room)
}

//go:noinline
func keep(*[evaluationStack]byte) {}
