package command

import (
	"path"

	"mvdan.cc/sh/v3/syntax"
)

// redirects is the effect of the redirections of a statement, what it then
// finds on standard input, and whether a redirection may fail.
func (w *walker) redirects(stmt *syntax.Stmt) (before outcome, in input, fallible bool) {
	before, in = done, w.input
	for _, r := range stmt.Redirs {
		target, effect := w.word(r.Word)
		before = before.with(effect)
		if r.Hdoc != nil {
			_, effect = w.word(r.Hdoc)
			before = before.with(effect)
		}
		if w.survey.moves && r.Op == syntax.RdrIn && !path.IsAbs(target.text) {
			target.known = false
		}
		d := w.directed(r, target)
		if d.blocks || d.reads && isBareExec(stmt) {
			before = before.then(quietly(anyhow, "it is not known whether a redirection blocks", "", ""))
		}
		fallible = fallible || d.fallible
		if d.reads {
			in = d.in
		}
	}
	return before, in, fallible
}

// directed is what a redirection does in this container.
func (w *walker) directed(r *syntax.Redirect, target word) direction {
	d := direct(r, target)
	w.works = w.works || !d.reads && !harmless(target)
	switch {
	case w.endsBackground(r):
		return direction{blocks: true}
	case d.reads && !d.blocks && r.Op == syntax.RdrIn && w.mayBePipe(target):
		d.blocks = true
	}
	return d
}

// harmless reports whether what is written there is of no use to anybody but who reads the log.
func harmless(target word) bool {
	return target.known && (target.text == "/dev/null" || standardStream(target.text) || isNumber(target.text))
}

// isBareExec reports whether the redirections are for the rest of the script.
func isBareExec(stmt *syntax.Stmt) bool {
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	return ok && len(call.Args) == 1 && bareName(call.Args[0]) == "exec"
}

// endsBackground finds &>, which some shells read as a redirection and some as
// the end of a background command before a redirection.
func (w *walker) endsBackground(r *syntax.Redirect) bool {
	at := int(r.OpPos.Offset())
	return w.shell.Language == languagePOSIX && at > 0 && at <= len(w.src) && w.src[at-1] == '&'
}

// direction is what one redirection does.
type direction struct {
	blocks   bool // it may wait, or it is not known what it does
	fallible bool
	reads    bool // it replaces standard input
	in       input
}

func direct(r *syntax.Redirect, target word) direction {
	fd := ""
	if r.N != nil {
		fd = r.N.Value
	}
	switch r.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
		return writing(fd, target)
	case syntax.RdrIn:
		return reading(fd, target)
	case syntax.DplOut, syntax.DplIn:
		return duplicating(fd, target, r.Op == syntax.DplIn)
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return direction{reads: fd == "" || fd == "0", in: inputEnds}
	}
	return direction{blocks: true}
}

func writing(fd string, target word) direction {
	switch {
	case !isDescriptor(fd), !target.known || target.text == "":
		return direction{blocks: true}
	case fd == "0":
		return direction{reads: true, in: inputOpen, fallible: true}
	case target.text == "/dev/null":
		return direction{}
	case isPlain(target.text), standardStream(target.text):
		return direction{fallible: true}
	}
	return direction{blocks: true}
}

func reading(fd string, target word) direction {
	d := direction{reads: fd == "" || fd == "0"}
	switch {
	case !isDescriptor(fd), !target.known || target.text == "":
		d.blocks = true
	case target.text == "/dev/null":
		d.in = inputEmpty
	case isPlain(target.text):
		d.in, d.fallible = inputEnds, true
	default:
		d.blocks = true
	}
	return d
}

// duplicating is 2>&1 and the like; closing or using other descriptors may fail.
func duplicating(fd string, target word, isInput bool) direction {
	if !isDescriptor(fd) || !target.known || target.text != "-" && !isNumber(target.text) {
		return direction{blocks: true}
	}
	d := direction{in: inputOpen, reads: isInput && fd == "" || fd == "0"}
	d.fallible = d.reads || target.text != "1" && target.text != "2" || fd != "" && fd != "1" && fd != "2"
	return d
}

func isDescriptor(fd string) bool { return fd == "" || isNumber(fd) && len(fd) == 1 }

// standardStream reports whether writing to the path is writing to the
// container's log, which never blocks for long.
func standardStream(file string) bool {
	switch path.Clean(file) {
	case "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2",
		"/proc/self/fd/1", "/proc/self/fd/2", "/proc/1/fd/1", "/proc/1/fd/2":
		return true
	}
	return false
}
