package command

import (
	"path"
	"slices"
)

// mayBePipe reports whether a path leads to a place where another container, or the node, may have made a named pipe
// or a device. A relative one may lead there from any directory.
func (r *run) mayBePipe(file word) bool {
	if len(r.in.Pipes) == 0 {
		return false
	}
	r.spend(1 + len(file.text)/perStep)
	if !path.IsAbs(file.text) {
		return true
	}
	for at := path.Clean(file.text); ; at = path.Dir(at) {
		if r.in.Pipes[at] {
			return true
		}
		if len(at) < 2 {
			return false
		}
	}
}

// reads reports whether one of the operands that are files and are read is such a file. That of a tail that is asked to
// follow it does not matter: it does not end either way.
func (b *process) reads(operands []word, such func(word) bool) bool {
	switch b.Operands {
	case operandsOpened:
	case operandsCopied:
		operands = operands[:max(0, len(operands)-1)]
	default:
		return false
	}
	return slices.ContainsFunc(operands, such)
}

// AddPipes adds places to Pipes.
func (in *Input) AddPipes(places ...string) {
	for _, place := range places {
		if in.Pipes == nil {
			in.Pipes = map[string]bool{}
		}
		in.Pipes[path.Clean("/"+place)] = true
	}
}
