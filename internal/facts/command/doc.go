// Package command observes what a container's command line does: the words
// that run, the program behind its wrappers, and whether that program ends by
// itself.
//
// It observes and never judges. A process that ends is right in a Job and wrong
// in a Deployment; which of the two it is, others know. What cannot be told is
// unknown, with a reason, because what is claimed here may deny a pod.
//
// The analysis reads text only. It assumes that a program called sleep is
// sleep, that a path outside /dev, /proc and /sys and outside of volumes that
// others can write to is an ordinary file, and that a program with another name ends or runs on as it likes but sends no signals
// to the shell that started it. What known programs do is data, see [Programs].
package command

// The bounds of an analysis. Input beyond them is not wrong, only unknown: the
// text comes from whoever may create a pod, so its size must not set the cost.
const (
	// maxWords is how many words a command line may have.
	maxWords = 4096
	// maxBytes is how long all words together may be, after expansion.
	maxBytes = 256 << 10
	// maxScript is how long a script may be. The parser needs up to 4 KiB of stack for a byte of a hostile one.
	maxScript = 32 << 10
	// maxBrackets is how many characters and keywords that open a nested construct a script may have.
	maxBrackets = 2048
	// maxDepth is how deep the syntax tree of a script is followed.
	maxDepth = 96
	// maxCalls is how deep functions in functions and programs in programs are followed.
	maxCalls = 8
	// maxSteps is how many statements, words and programs are looked at, functions counted at each call.
	maxSteps = 1 << 14
	// maxText is how many characters the text of a command may have.
	maxText = 80
	// maxSnippet is how many characters of a script or a name are quoted in a clause.
	maxSnippet = 40
	// maxSeconds is where waiting stops to add up, some 35 000 years.
	maxSeconds = 1 << 40
	// maxSequence is the largest number that seq is followed to.
	maxSequence = 1 << 20
)
