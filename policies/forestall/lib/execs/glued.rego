package forestall.lib.execs

import data.forestall.lib.words

# METADATA
# description: |
#   The end of the reason, what happens, and the fix. A long option ends at the = or at the end of its word; a short
#   one is a letter, and the rest of the word is its value.
# scope: document
glued(slip) := {
	"reason": "option and value belong in two",
	"what": "a program that looks for its options finds none of that name, and most then end with an error.",
	"fix": sprintf("make it two elements: %s, or write = in the place of the space.", [_elements(slip)]),
} if {
	startswith(slip.word, "--")
} else := {
	"reason": "each option and each value belongs in its own",
	"what": sprintf("%s takes all behind %s for its value, with the spaces and the options in it.", [
		slip.program, substring(slip.word, 0, 2),
	]),
	"fix": sprintf("make it %d elements: %s.", [count(slip.meant), _elements(slip)]),
}

_elements(slip) := trim(words.flow(slip.meant), "[]")
